import type { EntityManager, Loaded } from '@mikro-orm/postgresql'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Membership, MembershipEntity, type Role } from './entities.ts'
import { findOrganization } from './find-organization.ts'
import { isId } from './request-fields.ts'

/**
 * Locks the members of an organization before one of them gets another role or is removed. Without the lock, two owners
 * could demote each other at once.
 *
 * @param role the new one. Undefined: the member is to be removed.
 * @returns the member.
 * @throws ApiError `not_found`; `last_owner` if no owner would be left.
 */
export async function lockMembers(
  em: EntityManager,
  { organizationId, userId }: { organizationId: string; userId: string },
  role?: Role,
): Promise<Loaded<Membership, 'user'>> {
  const organization = await findOrganization(em, organizationId, true)
  const where = { organization, user: userId }
  const member = isId(userId) ? await em.findOne(MembershipEntity, where, { populate: ['user'] }) : null
  if (!member) throw noMember()
  const isLast = async () => (await em.count(MembershipEntity, { organization, role: 'owner' })) === 1
  if (member.role === 'owner' && role !== 'owner' && (await isLast()))
    throw new ApiError('last_owner', 'An organization needs an owner. Make another member an owner first.')
  return member
}

export const noMember = () => new ApiError('not_found', 'The organization has no member with this id.')
