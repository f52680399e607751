import type { CreateInvitationRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { budgetExceeded } from '@platen/runtime/budget.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { invitationToProto } from '../accounts-to-proto.ts'
import { InvitationEntity, MembershipEntity } from '../entities.ts'
import { findOrganization } from '../find-organization.ts'
import * as fields from '../request-fields.ts'
import { countSql, MAILS_PER_HOUR } from '../sign-in/limits.ts'

const REQUEST = z.object({
  organizationId: z.string(),
  email: fields.email,
  role: fields.role,
  invitedBy: z.string(),
})

const INVITATION_MS = 14 * 24 * 60 * 60_000

/** Apart from the codes of the address, so that invitations do not use up its codes. */
const COUNT_OF_DAY = countSql(
  'invitations of organization',
  'SELECT $2::text',
  '$1',
  BUDGETS.firstInvitations.max,
  'day',
)

const COUNT_MAIL = countSql('mails', `SELECT 'invitation ' || $2::text`, '$1', MAILS_PER_HOUR)

/**
 * Invites an address, whether or not it has a user: the response is the same. The timer `invitations` sends the mail.
 *
 * @throws ApiError `invalid_request`, also for a member; `not_found` if the organization does not exist;
 *   `limit_reached`.
 */
export async function createInvitation(accounts: Accounts, request: CreateInvitationRequest) {
  const { orm, pool, clock } = accounts
  const { organizationId, email, role, invitedBy } = fields.parseRequest(REQUEST, request)
  const now = clock.now()
  await countOfDay(accounts, organizationId, now)
  const isMailPermitted = (await pool.query(COUNT_MAIL, [now, email])).rowCount === 1
  const invitation = await orm.em.fork().transactional(async (em) => {
    const organization = await findOrganization(em, organizationId, true)
    if ((await em.count(MembershipEntity, { organization, user: { email } })) > 0)
      throw new ApiError('invalid_request', '`email`: is the address of a member. Change the role instead.', {
        param: 'email',
      })
    const others = { organization, email: { $ne: email }, expiresAt: { $gt: now } }
    const { max } = BUDGETS.invitations
    if ((await em.count(InvitationEntity, others)) >= max) throw budgetExceeded('invitations', max)
    const found = await em.findOne(InvitationEntity, { organization, email })
    const facts = {
      ...{ role, invitedBy, createdAt: now, expiresAt: new Date(now.getTime() + INVITATION_MS) },
      mailDueAt: isMailPermitted ? now : null,
    }
    if (found) return Object.assign(found, facts, { organization })
    return em.create(InvitationEntity, { id: uuidv7(), organization, email, ...facts })
  })
  return { invitation: invitationToProto(invitation) }
}

/** An organization with one member can be that of a stranger who sends mails to others. */
async function countOfDay({ orm, pool }: Accounts, organizationId: string, now: Date): Promise<void> {
  const hasOthers = (await orm.em.fork().count(MembershipEntity, { organization: organizationId })) > 1
  if (hasOthers || (await pool.query(COUNT_OF_DAY, [now, organizationId])).rowCount === 1) return
  throw budgetExceeded('firstInvitations', BUDGETS.firstInvitations.max)
}
