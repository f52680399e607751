import type { GetApiKeyRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { apiKeyToProto } from '../accounts-to-proto.ts'
import { ApiKeyEntity } from '../entities.ts'
import { isId } from '../request-fields.ts'

/** @throws ApiError `not_found`. */
export async function getApiKey(accounts: Accounts, { apiKeyId }: GetApiKeyRequest) {
  const apiKey = isId(apiKeyId) ? await accounts.orm.em.fork().findOne(ApiKeyEntity, apiKeyId) : null
  if (!apiKey) throw new ApiError('not_found', 'There is no API key with this id.')
  return { apiKey: apiKeyToProto(apiKey) }
}
