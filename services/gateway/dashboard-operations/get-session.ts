import { id, timestamp } from '@platen/resources/fields.ts'
import { release } from '@platen/runtime/release.ts'
import { z } from 'zod'
import { getRoles } from '../authentication/require-permission.ts'
import { getRecentUntil } from '../authentication/require-recent-sign-in.ts'
import { ROLES, type Role, type Session } from '../caller.ts'
import { getSession as findSession } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { operation } from '../operation/operation.ts'

export const SESSION = z
  .object({
    id: id(),
    user: z.object({ id: id(), email: z.string() }),
    organizations: z.array(
      z.object({
        id: id(),
        name: z.string(),
        role: z.enum(ROLES),
        /** The `operationId` of each operation that the role is refused. */
        forbiddenOperations: z.object({ live: z.array(z.string()), test: z.array(z.string()) }),
      }),
    ),
    signedInAt: timestamp(),
    /** Until this time operations that need a recent sign-in are permitted. */
    recentUntil: timestamp(),
    /** Changes with the application that is served, which a page should then reload. */
    build: z.string(),
    isEncrypted: z.boolean(),
    /** What the operator has switched on. */
    offers: z.object({ ipp: z.boolean() }),
  })
  .meta({ id: 'Session' })

type SignedIn = z.output<typeof SESSION>

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

export function sessionToJson(
  session: Session,
  { dashboard, ipp, isEncrypted, operations }: Pick<Gateway, 'dashboard' | 'ipp' | 'isEncrypted' | 'operations'>,
): SignedIn {
  const { id, user, memberships, signedInAt } = session
  const listForbidden = (role: Role, mode: string) =>
    operations.filter((one) => !getRoles(one, mode).includes(role)).map(({ operationId }) => operationId)
  return {
    id,
    user,
    organizations: memberships.map(({ organization, role }) => ({
      id: organization.id,
      name: organization.name,
      role,
      forbiddenOperations: { live: listForbidden(role, 'live'), test: listForbidden(role, 'test') },
    })),
    signedInAt: signedInAt.toISOString(),
    recentUntil: getRecentUntil(session).toISOString(),
    build: dashboard?.build ?? release,
    isEncrypted,
    offers: { ipp },
  }
}
