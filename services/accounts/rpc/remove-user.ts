import type { RemoveUserRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({ email: fields.email })

const REMOVE = `
WITH removed AS (DELETE FROM accounts.user WHERE email = $1 RETURNING id),
membership AS (DELETE FROM accounts.membership USING removed WHERE user_id = removed.id),
session AS (DELETE FROM accounts.session USING removed WHERE user_id = removed.id),
known_browser AS (DELETE FROM accounts.known_browser USING removed WHERE user_id = removed.id)
SELECT id FROM removed`

/**
 * Removes a user from all organizations and ends the sessions. The API keys that the user created stay valid.
 *
 * @throws ApiError `invalid_request`; `not_found` for an address without a user.
 */
export async function removeUser({ pool }: Accounts, request: RemoveUserRequest) {
  const { email } = fields.parseRequest(REQUEST, request)
  const { rows } = await pool.query<{ id: string }>(REMOVE, [email])
  if (!rows[0]) throw noUser()
  return { userId: rows[0].id }
}

export const noUser = () => new ApiError('not_found', 'There is no user with this address.')
