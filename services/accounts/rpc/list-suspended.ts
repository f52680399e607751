import type { Accounts } from '../accounts.ts'
import { OrganizationEntity } from '../entities.ts'

export async function listSuspended({ orm }: Accounts) {
  const suspended = await orm.em.fork().find(OrganizationEntity, { suspendedAt: { $ne: null } }, { fields: ['id'] })
  return { organizationIds: suspended.map(({ id }) => id) }
}
