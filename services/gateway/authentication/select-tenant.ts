/** The organization and the mode of a session request. Reference: docs/reference/sessions.md#requests. */
import { ApiError } from '@platen/runtime/errors.ts'
import type { Context } from 'koa'
import { type Caller, findMemberships, MODES, requireActive, type Session } from '../caller.ts'

/**
 * @throws ApiError `invalid_request` without a mode or, if the user has several, without an organization; `forbidden`
 *   for an organization of others; `unauthorized` if the organization requires a new sign-in; `organization_suspended`.
 */
export function selectTenant(ctx: Pick<Context, 'get'>, session: Session, mode = selectMode(ctx)): Caller {
  const { organization, role } = selectMembership(ctx, session)
  const { id, user, signedInAt } = session
  return { organization, mode, credential: { kind: 'session', id, user, role, signedInAt } }
}

export function selectMode(ctx: Pick<Context, 'get'>): string {
  const mode = ctx.get('Platen-Mode')
  if (!MODES.some((one) => one === mode))
    throw new ApiError(
      'invalid_request',
      'Send the header `Platen-Mode: live` or `Platen-Mode: test` with a session.',
      { param: 'Platen-Mode' },
    )
  return mode
}

function selectMembership(ctx: Pick<Context, 'get'>, session: Session): Session['memberships'][number] {
  const [found, other] = findMemberships(ctx, session)
  if (other)
    throw new ApiError(
      'invalid_request',
      'You belong to several organizations. Send the header `Platen-Organization` with the id of one of them.',
      { param: 'Platen-Organization' },
    )
  if (!found) throw new ApiError('forbidden', 'You are not a member of this organization. Ask one of its owners.')
  if (found.signInRequired)
    throw new ApiError('unauthorized', 'An owner of this organization requires a new sign-in. Sign in again.')
  requireActive(found.organization)
  return found
}
