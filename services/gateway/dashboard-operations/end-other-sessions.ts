import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'

export const endOtherSessions = operation({
  operationId: 'endOtherSessions',
  method: 'delete',
  path: '/account/sessions',
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'End all other sessions',
  description: 'Ends all other sessions of the user within 5 s. Their browsers are no longer known.',
  answer: { status: 204, description: 'The other sessions have ended.' },
  handle:
    ({ accounts }) =>
    async ({ ctx }) => {
      const { id, user } = getSession(ctx)
      await accounts.endOtherSessions({ userId: user.id, keptSessionId: id })
    },
})
