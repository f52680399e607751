/** Routes each request to its operation. */
import Router from '@koa/router'
import type { RequestState } from './context.ts'
import { serveDashboard } from './dashboard/serve-dashboard.ts'
import { DASHBOARD_OPERATIONS } from './dashboard-operations.ts'
import type { Gateway } from './gateway.ts'
import { operationSteps } from './operation/serve-operation.ts'
import { OPERATIONS } from './operations.ts'
import { limitAddress } from './rate-limit/limit-address.ts'
import { refuseQuery } from './request/query.ts'
import { listAgentPackages, sendAgentPackage } from './routes/agents.ts'
import { listClientPackages, sendClientPackage } from './routes/clients.ts'
import { serveDocs, USUAL_PATHS } from './routes/docs.ts'
import { healthz } from './routes/healthz.ts'
import { openapi } from './routes/openapi.ts'
import { readyz } from './routes/readyz.ts'
import { swagger } from './routes/swagger.ts'

export const ALL_OPERATIONS = [...OPERATIONS, ...DASHBOARD_OPERATIONS]

/**
 * Paths below `/v1` without a key (docs/reference/conventions.md#public-pages) and below `/account` without a session.
 * An enrolment is authenticated by its token, which its route checks.
 */
export const PUBLIC_PATHS = [
  '/v1/openapi.json',
  ...ALL_OPERATIONS.filter(({ credential }) => credential === 'enrollmentToken' || credential === 'none').map(
    ({ path }) => path,
  ),
]

export function createRouter(gateway: Gateway): Router<RequestState> {
  const { dashboard } = gateway
  const router = new Router<RequestState>({ sensitive: true, strict: true })
  router.get('/healthz', healthz)
  router.get('/readyz', readyz(gateway))
  router.get('/v1/openapi.json', refuseQuery, openapi())
  router.get('/', (ctx) => ctx.redirect(dashboard && ctx.accepts('json', 'html') === 'html' ? '/app' : '/docs/'))
  if (dashboard) router.get(['/app', '/app/{*path}'], serveDashboard(dashboard, gateway.isEncrypted))
  router.get('/agents/', limitAddress(gateway), refuseQuery, listAgentPackages(gateway))
  router.get('/agents/:file', limitAddress(gateway), refuseQuery, sendAgentPackage(gateway))
  router.get('/clients/', limitAddress(gateway), refuseQuery, listClientPackages(gateway))
  router.get('/clients/:file', limitAddress(gateway), refuseQuery, sendClientPackage(gateway))
  for (const [path, step] of Object.entries(swagger())) router.get(path, step)
  for (const path of ['/agents', '/clients', '/docs', '/docs/openapi'])
    router.get(path, (ctx) => ctx.redirect(`${path}/`))
  for (const [path, target] of Object.entries(USUAL_PATHS)) router.get(path, (ctx) => ctx.redirect(target))
  router.get('/docs/{*path}', serveDocs(gateway.docsDirectory, gateway.publicUrl))
  for (const operation of ALL_OPERATIONS) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    router[operation.method](path, ...operationSteps(operation, gateway))
  }
  return router
}
