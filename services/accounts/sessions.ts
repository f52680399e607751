/** The sessions of users. Reference: docs/reference/sessions.md. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { SessionSchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Accounts } from './accounts.ts'
import { organizationToProto } from './accounts-to-proto.ts'

export interface Session {
  id: string
  userId: string
  email: string
  browser: string
  ip: string
  createdAt: Date
  lastUsedAt: Date
  /** Created by `MEMBERSHIPS`. */
  memberships?: {
    id: string
    name: string
    createdAt: string
    suspendedAt: string | null
    discardsDocuments: boolean
    allowsPrintAccess: boolean
    role: string
    signInRequired: boolean
  }[]
}

/** SQL: the fields of `Session`, of a `session` joined with its `member`. */
export const SESSION_COLUMNS = `
  session.id, session.user_id AS "userId", member.email, browser, ip, session.created_at AS "createdAt",
  session.last_used_at AS "lastUsedAt"`

/** SQL: the organizations of the user of `session`, the first one first. */
export const MEMBERSHIPS = `
  COALESCE((
    SELECT json_agg(json_build_object('id', organization.id, 'name', name, 'createdAt', organization.created_at,
      'suspendedAt', suspended_at, 'discardsDocuments', discards_documents,
      'allowsPrintAccess', allows_print_access, 'role', role,
      'signInRequired', COALESCE(sign_in_after > session.created_at, false))
      ORDER BY membership.created_at, organization.id)
    FROM accounts.membership JOIN accounts.organization ON organization.id = organization_id
    WHERE membership.user_id = session.user_id
  ), '[]')`

/** SQL: whether a session has not ended by time. */
export const isValidSql = (createdAfter: string, usedAfter: string) =>
  `(session.created_at > ${createdAfter} AND session.last_used_at > ${usedAfter})`

/** The values of `isValidSql`. */
export function getValidityStarts({
  clock,
  sessionMs,
  sessionIdleMs,
}: Accounts): [createdAfter: Date, usedAfter: Date] {
  const now = clock.now().getTime()
  return [new Date(now - sessionMs), new Date(now - sessionIdleMs)]
}

export function sessionToProto({ sessionMs }: Pick<Accounts, 'sessionMs'>, session: Session) {
  const { browser, ip, createdAt, memberships = [] } = session
  return rowToMessage(SessionSchema, session, {
    browser: { name: browser, ip },
    expiresAt: timestampFromDate(new Date(createdAt.getTime() + sessionMs)),
    memberships: memberships.map(({ role, signInRequired, ...organization }) => ({
      role,
      signInRequired,
      organization: organizationToProto({ ...organization, createdAt: new Date(organization.createdAt) }),
    })),
  })
}
