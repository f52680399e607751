import type { AddMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { findOrganization } from '../find-organization.ts'
import { MEMBER_COLUMNS, type Member, memberToProto, roleField } from '../members.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({
  organizationId: z.string(),
  email: fields.email,
  role: roleField,
  mustBeNew: z.boolean(),
})

/** The updates without a change return existing rows. */
const ADD_MEMBER = `
WITH member AS (
  INSERT INTO accounts.user (id, email, created_at) VALUES ($2, $3, $5)
  ON CONFLICT (email) DO UPDATE SET email = excluded.email
  RETURNING id, email, last_sign_in_at
), membership AS (
  INSERT INTO accounts.membership (organization_id, user_id, role, created_at) SELECT $1, id, $4, $5 FROM member
  ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role WHERE NOT $6
  RETURNING *
)
SELECT ${MEMBER_COLUMNS} FROM membership JOIN member ON member.id = user_id`

/**
 * Adds a user to an organization, or replaces the role of a member.
 *
 * @throws ApiError `invalid_request`, also for a member if the person must be new; `not_found` if the organization does not exist.
 */
export async function addMember(accounts: Accounts, request: AddMemberRequest) {
  const { organizationId, email, role, mustBeNew } = fields.parseRequest(REQUEST, request)
  const { id } = await findOrganization(accounts.orm.em.fork(), organizationId)
  const values = [id, uuidv7(), email, role, accounts.clock.now(), mustBeNew]
  const { rows } = await accounts.pool.query<Member>(ADD_MEMBER, values)
  if (!rows[0]) throw new ApiError('invalid_request', '`email`: is the address of a member. Change the role instead.')
  return { member: memberToProto(rows[0]) }
}
