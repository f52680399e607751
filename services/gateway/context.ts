/** What the steps of a request pass to the next steps. */
import type { RouterContext } from '@koa/router'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import type { Middleware } from 'koa'
import type { Caller, Role, Session } from './caller.ts'
import type { BodyHash } from './idempotency/body-hash.ts'

export interface RequestState {
  requestId: string
  /** Set by `authenticate` for a key, and by `selectCaller` for a session, on every path below `/v1`. */
  caller?: Caller
  /** Set by `authenticate`, if the credential is a session. */
  session?: Session
  /** Set by `authenticate`, for requests that wait. @throws ApiError if the credential is no longer valid. */
  authenticateAgain?: () => Promise<void>
  /** Set by `requireEnrollmentToken`. */
  enrollment?: { id: string; token: string; organizationId: string }
  /** Set by `oncePerKey`. `isSubmitted` before the call to jobs, which then decides about the key. */
  idempotency?: { key: string; bodyHash: BodyHash; isSubmitted: boolean }
  /** Set if the response is an error. */
  errorCode?: ErrorCode | 'client_aborted'
  /** Likewise, of the response. */
  errorMessage?: string
}

export type RequestContext = RouterContext<RequestState>
/** A step of every request. */
export type Step = Middleware<RequestState>
/** A step of a route. */
export type RouteStep = (ctx: RequestContext, next: () => Promise<unknown>) => unknown

/** @throws ApiError `unauthorized` on a path without a key, so that a new route is closed by default. */
export function getCaller(ctx: { state: RequestState }): Caller {
  if (!ctx.state.caller) throw new ApiError('unauthorized', 'This needs an API key.')
  return ctx.state.caller
}

/** The data that a request can access. */
export interface Tenant {
  organizationId: string
  mode: string
}

/** @throws ApiError `unauthorized` */
export function getSession(ctx: { state: RequestState }): Session {
  if (!ctx.state.session) throw new ApiError('unauthorized', 'This needs a session. Sign in to the dashboard.')
  return ctx.state.session
}

/** The role of the session of an operation that takes no keys. */
export function getRole(ctx: { state: RequestState }): Role {
  const { credential } = getCaller(ctx)
  if (credential.kind !== 'session') throw new Error('the operation is for sessions alone')
  return credential.role
}

/** Limits every look-up to the organization and mode of the caller. */
export function getTenant(ctx: { state: RequestState }): Tenant {
  const { organization, mode } = getCaller(ctx)
  return { organizationId: organization.id, mode }
}
