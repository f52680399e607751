import { id, timestamp } from '@platen/resources/fields.ts'
import { release } from '@platen/runtime/release.ts'
import { z } from 'zod'
import { ROLES, type Session } from '../caller.ts'
import { getSession as findSession } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { operation } from '../operation.ts'

/** How long operations that can hand over an organization need no new code. */
const RECENT_MS = 60 * 60_000

export const SESSION = z.object({
  id: id(),
  user: z.object({ id: id(), email: z.string() }),
  organizations: z.array(z.object({ id: id(), name: z.string(), role: z.enum(ROLES) })),
  signedInAt: timestamp(),
  /** Until this time operations that need a recent sign-in are permitted. */
  recentUntil: timestamp(),
  /** Changes with the application, which a page should then reload. */
  build: z.string(),
  isEncrypted: z.boolean(),
})

export type SignedIn = z.output<typeof SESSION>

export const getSession = operation({
  operationId: 'getSession',
  method: 'get',
  path: '/account/session',
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'Read the session',
  description: 'The user, the organizations and the roles.',
  answer: { status: 200, description: 'The session.', schema: SESSION },
  handle:
    (gateway) =>
    ({ ctx }) =>
      sessionToJson(findSession(ctx), gateway),
})

export function sessionToJson(session: Session, { isEncrypted }: Pick<Gateway, 'isEncrypted'>): SignedIn {
  const { id, user, memberships, signedInAt } = session
  return {
    id,
    user,
    organizations: memberships.map(({ organization, role }) => ({
      id: organization.id,
      name: organization.name,
      role,
    })),
    signedInAt: signedInAt.toISOString(),
    recentUntil: new Date(signedInAt.getTime() + RECENT_MS).toISOString(),
    build: release,
    isEncrypted,
  }
}
