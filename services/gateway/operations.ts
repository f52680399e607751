/**
 * Every operation of the API and who may use it. The router, the OpenAPI document and the tests of permissions are made from this
 * table, so that none of them can lack a route. Reference: docs/reference/authentication.md#scopes.
 */
import { requireEnrollmentToken } from './authentication/require-enrollment-token.ts'
import type { Scope } from './authentication/require-scope.ts'
import type { RouteStep } from './context.ts'
import type { Gateway } from './gateway.ts'
import { oncePerKey } from './idempotency/once-per-key.ts'
import { createPrinters } from './printers.ts'
import { requireJsonBody } from './request/json-body.ts'
import { refuseBody } from './request/no-body.ts'
import { refuseQuery } from './request/query.ts'
import { cancelPrintJob } from './routes/cancel-print-job.ts'
import { createEnrollment } from './routes/create-enrollment.ts'
import { createPrintJob } from './routes/create-print-job.ts'
import { createWebhook } from './routes/create-webhook.ts'
import { deleteComputer } from './routes/delete-computer.ts'
import { deleteWebhook } from './routes/delete-webhook.ts'
import { ENROLL_PATH, enrollAgent } from './routes/enroll-agent.ts'
import { getComputer } from './routes/get-computer.ts'
import { getEvent } from './routes/get-event.ts'
import { getPrintJob } from './routes/get-print-job.ts'
import { getPrinter } from './routes/get-printer.ts'
import { getUsage } from './routes/get-usage.ts'
import { getWebhook } from './routes/get-webhook.ts'
import { getWebhookDelivery } from './routes/get-webhook-delivery.ts'
import { listComputerPrinters } from './routes/list-computer-printers.ts'
import { listComputers } from './routes/list-computers.ts'
import { listEventTypes } from './routes/list-event-types.ts'
import { listEvents } from './routes/list-events.ts'
import { listPrintJobEvents } from './routes/list-print-job-events.ts'
import { listPrintJobs } from './routes/list-print-jobs.ts'
import { listPrinterPrintJobs } from './routes/list-printer-print-jobs.ts'
import { listPrinters } from './routes/list-printers.ts'
import { listWebhookDeliveries } from './routes/list-webhook-deliveries.ts'
import { listWebhooks } from './routes/list-webhooks.ts'
import { replayWebhookDeliveries } from './routes/replay-webhook-deliveries.ts'
import { replayWebhookDelivery } from './routes/replay-webhook-delivery.ts'
import { rotateWebhookSecret } from './routes/rotate-webhook-secret.ts'
import { testWebhook } from './routes/test-webhook.ts'
import { updatePrinter } from './routes/update-printer.ts'
import { updateWebhook } from './routes/update-webhook.ts'
import { whoami } from './routes/whoami.ts'

export interface Operation {
  /** Its name in the OpenAPI document. */
  operationId: string
  method: 'get' | 'post' | 'patch' | 'delete'
  /** As the router takes it: `/v1/printers/:id`. */
  path: string
  /** Null: any valid credential will do. */
  scope: Scope | null
  /** What it asks for in the place of an API key. Its path is one that `authenticate` leaves alone. */
  credential?: 'enrollmentToken'
  /** After authentication and the check of the scope. */
  steps: RouteStep[]
}

export function operationsOf(gateway: Gateway): Operation[] {
  const printers = createPrinters(gateway)
  return [
    { operationId: 'whoami', method: 'get', path: '/v1/whoami', scope: null, steps: [refuseQuery, whoami] },
    {
      operationId: 'getUsage',
      method: 'get',
      path: '/v1/usage',
      scope: 'read',
      steps: [refuseQuery, getUsage(gateway)],
    },

    {
      operationId: 'createPrintJob',
      method: 'post',
      path: '/v1/printjobs',
      scope: 'print',
      steps: [refuseQuery, requireJsonBody, oncePerKey(gateway), createPrintJob(gateway, printers)],
    },
    {
      operationId: 'listPrintJobs',
      method: 'get',
      path: '/v1/printjobs',
      scope: 'read',
      steps: [listPrintJobs(gateway)],
    },
    {
      operationId: 'getPrintJob',
      method: 'get',
      path: '/v1/printjobs/:id',
      scope: 'read',
      steps: [refuseQuery, getPrintJob(gateway)],
    },
    {
      operationId: 'listPrintJobEvents',
      method: 'get',
      path: '/v1/printjobs/:id/events',
      scope: 'read',
      steps: [refuseQuery, listPrintJobEvents(gateway)],
    },
    {
      operationId: 'cancelPrintJob',
      method: 'post',
      path: '/v1/printjobs/:id/cancel',
      scope: 'print',
      steps: [refuseQuery, refuseBody, cancelPrintJob(gateway)],
    },

    {
      operationId: 'listPrinters',
      method: 'get',
      path: '/v1/printers',
      scope: 'read',
      steps: [listPrinters(gateway)],
    },
    {
      operationId: 'getPrinter',
      method: 'get',
      path: '/v1/printers/:id',
      scope: 'read',
      steps: [refuseQuery, getPrinter(gateway)],
    },
    {
      operationId: 'listPrinterPrintJobs',
      method: 'get',
      path: '/v1/printers/:id/printjobs',
      scope: 'read',
      steps: [listPrinterPrintJobs(gateway)],
    },
    {
      operationId: 'updatePrinter',
      method: 'patch',
      path: '/v1/printers/:id',
      scope: 'admin',
      steps: [refuseQuery, updatePrinter(gateway, printers)],
    },

    {
      operationId: 'listComputers',
      method: 'get',
      path: '/v1/computers',
      scope: 'read',
      steps: [listComputers(gateway)],
    },
    {
      operationId: 'getComputer',
      method: 'get',
      path: '/v1/computers/:id',
      scope: 'read',
      steps: [refuseQuery, getComputer(gateway)],
    },
    {
      operationId: 'listComputerPrinters',
      method: 'get',
      path: '/v1/computers/:id/printers',
      scope: 'read',
      steps: [listComputerPrinters(gateway)],
    },
    {
      operationId: 'deleteComputer',
      method: 'delete',
      path: '/v1/computers/:id',
      scope: 'admin',
      steps: [refuseQuery, deleteComputer(gateway)],
    },
    { operationId: 'listEvents', method: 'get', path: '/v1/events', scope: 'read', steps: [listEvents(gateway)] },
    {
      operationId: 'getEvent',
      method: 'get',
      path: '/v1/events/:id',
      scope: 'read',
      steps: [refuseQuery, getEvent(gateway)],
    },
    {
      operationId: 'listEventTypes',
      method: 'get',
      path: '/v1/event-types',
      scope: 'read',
      steps: [refuseQuery, listEventTypes()],
    },

    {
      operationId: 'createEnrollment',
      method: 'post',
      path: '/v1/enrollments',
      scope: 'admin',
      steps: [refuseQuery, createEnrollment(gateway)],
    },
    {
      operationId: 'enrollAgent',
      method: 'post',
      path: ENROLL_PATH,
      scope: null,
      credential: 'enrollmentToken',
      steps: [requireEnrollmentToken(gateway), refuseQuery, enrollAgent(gateway)],
    },

    {
      operationId: 'createWebhook',
      method: 'post',
      path: '/v1/webhooks',
      scope: 'admin',
      steps: [refuseQuery, createWebhook(gateway)],
    },
    {
      operationId: 'listWebhooks',
      method: 'get',
      path: '/v1/webhooks',
      scope: 'admin',
      steps: [listWebhooks(gateway)],
    },
    {
      operationId: 'getWebhook',
      method: 'get',
      path: '/v1/webhooks/:id',
      scope: 'admin',
      steps: [refuseQuery, getWebhook(gateway)],
    },
    {
      operationId: 'updateWebhook',
      method: 'patch',
      path: '/v1/webhooks/:id',
      scope: 'admin',
      steps: [refuseQuery, updateWebhook(gateway)],
    },
    {
      operationId: 'deleteWebhook',
      method: 'delete',
      path: '/v1/webhooks/:id',
      scope: 'admin',
      steps: [refuseQuery, deleteWebhook(gateway)],
    },
    {
      operationId: 'rotateWebhookSecret',
      method: 'post',
      path: '/v1/webhooks/:id/rotate-secret',
      scope: 'admin',
      steps: [refuseQuery, rotateWebhookSecret(gateway)],
    },
    {
      operationId: 'testWebhook',
      method: 'post',
      path: '/v1/webhooks/:id/test',
      scope: 'admin',
      steps: [refuseQuery, testWebhook(gateway)],
    },
    {
      operationId: 'listWebhookDeliveries',
      method: 'get',
      path: '/v1/webhooks/:id/deliveries',
      scope: 'admin',
      steps: [listWebhookDeliveries(gateway)],
    },
    {
      operationId: 'getWebhookDelivery',
      method: 'get',
      path: '/v1/webhooks/:id/deliveries/:deliveryId',
      scope: 'admin',
      steps: [refuseQuery, getWebhookDelivery(gateway)],
    },
    {
      operationId: 'replayWebhookDelivery',
      method: 'post',
      path: '/v1/webhooks/:id/deliveries/:deliveryId/replay',
      scope: 'admin',
      steps: [refuseQuery, refuseBody, replayWebhookDelivery(gateway)],
    },
    {
      operationId: 'replayWebhookDeliveries',
      method: 'post',
      path: '/v1/webhooks/:id/replay',
      scope: 'admin',
      steps: [refuseQuery, replayWebhookDeliveries(gateway)],
    },
  ]
}
