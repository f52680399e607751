import { create } from '@bufbuild/protobuf'
import {
  type VerifyApiKeyRequest,
  type VerifyApiKeyResponse,
  VerifyApiKeyResponseSchema,
} from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { apiKeyToProto, organizationToProto } from '../accounts-to-proto.ts'
import type { ApiKey, Organization } from '../entities.ts'

interface Row extends Pick<ApiKey, 'id' | 'name' | 'prefix' | 'mode' | 'scopes' | 'createdAt'> {
  organizationId: Organization['id']
  organizationName: Organization['name']
  organizationCreatedAt: Organization['createdAt']
}

const FIND_KEY = `
SELECT api_key.id, api_key.name, prefix, mode, scopes, api_key.created_at AS "createdAt",
  organization.id AS "organizationId", organization.name AS "organizationName", organization.created_at AS "organizationCreatedAt"
FROM accounts.api_key JOIN accounts.organization ON organization.id = organization_id WHERE key_sha256 = $1`

/**
 * Finds a key by its hash: an index look-up, so its time tells nothing about keys that exist. By one prepared statement, since
 * every gateway asks for every key that is in use every few seconds.
 *
 * @throws ApiError `unauthorized` for a key that does not exist.
 */
export async function verifyApiKey(accounts: Accounts, request: VerifyApiKeyRequest): Promise<VerifyApiKeyResponse> {
  const { rows } = await accounts.pool.query<Row>({ name: 'find key', text: FIND_KEY, values: [request.keySha256] })
  const key = rows[0]
  if (!key) throw new ApiError('unauthorized', 'The API key is not valid.')
  const organization = { id: key.organizationId, name: key.organizationName, createdAt: key.organizationCreatedAt }
  return create(VerifyApiKeyResponseSchema, {
    apiKey: apiKeyToProto({ ...key, organization }),
    organization: organizationToProto(organization),
  })
}
