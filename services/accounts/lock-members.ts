import type { EntityManager } from '@mikro-orm/postgresql'
import { ApiError } from '@platen/runtime/errors.ts'
import { findOrganization } from './find-organization.ts'
import type { Member } from './members.ts'
import { isId } from './request-fields.ts'

const FIND_ROLES = `
SELECT user_id AS "userId", role FROM accounts.membership WHERE organization_id = ? AND (user_id = ? OR role = 'owner')`

/**
 * Locks the members of an organization before one of them gets another role or is removed. Without the lock, two owners could demote each
 * other at once.
 *
 * @param role the new one. Undefined: the member is to be removed.
 * @throws ApiError `not_found`; `last_owner` if no owner would be left.
 */
export async function lockMembers(
  em: EntityManager,
  { organizationId, userId }: { organizationId: string; userId: string },
  role?: Member['role'],
): Promise<void> {
  await findOrganization(em, organizationId, true)
  const found = isId(userId)
    ? await em.execute<Pick<Member, 'userId' | 'role'>[]>(FIND_ROLES, [organizationId, userId])
    : []
  const member = found.find((one) => one.userId === userId)
  if (!member) throw new ApiError('not_found', 'The organization has no member with this id.')
  const owners = found.filter((one) => one.role === 'owner')
  if (member.role === 'owner' && role !== 'owner' && owners.length === 1)
    throw new ApiError('last_owner', 'An organization needs an owner. Make another member an owner first.')
}
