import { create } from '@bufbuild/protobuf'
import {
  type VerifyApiKeyRequest,
  type VerifyApiKeyResponse,
  VerifyApiKeyResponseSchema,
} from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { apiKeyToProto, organizationToProto } from '../accounts-to-proto.ts'
import { ApiKeyEntity } from '../entities.ts'

/**
 * Finds a key by its hash: an index look-up, so its time tells nothing about keys that exist.
 *
 * @throws ApiError `unauthorized` for a key that does not exist.
 */
export async function verifyApiKey(accounts: Accounts, request: VerifyApiKeyRequest): Promise<VerifyApiKeyResponse> {
  const where = { keySha256: request.keySha256 }
  const key = await accounts.orm.em.fork().findOne(ApiKeyEntity, where, { populate: ['organization'] })
  if (!key) throw new ApiError('unauthorized', 'The API key is not valid.')
  return create(VerifyApiKeyResponseSchema, {
    apiKey: apiKeyToProto(key),
    organization: organizationToProto(key.organization),
  })
}
