/** The only mapping of accounts to proto. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  ApiKeySchema,
  InvitationSchema,
  MemberSchema,
  OrganizationSchema,
} from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import type { ApiKey, Invitation, Membership, Organization, User } from './entities.ts'

export function organizationToProto({
  id,
  name,
  createdAt,
  suspendedAt,
  deletedAt,
  discardsDocuments,
}: Pick<Organization, 'id' | 'name' | 'createdAt' | 'discardsDocuments'> & {
  suspendedAt?: unknown
  deletedAt?: Date | null
}) {
  return create(OrganizationSchema, {
    id,
    name,
    createdAt: timestampFromDate(createdAt),
    isSuspended: Boolean(suspendedAt),
    deletedAt: timestampOrNone(deletedAt),
    discardsDocuments,
  })
}

/** @param membership with its user. */
export function memberToProto({ user, role, createdAt }: Pick<Membership, 'role' | 'createdAt'> & { user: User }) {
  return create(MemberSchema, {
    userId: user.id,
    email: user.email,
    role,
    createdAt: timestampFromDate(createdAt),
    lastSignInAt: timestampOrNone(user.lastSignInAt),
  })
}

/** @param invitation with its organization. */
export function invitationToProto({
  organization,
  createdAt,
  expiresAt,
  ...facts
}: Pick<Invitation, 'id' | 'email' | 'role' | 'invitedBy' | 'createdAt' | 'expiresAt'> & {
  organization: Organization
}) {
  const { id, email, role, invitedBy } = facts
  return create(InvitationSchema, {
    ...{ id, email, role, invitedBy },
    organization: organizationToProto(organization),
    createdAt: timestampFromDate(createdAt),
    expiresAt: timestampFromDate(expiresAt),
  })
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
    expiresAt: timestampOrNone(key.expiresAt),
    revokedAt: timestampOrNone(key.revokedAt),
  })
}
