/**
 * The interface for programs that speak to PrintNode: docs/printnode.md. Off by default. It is a step of every request,
 * before those of the API, because its keys, errors and responses have other forms. It calls the same services as
 * `/v1`.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import { type ApiKeys, ExpiredKey } from '../authentication/api-keys.ts'
import { getCredentialId } from '../caller.ts'
import { getTenant, type RequestContext, type Step } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { countRequest } from '../rate-limit/limit-rate.ts'
import { isManagement, refuseChildAccount } from './paths/absent.ts'
import { readKey, unknownKey } from './read-key.ts'
import type { Route } from './route.ts'
import { ROUTES } from './routes.ts'
import { writeAnswer, writeError } from './write-answer.ts'

/** The first parts of all paths. */
const ROOTS = new Set(ROUTES.flatMap(({ paths }) => paths.map((path) => path.split('/')[0])))

// `/printjobs/` and `/computers//printers/33` are sent as well.
const splitPath = (path: string) => path.split('/').filter((part) => part !== '')

const isOwnPath = (parts: string[]) => ROOTS.has(parts[0]) || isManagement(parts.join('/'))

/** The step while the interface is off: its programs can show only errors in their own form. */
export function refusePrintNode(gateway: Pick<Gateway, 'log'>): Step {
  const text =
    'The interface for PrintNode is off. The operator of this service switches it on with PLATEN_PRINTNODE_API=on. The paths of its own API begin with /v1.'
  return async (ctx, next) => {
    if (isOwnPath(splitPath(ctx.path))) writeError(ctx as RequestContext, gateway, new ApiError('not_found', text))
    else await next()
  }
}

/** @param host of the interface in lower case; undefined for all hosts. */
export function servePrintNode(gateway: Gateway, apiKeys: ApiKeys, host: string | undefined): Step {
  const handlers = new Map(ROUTES.map((route) => [route, route.handle(gateway)]))

  async function identify(ctx: RequestContext): Promise<void> {
    const key = readKey(ctx.req)
    ctx.state.caller = await gateway
      .delayWrongCredentials(ctx.req, () => apiKeys.find(key))
      .catch((error: unknown) => {
        throw isUnknownKey(error) ? unknownKey() : error
      })
  }

  async function limitRate(ctx: RequestContext): Promise<void> {
    const { caller } = ctx.state
    if (!caller) throw unknownKey()
    // The libraries read twice for each print.
    const id = `${getCredentialId(caller)}${ctx.method === 'GET' ? '/reads' : ''}`
    await countRequest(gateway.rateLimiter, ctx, { kind: 'key', id, organizationId: caller.organization.id })
  }

  async function answer(ctx: RequestContext, parts: string[]): Promise<void> {
    await identify(ctx)
    await limitRate(ctx)
    refuseChildAccount(ctx)
    const found = findRoute(ctx.method, parts)
    if (!found) throw new ApiError('not_found', 'Platen does not have this request of the API of PrintNode.')
    const { route, path, sets } = found
    ctx._matchedRoute = `/${path} (PrintNode)`
    requireScope(ctx, route)
    const run = async () => {
      const json = await handlers.get(route)?.({ ctx, tenant: getTenant(ctx), parts: sets })
      writeAnswer(ctx, route.method === 'POST' ? 201 : 200, json)
    }
    await gateway.limitWork(ctx, run, route.units)
  }

  return async (ctx, next) => {
    const parts = splitPath(ctx.path)
    const isHere = host === undefined ? isOwnPath(parts) : ctx.hostname.toLowerCase() === host
    if (!isHere) return await next()
    try {
      await answer(ctx as RequestContext, parts)
    } catch (error) {
      writeError(ctx as RequestContext, gateway, error)
    }
  }
}

const isUnknownKey = (error: unknown) =>
  error instanceof ApiError && error.code === 'unauthorized' && !(error instanceof ExpiredKey)

function findRoute(method: string, parts: string[]) {
  for (const route of ROUTES) {
    if (route.method !== (method === 'HEAD' ? 'GET' : method)) continue
    for (const path of route.paths) {
      const pattern = path.split('/')
      if (pattern.length !== parts.length) continue
      if (!pattern.every((part, n) => part === '{}' || part === parts[n])) continue
      return { route, path, sets: parts.filter((_, n) => pattern[n] === '{}').map(decode) }
    }
  }
  return undefined
}

/** A malformed escape is no set of ids. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function requireScope(ctx: RequestContext, { scope }: Route): void {
  const { credential } = ctx.state.caller ?? {}
  const scopes = credential?.kind === 'key' ? credential.apiKey.scopes : []
  if (scope === null || scopes.some((one) => one === scope || one === 'admin')) return
  throw new ApiError('insufficient_scope', `This needs an API key with the scope ${scope}.`)
}
