/** The routes of the API. Source: specification, "Endpoints". Each handler is in the file of its name. */
import Router from '@koa/router'
import { requireScope } from './authentication/require-scope.ts'
import type { RequestState } from './context.ts'
import type { Gateway } from './gateway.ts'
import { requireJsonBody } from './request/json-body.ts'
import { refuseQuery } from './request/query.ts'
import { createPrintJob } from './routes/create-print-job.ts'
import { getComputer } from './routes/get-computer.ts'
import { getPrintJob } from './routes/get-print-job.ts'
import { getPrinter } from './routes/get-printer.ts'
import { healthz } from './routes/healthz.ts'
import { listComputers } from './routes/list-computers.ts'
import { listPrintJobEvents } from './routes/list-print-job-events.ts'
import { listPrinters } from './routes/list-printers.ts'
import { readyz } from './routes/readyz.ts'
import { whoami } from './routes/whoami.ts'

export function createRouter(gateway: Gateway): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  router.get('/healthz', healthz)
  router.get('/readyz', readyz(gateway))

  router.get('/v1/whoami', refuseQuery, whoami)

  router.post('/v1/printjobs', requireScope('print'), refuseQuery, requireJsonBody, createPrintJob(gateway))
  router.get('/v1/printjobs/:id', requireScope('read'), refuseQuery, getPrintJob(gateway))
  router.get('/v1/printjobs/:id/events', requireScope('read'), refuseQuery, listPrintJobEvents(gateway))

  router.get('/v1/printers', requireScope('read'), listPrinters(gateway))
  router.get('/v1/printers/:id', requireScope('read'), refuseQuery, getPrinter(gateway))

  router.get('/v1/computers', requireScope('read'), listComputers(gateway))
  router.get('/v1/computers/:id', requireScope('read'), refuseQuery, getComputer(gateway))
  return router
}
