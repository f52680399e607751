import { LockMode } from '@mikro-orm/core'
import type { RemoveUserRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import {
  ApiKeyEntity,
  InvitationEntity,
  KnownBrowserEntity,
  MembershipEntity,
  SessionEntity,
  UserEntity,
} from '../entities.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({ email: fields.email })

/**
 * Removes a user from all organizations and ends the sessions and print accesses. The API keys that the user created
 * stay valid.
 *
 * @throws ApiError `invalid_request`; `not_found` for an address without a user.
 */
export async function removeUser({ orm, clock }: Accounts, request: RemoveUserRequest) {
  const { email } = fields.parseRequest(REQUEST, request)
  return await orm.em.fork().transactional(async (em) => {
    const user = await em.findOne(UserEntity, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!user) throw new ApiError('not_found', 'There is no user with this address.')
    await em.nativeDelete(MembershipEntity, { user })
    await em.nativeUpdate(ApiKeyEntity, { userId: user.id, revokedAt: null }, { revokedAt: clock.now() })
    await em.nativeDelete(SessionEntity, { user })
    await em.nativeDelete(KnownBrowserEntity, { user })
    await em.nativeDelete(InvitationEntity, { email })
    em.remove(user)
    return { userId: user.id }
  })
}
