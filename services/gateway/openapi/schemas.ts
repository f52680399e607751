/** The schemas that the document names. Those of bodies are the ones that the gateway judges requests by. */

import { COMPUTER } from '@platen/resources/computer-schema.ts'
import { EVENT_PRINTER, EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import { JOB, JOB_EVENT, JOB_EVENT_LIST } from '@platen/resources/print-job-schema.ts'
import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'
import { PRINTER } from '@platen/resources/printer-schema.ts'
import { WEBHOOK_DELIVERY, WEBHOOK_DELIVERY_DETAIL, WEBHOOK_REPLAY } from '@platen/resources/webhook-delivery-schema.ts'
import { WEBHOOK_ENDPOINT, WEBHOOK_ENDPOINT_WITH_SECRET } from '@platen/resources/webhook-endpoint-schema.ts'
import type { z } from 'zod'
import { IDENTITY, USAGE } from '../json/account-schema.ts'
import { ENROLLED_AGENT } from '../json/agent-enrollment-schema.ts'
import { ENROLLMENT } from '../json/enrollment-schema.ts'
import { ERROR } from '../json/error-schema.ts'
import { EVENT, EVENT_TYPE_LIST } from '../json/event-type-schema.ts'
import { pageOf } from '../json/page-schema.ts'
import { AGENT_ENROLLMENT } from '../request/agent-enrollment.ts'
import { NEW_ENROLLMENT } from '../request/new-enrollment.ts'
import { PRINTER_CHANGES } from '../request/printer-changes.ts'
import { NEW_WEBHOOK, SECRET_ROTATION, WEBHOOK_CHANGES, WEBHOOK_TEST } from '../request/webhook-endpoint.ts'
import { WEBHOOK_REPLAY_RANGE } from '../request/webhook-replay.ts'
import { PRINT_JOB } from '../upload/print-job-request.ts'
import { eventSchemaName } from './webhooks.ts'

export const SCHEMAS: Record<string, z.ZodType> = {
  NewPrintJob: PRINT_JOB,
  PrinterChanges: PRINTER_CHANGES,
  NewEnrollment: NEW_ENROLLMENT,
  PrintOptions: PRINT_OPTIONS,
  PrintJob: JOB,
  PrintJobPage: pageOf(JOB, 'print jobs'),
  PrintJobEvent: JOB_EVENT,
  PrintJobEventList: JOB_EVENT_LIST,
  Printer: PRINTER,
  PrinterPage: pageOf(PRINTER, 'printers'),
  Computer: COMPUTER,
  ComputerPage: pageOf(COMPUTER, 'computers'),
  Enrollment: ENROLLMENT,
  AgentEnrollment: AGENT_ENROLLMENT,
  EnrolledAgent: ENROLLED_AGENT,
  NewWebhook: NEW_WEBHOOK,
  WebhookChanges: WEBHOOK_CHANGES,
  WebhookSecretRotation: SECRET_ROTATION,
  WebhookTest: WEBHOOK_TEST,
  WebhookEndpoint: WEBHOOK_ENDPOINT,
  WebhookEndpointWithSecret: WEBHOOK_ENDPOINT_WITH_SECRET,
  WebhookEndpointPage: pageOf(WEBHOOK_ENDPOINT, 'webhook endpoints'),
  WebhookDelivery: WEBHOOK_DELIVERY,
  WebhookDeliveryPage: pageOf(WEBHOOK_DELIVERY, 'deliveries'),
  WebhookDeliveryDetail: WEBHOOK_DELIVERY_DETAIL,
  WebhookReplayRange: WEBHOOK_REPLAY_RANGE,
  WebhookReplay: WEBHOOK_REPLAY,
  Event: EVENT,
  EventPage: pageOf(EVENT, 'events'),
  EventTypeList: EVENT_TYPE_LIST,
  ...Object.fromEntries([...EVENT_SCHEMAS].map(([type, schema]) => [eventSchemaName(type), schema])),
  EventPrinter: EVENT_PRINTER,
  Identity: IDENTITY,
  Usage: USAGE,
  Error: ERROR,
}
