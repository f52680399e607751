import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'
import { endSessionById } from './end-session.ts'

export const signOut = operation({
  operationId: 'signOut',
  method: 'delete',
  path: '/account/session',
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'Sign out',
  description: 'Ends the session. The browser stays known.',
  answer: { status: 204, description: 'The session has ended.' },
  handle:
    (gateway) =>
    async ({ ctx }) => {
      await endSessionById(gateway, ctx, getSession(ctx).id)
    },
})
