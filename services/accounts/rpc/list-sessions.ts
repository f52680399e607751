import type { ListSessionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import {
  getValidityStarts,
  IS_VISIBLE,
  isValidSql,
  SESSION_COLUMNS,
  type Session,
  sessionToProto,
} from '../sessions.ts'

const LISTED_MAX = 1_000

const LIST_SESSIONS = `
SELECT ${SESSION_COLUMNS} FROM accounts.session JOIN accounts.user AS member ON member.id = user_id
WHERE ${IS_VISIBLE} AND ${isValidSql('$2', '$3')}
ORDER BY session.last_used_at DESC, session.id LIMIT ${LISTED_MAX}`

export async function listSessions(accounts: Accounts, { userId }: ListSessionsRequest) {
  const { rows } = await accounts.pool.query<Session>(LIST_SESSIONS, [userId, ...getValidityStarts(accounts)])
  return { sessions: rows.map((row) => sessionToProto(accounts, row)) }
}
