import type { EndSessionRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { SessionEntity } from '../entities.ts'

/**
 * Gateways are not notified. They cache sessions for less than 5 s.
 *
 * @throws ApiError `not_found` also for a session of another user.
 */
export async function endSession({ orm }: Accounts, { userId, sessionId }: EndSessionRequest) {
  const ended = await orm.em.fork().nativeDelete(SessionEntity, { id: sessionId, user: userId })
  if (ended === 0) throw new ApiError('not_found', 'There is no session with this id.')
  return {}
}
