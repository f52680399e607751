/** What the steps of a request learn and hand on to the next ones. */
import type { RouterContext } from '@koa/router'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import type { Middleware } from 'koa'
import type { Caller } from './authentication/api-keys.ts'
import type { BodyHash } from './idempotency/body-hash.ts'

export interface RequestState {
  requestId: string
  /** Set by `authenticate`: on every path below `/v1`. */
  caller?: Caller
  /** Set by `requireEnrollmentToken`. */
  enrollment?: { token: string; organizationId: string }
  /** Set by `oncePerKey`; `isAsked` once jobs is asked, which then decides about the key. */
  idempotency?: { key: string; bodyHash: BodyHash; isAsked: boolean }
  /** Set when the answer is an error. */
  errorCode?: ErrorCode | 'client_aborted'
}

export type RequestContext = RouterContext<RequestState>
/** A step that every request takes. */
export type Step = Middleware<RequestState>
/** A step of a route. */
export type RouteStep = (ctx: RequestContext, next: () => Promise<unknown>) => unknown

/** @throws ApiError `unauthorized` for a route that lies outside of what `authenticate` guards: closed by default. */
export function callerOf(ctx: { state: RequestState }): Caller {
  if (!ctx.state.caller) throw new ApiError('unauthorized', 'This needs an API key.')
  return ctx.state.caller
}

/** Whose data a request reaches. */
export interface Tenant {
  organizationId: string
  mode: string
}

/** Every look-up is limited to what the caller's key may see. */
export function tenantOf(ctx: { state: RequestState }): Tenant {
  const { organization, apiKey } = callerOf(ctx)
  return { organizationId: organization.id, mode: apiKey.mode }
}
