/** The only mapping of accounts to proto. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ApiKeySchema, OrganizationSchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import type { ApiKey, Organization } from './entities.ts'

export function organizationToProto({ id, name, createdAt }: Pick<Organization, 'id' | 'name' | 'createdAt'>) {
  return create(OrganizationSchema, { id, name, createdAt: timestampFromDate(createdAt) })
}

export type KeyFacts = Omit<ApiKey, 'keySha256' | 'organization' | 'createdBy'> & {
  organization: Pick<Organization, 'id'>
  createdBy?: string | null
  createdByEmail?: string | undefined
}

export function apiKeyToProto(key: KeyFacts) {
  return create(ApiKeySchema, {
    id: key.id,
    organizationId: key.organization.id,
    name: key.name,
    prefix: key.prefix,
    lastFour: key.lastFour ?? '',
    mode: key.mode,
    scopes: key.scopes,
    createdAt: timestampFromDate(key.createdAt),
    createdBy: key.createdBy ?? '',
    createdByEmail: key.createdByEmail ?? '',
    lastUsedAt: timestampOrNone(key.lastUsedAt),
    revokedAt: timestampOrNone(key.revokedAt),
  })
}
