import { create } from '@bufbuild/protobuf'
import {
  type CreateApiKeyRequest,
  type CreateApiKeyResponse,
  CreateApiKeyResponseSchema,
} from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { apiKeyToProto } from '../accounts-to-proto.ts'
import { apiKeyPrefix, hashApiKey, makeApiKey } from '../api-key.ts'
import { ApiKeyEntity, OrganizationEntity } from '../entities.ts'

const REQUEST = z.object({
  organizationId: z.uuid(),
  name: z.string().min(1),
  mode: z.enum(['live', 'test']),
  scopes: z.array(z.enum(['read', 'print', 'admin'])).min(1),
})

/**
 * Makes a key and forgets it: only its SHA-256 is stored, so this answer is the only one that has it.
 *
 * @throws ApiError `invalid_request`; `not_found` when there is no such organization.
 */
export async function createApiKey(accounts: Accounts, request: CreateApiKeyRequest): Promise<CreateApiKeyResponse> {
  const parsed = REQUEST.safeParse(request)
  if (!parsed.success) throw new ApiError('invalid_request', z.prettifyError(parsed.error))
  const { organizationId, name, mode, scopes } = parsed.data
  const em = accounts.orm.em.fork()
  const organization = await em.findOne(OrganizationEntity, organizationId)
  if (!organization) throw new ApiError('not_found', 'There is no organization with this id.')
  const key = makeApiKey(mode)
  const apiKey = em.create(ApiKeyEntity, {
    id: uuidv7(),
    organization,
    name,
    mode,
    scopes,
    keySha256: hashApiKey(key),
    prefix: apiKeyPrefix(key),
    createdAt: accounts.clock.now(),
  })
  await em.flush()
  return create(CreateApiKeyResponseSchema, { apiKey: apiKeyToProto(apiKey), key })
}
