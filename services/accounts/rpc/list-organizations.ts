import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { OrganizationEntity } from '../entities.ts'

/** Oldest first. */
export async function listOrganizations(accounts: Accounts) {
  const organizations = await accounts.orm.em.fork().find(OrganizationEntity, {}, { orderBy: { id: 'asc' } })
  return { organizations: organizations.map(organizationToProto) }
}
