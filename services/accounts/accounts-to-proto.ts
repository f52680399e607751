/** The only mapping of accounts to proto. */
import {
  ApiKeySchema,
  InvitationSchema,
  MemberSchema,
  OrganizationSchema,
} from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { ApiKey, Invitation, Membership, Organization, User } from './entities.ts'

type OrganizationFacts = Pick<Organization, 'id' | 'name' | 'createdAt' | 'discardsDocuments' | 'allowsPrintAccess'> & {
  suspendedAt?: unknown
  deletedAt?: Date | null
}

export const organizationToProto = (organization: OrganizationFacts) =>
  rowToMessage(
    OrganizationSchema,
    { deletedAt: null, ...organization },
    { isSuspended: Boolean(organization.suspendedAt) },
  )

/** @param membership with its user. */
export const memberToProto = ({ user, ...membership }: Pick<Membership, 'role' | 'createdAt'> & { user: User }) =>
  rowToMessage(MemberSchema, { ...membership, email: user.email, lastSignInAt: user.lastSignInAt }, { userId: user.id })

type InvitationFacts = Pick<Invitation, 'id' | 'email' | 'role' | 'invitedBy' | 'createdAt' | 'expiresAt'> & {
  organization: Organization
}

/** @param invitation with its organization. */
export const invitationToProto = (invitation: InvitationFacts) =>
  rowToMessage(InvitationSchema, invitation, { organization: organizationToProto(invitation.organization) })

export type KeyFacts = Omit<ApiKey, 'keySha256' | 'organization' | 'createdBy'> & {
  organization: Pick<Organization, 'id'>
  createdBy?: string | null
  createdByEmail?: string | undefined
  userEmail?: string | undefined
}

export const apiKeyToProto = (key: KeyFacts) =>
  rowToMessage(
    ApiKeySchema,
    { createdBy: null, createdByEmail: null, userEmail: null, ...key },
    { organizationId: key.organization.id },
  )
