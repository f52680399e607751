import type { Clock } from '@platen/runtime/clock.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Session } from '../caller.ts'
import { getCaller, type RequestContext } from '../context.ts'

/**
 * Operations whose effect outlives the session need a code that is not older
 * (docs/reference/sessions.md#recent-sign-in).
 */
const RECENT_MS = 60 * 60_000

export const getRecentUntil = ({ signedInAt }: Pick<Session, 'signedInAt'>): Date =>
  new Date(signedInAt.getTime() + RECENT_MS)

/** Does nothing for API keys. @throws ApiError `recent_sign_in_required` */
export function requireRecentSignIn(ctx: RequestContext, clock: Clock): void {
  const { credential } = getCaller(ctx)
  if (credential.kind === 'session' && clock.now() >= getRecentUntil(credential))
    throw new ApiError('recent_sign_in_required', 'Your last sign-in was more than one hour ago. Sign in again first.')
}
