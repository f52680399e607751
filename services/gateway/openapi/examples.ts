/** One example for each schema. Those of resources are `resources/examples.ts`. */
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_MEANINGS } from '@platen/resources/event-schema.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { computer, printer, printJob } from '@platen/resources/examples.ts'
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts'
import { eventSchemaName } from './webhooks.ts'

const ENROLLMENT_ID = '019a5c20-0f42-7b1d-8e77-6a9c4d3b2e04'
const ORGANIZATION_ID = '019a5c10-12ab-7d4e-9f30-1b2c3d4e5f05'
const KEY_ID = '019a5c11-5c0d-7a96-b8e1-7f6e5d4c3b06'

const pageOf = (resource: object) => ({ data: [resource], hasMore: false, nextCursor: 'AZpcITt6fw6hxF0uj5tqAw' })

const printJobEvent = {
  id: '019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07',
  state: 'queued',
  message: null,
  actor: 'api',
  createdAt: printJob.createdAt,
}

const event = exampleEvent('printjob.done', 'live')

const newPrintJob = { printerId: printer.id, title: 'Invoice 1042', source: 'shop', options: { duplex: 'long-edge' } }

/** The other forms of a body, by the name of its schema. */
export const OTHER_FORMS: Record<string, Record<string, object>> = {
  NewPrintJob: {
    'A document at a URL': {
      ...newPrintJob,
      contentType: 'pdf_uri',
      content: 'https://files.example.com/invoices/1042.pdf',
      authentication: { type: 'BasicAuth', credentials: { user: 'printing', pass: 'correct horse' } },
    },
    'A reprint': { ...newPrintJob, reprintOf: printJob.id },
  },
}

/** By the name of the schema in `schemas.ts`. */
export const EXAMPLES: Record<string, object> = {
  NewPrintJob: {
    ...newPrintJob,
    contentType: 'pdf_base64',
    content: Buffer.from('%PDF-1.7\n%%EOF\n').toString('base64'),
  },
  PrintOptions: printJob.options,
  PrintJob: printJob,
  PrintJobPage: pageOf(printJob),
  PrintJobEvent: printJobEvent,
  PrintJobEventList: { data: [printJobEvent] },
  PrinterChanges: { displayName: 'Back office', defaultOptions: { paper: 'A4' }, customPapers: printer.customPapers },
  Printer: printer,
  PrinterPage: pageOf(printer),
  Computer: computer,
  ComputerPage: pageOf(computer),
  Event: event,
  EventPage: pageOf(event),
  EventTypeList: {
    data: [
      {
        type: event.type,
        description: EVENT_MEANINGS['printjob.done'],
        schema: { type: 'object', required: ['id', 'type', 'timestamp', 'mode', 'sequence', 'data'] },
        example: event,
      },
    ],
  },
  ...Object.fromEntries(EVENT_TYPES.map((type) => [eventSchemaName(type), exampleEvent(type, 'live')])),
  EventPrinter: exampleEvent('printer.updated', 'live').data,
  NewEnrollment: { maxUses: 1, expiresInSeconds: 900 },
  Enrollment: {
    id: ENROLLMENT_ID,
    token: 'platen_enroll_4mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3',
    expiresAt: '2026-03-02T09:45:00.000Z',
    maxUses: 1,
  },
  AgentEnrollment: {
    name: 'Back office',
    hostname: computer.hostname,
    os: computer.os,
    osVersion: computer.osVersion,
    arch: computer.arch,
    agentVersion: computer.agentVersion,
  },
  EnrolledAgent: {
    computerId: computer.id,
    credential: 'platen_agent_7sKd8hNf34mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3aQ',
    agentUrl: 'https://agents.print.example',
  },
  Identity: {
    organization: { id: ORGANIZATION_ID, name: 'Corner Shop Ltd' },
    mode: 'live',
    apiKey: {
      id: KEY_ID,
      name: 'Shop',
      prefix: 'platen_live_4mGz',
      scopes: ['read', 'print'],
      createdAt: '2026-02-26T16:20:05.000Z',
    },
    user: null,
  },
  Usage: {
    period: { start: '2026-03-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' },
    prints: { used: 1284, limit: null },
    computers: { used: 3, limit: null },
    plan: 'self-hosted',
    testJobsToday: { used: 17, limit: 500, resetsAt: '2026-03-03T00:00:00.000Z' },
  },
  ...WEBHOOK_EXAMPLES,
  Error: {
    error: {
      code: 'not_found',
      message: 'There is no printer with this id.',
      request_id: '0d9d4f6c-6d0f-4b9e-8f3e-0a4a1d1c7d54',
    },
  },
}
