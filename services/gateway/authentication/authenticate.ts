import { ApiError } from '@platen/runtime/errors.ts'
import { getSession, type RequestState, type RouteStep, type Step } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { ApiKeys } from './api-keys.ts'
import { readCredential } from './credentials.ts'
import { selectMode, selectTenant } from './select-tenant.ts'

const MISSING =
  'No API key was sent. Send `Authorization: Bearer <API_KEY>`, or HTTP Basic with the key as the user name.'

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`)

/**
 * Requires a valid credential for every path below `/v1` and `/account`, also for the response that a path does not
 * exist. With `Authorization` it is an API key, otherwise the session of the cookie. Paths below `/account` accept only
 * sessions.
 *
 * @param publicPaths that need neither.
 */
export function authenticate(
  { sessions, cookies, delayWrongCredentials }: Pick<Gateway, 'sessions' | 'cookies' | 'delayWrongCredentials'>,
  apiKeys: ApiKeys,
  publicPaths: readonly string[],
): Step {
  return async (ctx, next) => {
    const isAccount = isBelow(ctx.path, '/account')
    if ((!isAccount && !isBelow(ctx.path, '/v1')) || publicPaths.includes(ctx.path)) return await next()

    const identify = async (): Promise<Pick<RequestState, 'caller' | 'session'>> => {
      const sha256 = ctx.headers.authorization === undefined ? cookies.session.read(ctx) : undefined
      if (sha256) return { session: await delayWrongCredentials(ctx.req, () => sessions.find(sha256)) }
      if (isAccount) throw new ApiError('unauthorized', 'This needs a session. Sign in to the dashboard.')
      const key = readCredential(ctx.req, MISSING)
      return { caller: await delayWrongCredentials(ctx.req, () => apiKeys.find(key)) }
    }
    Object.assign(ctx.state, await identify())
    ctx.state.authenticateAgain = async () => {
      const { session } = await identify()
      if (session) selectTenant(ctx, session)
    }
    await next()
  }
}

/** Sets the caller of a session request below `/v1`, whose headers name the mode and the organization. */
export function selectCaller({ recordEntry }: Pick<Gateway, 'recordEntry'>): Step {
  return async (ctx, next) => {
    if (ctx.state.session && isBelow(ctx.path, '/v1')) {
      ctx.state.caller = selectTenant(ctx, ctx.state.session)
      await recordEntry(ctx, ctx.state.caller)
    }
    await next()
  }
}

/**
 * Sets the caller of an operation below `/account` that is about an organization. Without a mode, its `mode` is empty.
 */
export function selectAccountCaller(
  { recordEntry }: Pick<Gateway, 'recordEntry'>,
  tenant: 'organization' | 'mode',
): RouteStep {
  return async (ctx, next) => {
    ctx.state.caller = selectTenant(ctx, getSession(ctx), tenant === 'mode' ? selectMode(ctx) : '')
    await recordEntry(ctx, ctx.state.caller)
    await next()
  }
}
