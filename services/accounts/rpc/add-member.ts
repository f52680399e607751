import type { AddMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { memberToProto } from '../accounts-to-proto.ts'
import { createMembership } from '../create-membership.ts'
import { InvitationEntity, MembershipEntity, UserEntity } from '../entities.ts'
import { findOrganization } from '../find-organization.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({ organizationId: z.string(), email: fields.email, role: fields.role })

/**
 * Adds a user to an organization, or replaces the role of a member. Only for operators: they vouch for the person, who
 * is not asked.
 *
 * @throws ApiError `invalid_request`; `not_found` if the organization does not exist; `limit_reached`.
 */
export async function addMember({ orm, clock }: Accounts, request: AddMemberRequest) {
  const { organizationId, email, role } = fields.parseRequest(REQUEST, request)
  const createdAt = clock.now()
  const member = await orm.em.fork().transactional(async (em) => {
    const organization = await findOrganization(em, organizationId, true)
    await em.nativeDelete(InvitationEntity, { organization, email })
    await em.upsert(
      UserEntity,
      { id: uuidv7(), email, createdAt },
      { onConflictFields: ['email'], onConflictAction: 'ignore' },
    )
    const user = await em.findOneOrFail(UserEntity, { email })
    const found = await em.findOne(MembershipEntity, { organization, user })
    if (found) return Object.assign(found, { role })
    return await createMembership(em, { organization, user, role, createdAt })
  })
  return { member: memberToProto(member) }
}
