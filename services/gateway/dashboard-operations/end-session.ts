import { deleteCachedSession } from '../authentication/sessions.ts'
import { getSession, type RequestContext } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { operation } from '../operation/operation.ts'

export const endSession = operation({
  operationId: 'endSession',
  method: 'delete',
  path: '/account/sessions/{id}',
  ids: { id: 'session' },
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'End a session',
  description: 'Ends a session of the user within 5 s.',
  answer: { status: 204, description: 'The session has ended.' },
  handle:
    (gateway) =>
    async ({ ctx, ids }) => {
      await endSessionById(gateway, ctx, ids.id)
    },
})

/** The current session also leaves the browser, and this gateway at once. @throws ApiError `not_found` */
export async function endSessionById(gateway: Gateway, ctx: RequestContext, sessionId: string): Promise<void> {
  const { id, user } = getSession(ctx)
  await gateway.accounts.endSession({ userId: user.id, sessionId })
  if (sessionId !== id) return
  deleteCachedSession(gateway, ctx)
  gateway.cookies.session.delete(ctx)
}
