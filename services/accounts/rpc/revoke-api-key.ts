import type { RevokeApiKeyRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { type ApiKey, ApiKeyEntity } from '../entities.ts'
import { nameCreators } from '../name-creators.ts'
import { isId } from '../request-fields.ts'

/**
 * Gateways are not notified. They cache keys for less than 5 s.
 *
 * @throws ApiError `not_found` if the organization has no such key.
 */
export async function revokeApiKey(accounts: Accounts, request: RevokeApiKeyRequest) {
  const { organizationId, apiKeyId, mode, kind, userId } = request
  const em = accounts.orm.em.fork()
  const where = {
    id: apiKeyId,
    organization: organizationId,
    kind: kind as ApiKey['kind'],
    ...(mode && { mode: mode as ApiKey['mode'] }),
    ...(userId !== undefined && { userId }),
  }
  const apiKey = isId(apiKeyId) && isId(organizationId) ? await em.findOne(ApiKeyEntity, where) : null
  if (!apiKey)
    throw new ApiError('not_found', `There is no ${kind === 'print' ? 'print access' : 'API key'} with this id.`)
  // A repeated or concurrent revocation keeps the time of the first one.
  await em.nativeUpdate(ApiKeyEntity, { ...where, revokedAt: null }, { revokedAt: accounts.clock.now() })
  await em.refresh(apiKey)
  const [named] = await nameCreators(em, [apiKey])
  return { apiKey: named }
}
