import type { VerifyApiKeysRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { apiKeyToProto, organizationToProto } from '../accounts-to-proto.ts'
import type { ApiKey, Organization } from '../entities.ts'

interface Row
  extends Pick<
    ApiKey,
    | 'id'
    | 'name'
    | 'prefix'
    | 'lastFour'
    | 'mode'
    | 'scopes'
    | 'createdAt'
    | 'lastUsedAt'
    | 'expiresAt'
    | 'kind'
    | 'printerIds'
    | 'userId'
  > {
  keySha256: Uint8Array
  organizationId: Organization['id']
  organizationName: Organization['name']
  organizationCreatedAt: Organization['createdAt']
  suspendedAt: Organization['suspendedAt']
  discardsDocuments: Organization['discardsDocuments']
  allowsPrintAccess: Organization['allowsPrintAccess']
}

/** Keys per call. */
export const VERIFIED_MAX = 500

const FIND_KEYS = `
SELECT api_key.id, api_key.name, prefix, last_four AS "lastFour", mode, scopes, api_key.created_at AS "createdAt",
  last_used_at AS "lastUsedAt", expires_at AS "expiresAt", key_sha256 AS "keySha256",
  kind, printer_ids::text[] AS "printerIds", user_id AS "userId",
  organization.id AS "organizationId", organization.name AS "organizationName",
  organization.created_at AS "organizationCreatedAt", suspended_at AS "suspendedAt",
  discards_documents AS "discardsDocuments", allows_print_access AS "allowsPrintAccess"
FROM accounts.api_key JOIN accounts.organization ON organization.id = organization_id
WHERE key_sha256 = ANY ($1::bytea[]) AND (revoked_at IS NULL OR revoked_at = expires_at)`

/**
 * Finds valid and expired keys by their hashes and records their use, so that the program that still sends an expired
 * key is noticed. An index lookup by hash does not reveal existing keys by its timing. One prepared statement finds all
 * keys, because each gateway verifies each used key every few seconds, and possibly many forged ones.
 *
 * @throws ApiError `invalid_request` for no key and for more than 500 keys.
 */
export async function verifyApiKeys(
  { pool, clock, lastUses }: Pick<Accounts, 'pool' | 'clock' | 'lastUses'>,
  { keySha256 }: VerifyApiKeysRequest,
) {
  if (keySha256.length === 0 || keySha256.length > VERIFIED_MAX)
    throw new ApiError('invalid_request', `\`key_sha256\`: must contain 1 to ${VERIFIED_MAX} hashes.`)
  const { rows } = await pool.query<Row>({ name: 'find keys', text: FIND_KEYS, values: [keySha256] })
  const now = clock.now()
  for (const { id } of rows) lastUses.api_key.set(id, now)
  return {
    verified: rows.map((row) => {
      const { organizationId: id, organizationName: name, organizationCreatedAt: createdAt } = row
      const { suspendedAt, discardsDocuments, allowsPrintAccess } = row
      const organization = { id, name, createdAt, suspendedAt, discardsDocuments, allowsPrintAccess }
      return {
        keySha256: row.keySha256,
        apiKey: apiKeyToProto({ ...row, organization, revokedAt: null }),
        organization: organizationToProto(organization),
      }
    }),
  }
}
