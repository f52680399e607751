import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Organization, OrganizationEntity } from './entities.ts'
import { isId } from './request-fields.ts'

/**
 * @param lock for a change: other locks wait for the end of this transaction.
 * @throws ApiError `not_found`, also for an invalid id, and for a change of a deleted organization.
 */
export async function findOrganization(em: EntityManager, id: string, lock = false): Promise<Organization> {
  const lockMode = lock ? LockMode.PESSIMISTIC_WRITE : LockMode.NONE
  const organization = isId(id) ? await em.findOne(OrganizationEntity, id, { lockMode }) : null
  if (!organization) throw new ApiError('not_found', 'There is no organization with this id.')
  if (lock && organization.deletedAt) throw new ApiError('not_found', 'The organization is deleted.')
  return organization
}
