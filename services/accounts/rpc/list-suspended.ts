import type { Accounts } from '../accounts.ts'
import { OrganizationEntity } from '../entities.ts'

/** A deleted organization is suspended until its deletion is complete. */
export async function listSuspended({ orm }: Accounts) {
  const where = { suspendedAt: { $ne: null }, removedAt: null }
  const suspended = await orm.em.fork().find(OrganizationEntity, where, { fields: ['id'] })
  return { organizationIds: suspended.map(({ id }) => id) }
}
