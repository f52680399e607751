/** Sends each request to its operation. Each handler is in the file of its name in `routes/`. */
import Router from '@koa/router'
import { requireScope } from './authentication/require-scope.ts'
import type { RequestState } from './context.ts'
import type { Gateway } from './gateway.ts'
import { openApiDocument } from './openapi/document.ts'
import { operationsOf } from './operations.ts'
import { refuseQuery } from './request/query.ts'
import { docs } from './routes/docs.ts'
import { healthz } from './routes/healthz.ts'
import { openapi } from './routes/openapi.ts'
import { readyz } from './routes/readyz.ts'

export function createRouter(gateway: Gateway): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  router.get('/healthz', healthz)
  router.get('/readyz', readyz(gateway))
  const operations = operationsOf(gateway)
  const document = openApiDocument(operations)
  router.get('/v1/openapi.json', refuseQuery, openapi(document))
  router.get('/docs', docs(document))
  for (const { method, path, scope, steps } of operations) {
    router[method](path, ...(scope === null ? steps : [requireScope(scope), ...steps]))
  }
  return router
}
