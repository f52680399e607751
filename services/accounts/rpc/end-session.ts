import type { EndSessionRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { IS_VISIBLE } from '../sessions.ts'

const END = `DELETE FROM accounts.session WHERE id = $2 AND ${IS_VISIBLE}`

/**
 * Gateways are not notified. They cache sessions for less than 5 s.
 *
 * @throws ApiError `not_found` also for a session that the user cannot see.
 */
export async function endSession({ pool }: Accounts, { userId, sessionId }: EndSessionRequest) {
  const { rowCount } = await pool.query(END, [userId, sessionId])
  if (rowCount === 0) throw new ApiError('not_found', 'There is no session with this id.')
  return {}
}
