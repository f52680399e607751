/**
 * Every operation of the API and who may use it. The router, the OpenAPI document and the tests of permissions are made from this
 * table, so that none of them can lack a route. Source: specification, "Endpoints"; decisions, "Identity and limits".
 */
import type { Scope } from './authentication/require-scope.ts'
import type { RouteStep } from './context.ts'
import type { Gateway } from './gateway.ts'
import { oncePerKey } from './idempotency/once-per-key.ts'
import { requireJsonBody } from './request/json-body.ts'
import { refuseQuery } from './request/query.ts'
import { createPrintJob } from './routes/create-print-job.ts'
import { getComputer } from './routes/get-computer.ts'
import { getPrintJob } from './routes/get-print-job.ts'
import { getPrinter } from './routes/get-printer.ts'
import { listComputers } from './routes/list-computers.ts'
import { listPrintJobEvents } from './routes/list-print-job-events.ts'
import { listPrinters } from './routes/list-printers.ts'
import { whoami } from './routes/whoami.ts'

export interface Operation {
  /** Its name in the OpenAPI document. */
  operationId: string
  method: 'get' | 'post' | 'patch' | 'delete'
  /** As the router takes it: `/v1/printers/:id`. */
  path: string
  /** Null: any valid credential will do. */
  scope: Scope | null
  /** After authentication and the check of the scope. */
  steps: RouteStep[]
}

export function operationsOf(gateway: Gateway): Operation[] {
  return [
    { operationId: 'whoami', method: 'get', path: '/v1/whoami', scope: null, steps: [refuseQuery, whoami] },

    {
      operationId: 'createPrintJob',
      method: 'post',
      path: '/v1/printjobs',
      scope: 'print',
      steps: [refuseQuery, requireJsonBody, oncePerKey(gateway), createPrintJob(gateway)],
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
  ]
}
