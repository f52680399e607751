import { raw } from '@mikro-orm/core'
import type { ListApiKeysRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { type ApiKey, ApiKeyEntity } from '../entities.ts'
import { findOrganization } from '../find-organization.ts'
import { nameCreators } from '../name-creators.ts'

/** Twice the maximum of valid keys, which are first in the list. */
const LISTED_MAX = 1_000

/** @throws ApiError `not_found` if the organization does not exist. */
export async function listApiKeys(accounts: Accounts, { organizationId, mode, kind, userId }: ListApiKeysRequest) {
  const em = accounts.orm.em.fork()
  const organization = await findOrganization(em, organizationId)
  const apiKeys = await em.find(
    ApiKeyEntity,
    {
      organization,
      kind: kind as ApiKey['kind'],
      ...(mode && { mode: mode as ApiKey['mode'] }),
      ...(userId !== undefined && { userId }),
    },
    { orderBy: [{ [raw('revoked_at IS NOT NULL')]: 'asc' }, { id: 'desc' }], limit: LISTED_MAX },
  )
  return { apiKeys: await nameCreators(em, apiKeys) }
}
