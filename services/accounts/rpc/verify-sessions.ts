import type { VerifySessionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import {
  getValidityStarts,
  isValidSql,
  MEMBERSHIPS,
  SESSION_COLUMNS,
  type Session,
  sessionToProto,
} from '../sessions.ts'
import { VERIFIED_MAX } from './verify-api-keys.ts'

const FIND_SESSIONS = `
SELECT token_sha256 AS "sessionSha256", ${SESSION_COLUMNS}, ${MEMBERSHIPS} AS memberships
FROM accounts.session JOIN accounts.user AS member ON member.id = user_id
WHERE token_sha256 = ANY ($1::bytea[]) AND ${isValidSql('$2', '$3')}`

/**
 * Finds valid sessions by the hashes of their tokens, and records their use. Like `verifyApiKeys`.
 *
 * @throws ApiError `invalid_request` for no session and for more than 500.
 */
export async function verifySessions(accounts: Accounts, { sessionSha256 }: VerifySessionsRequest) {
  if (sessionSha256.length === 0 || sessionSha256.length > VERIFIED_MAX)
    throw new ApiError('invalid_request', `\`session_sha256\`: must contain 1 to ${VERIFIED_MAX} hashes.`)
  const { rows } = await accounts.pool.query<Session & { sessionSha256: Uint8Array }>({
    name: 'find sessions',
    text: FIND_SESSIONS,
    values: [sessionSha256, ...getValidityStarts(accounts)],
  })
  const now = accounts.clock.now()
  for (const { id } of rows) accounts.lastUses.session.set(id, now)
  return {
    verified: rows.map((row) => ({ sessionSha256: row.sessionSha256, session: sessionToProto(accounts, row) })),
  }
}
