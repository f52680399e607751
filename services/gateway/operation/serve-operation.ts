import { selectAccountCaller } from '../authentication/authenticate.ts'
import { requireEnrollmentToken } from '../authentication/require-enrollment-token.ts'
import { requirePermission } from '../authentication/require-permission.ts'
import { requireRecentSignIn } from '../authentication/require-recent-sign-in.ts'
import { getTenant, type RequestContext, type RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { refuseBody } from '../request/no-body.ts'
import { pageQuery, pageToJson } from '../request/page.ts'
import { pathId } from '../request/path-id.ts'
import { refuseQuery } from '../request/query.ts'
import { readJson, readOptionalJson } from '../request/read-json.ts'
import { countUnits, type FoundPage, type Operation } from './operation.ts'
import { isRecorded, recordOperation } from './record-action.ts'
import { resolveFilters, resolveIds } from './resolve-ids.ts'

/** The steps of an operation after `authenticate`. They check its credential first, then its query, body and ids. */
export function operationSteps(operation: Operation, gateway: Gateway): RouteStep[] {
  const { method, credential, tenant, query, body, before } = operation
  return [
    ...(credential === 'enrollmentToken' ? [requireEnrollmentToken(gateway)] : []),
    ...(tenant ? [selectAccountCaller(gateway, tenant)] : []),
    ...(credential && !tenant ? [] : [requirePermission(operation)]),
    ...(query ? [] : [refuseQuery]),
    ...(method === 'post' && !body ? [refuseBody] : []),
    ...(before?.(gateway) ?? []),
    answer(operation, gateway),
  ]
}

function answer(operation: Operation, gateway: Gateway): RouteStep {
  const handle = operation.handle(gateway) as (request: object) => unknown
  const { ids = {}, filterIds = {} } = operation
  const needsRecentSignIn = operation.needsRecentSignIn as ((request: object) => boolean) | undefined
  return async (ctx) => {
    const query = operation.query && pageQuery(ctx, gateway.cursors, operation.query)
    const body = await readBody(operation, ctx)
    const sent = Object.fromEntries(Object.entries(ids).map(([name, what]) => [name, pathId(ctx, what, name)]))
    if (needsRecentSignIn?.({ mode: ctx.state.caller?.mode, body })) requireRecentSignIn(ctx, gateway.clock)
    const run = async () => {
      const pathIds = await resolveIds(gateway, () => getTenant(ctx), ids, sent)
      if (query) query.filters = await resolveFilters(gateway, () => getTenant(ctx), filterIds, query.filters)
      const found = await recordOperation(gateway, operation, ctx, { ids: pathIds, body }, () =>
        handle({
          ctx,
          get tenant() {
            return getTenant(ctx)
          },
          ids: pathIds,
          query,
          body,
        }),
      )
      ctx.status = operation.answer.status
      if (query && isPage(found)) {
        const json = 'json' in found ? found.json : found.data.map((resource) => JSON.stringify(resource))
        ctx.type = 'json'
        ctx.body = pageToJson(json, found.end, query, gateway.cursors)
      } else if (found !== undefined) ctx.body = found
    }
    // A person in the dashboard makes few, and many computers are enrolled at once.
    const isLong = ctx.state.caller?.credential.kind === 'key' && isRecorded(operation, ctx.state)
    await gateway.limitWork(ctx, run, countUnits(operation, query, isLong))
  }
}

const isPage = (found: unknown): found is FoundPage => typeof found === 'object' && found !== null && 'end' in found

async function readBody({ body, bodyIsOptional, bodyIsStreamed }: Operation, ctx: RequestContext): Promise<unknown> {
  if (!body || bodyIsStreamed) return undefined
  return await (bodyIsOptional ? readOptionalJson(ctx, body) : readJson(ctx, body))
}
