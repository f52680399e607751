import type { EntityManager } from '@mikro-orm/postgresql'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { budgetExceeded } from '@platen/runtime/budget.ts'
import { type Membership, MembershipEntity, type Organization, type Role, type User } from './entities.ts'

interface NewMembership {
  /** Locked by the caller. */
  organization: Organization
  user: User
  role: Role
  createdAt: Date
}

/** @throws ApiError `limit_reached` */
export async function createMembership(em: EntityManager, facts: NewMembership): Promise<Membership> {
  const { max } = BUDGETS.members
  if ((await em.count(MembershipEntity, { organization: facts.organization })) >= max)
    throw budgetExceeded('members', max)
  return em.create(MembershipEntity, facts)
}
