import type { EndOtherSessionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'

/** The other browsers are no longer known, because one of them may be stolen. */
const END_OTHERS = `
WITH ended AS (DELETE FROM accounts.session WHERE user_id = $1 AND id <> $2)
DELETE FROM accounts.known_browser WHERE user_id = $1
  AND token_sha256 NOT IN (SELECT known_browser_sha256 FROM accounts.session WHERE id = $2)`

export async function endOtherSessions({ pool }: Accounts, { userId, keptSessionId }: EndOtherSessionsRequest) {
  await pool.query(END_OTHERS, [userId, keptSessionId])
  return {}
}
