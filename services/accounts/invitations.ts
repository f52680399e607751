import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from './accounts.ts'
import { type Invitation, UserEntity } from './entities.ts'

/** @returns the condition for the open invitations of an organization, or for a user. */
export async function toOpenInvitations(
  em: EntityManager,
  { clock }: Pick<Accounts, 'clock'>,
  { organizationId, userId }: { organizationId?: string; userId: string },
): Promise<FilterQuery<Invitation>> {
  const isOpen = { expiresAt: { $gt: clock.now() } }
  if (userId === '') return { ...isOpen, organization: organizationId }
  const user = await em.findOne(UserEntity, userId)
  return { ...isOpen, email: user?.email ?? '' }
}

export const noInvitation = () =>
  new ApiError('not_found', 'There is no open invitation with this id. It can be withdrawn or expired.')
