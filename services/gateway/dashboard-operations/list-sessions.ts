import { id, timestamp } from '@platen/resources/fields.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'

const LISTED_SESSIONS = z.object({
  data: z.array(
    z
      .object({
        id: id(),
        /** "Firefox on Linux". */
        browser: z.string(),
        /** The address of the sign-in. */
        ip: z.string(),
        createdAt: timestamp(),
        lastUsedAt: timestamp(),
        isCurrent: z.boolean(),
      })
      .meta({ id: 'OpenSession' }),
  ),
})

export const listSessions = operation({
  operationId: 'listSessions',
  method: 'get',
  path: '/account/sessions',
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'List sessions',
  description: 'The sessions of the user, the last used first.',
  answer: { status: 200, description: 'The sessions.', schema: LISTED_SESSIONS },
  handle:
    ({ accounts }) =>
    async ({ ctx }) => {
      const current = getSession(ctx)
      const { sessions } = await accounts.listSessions({ userId: current.user.id })
      return {
        data: sessions.map(({ id, browser, createdAt, lastUsedAt }) => ({
          id,
          browser: browser?.name ?? '',
          ip: browser?.ip ?? '',
          createdAt: timestampToJson(createdAt),
          lastUsedAt: timestampToJson(lastUsedAt),
          isCurrent: id === current.id,
        })),
      }
    },
})
