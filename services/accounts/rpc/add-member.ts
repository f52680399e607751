import type { AddMemberRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { budgetExceeded } from '@platen/runtime/budget.ts'
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

/** The updates without a change return existing rows. Concurrent calls can exceed the limit by their number. */
const ADD_MEMBER = `
WITH member AS (
  INSERT INTO accounts.user (id, email, created_at) VALUES ($2, $3, $5)
  ON CONFLICT (email) DO UPDATE SET email = excluded.email
  RETURNING id, email, last_sign_in_at
), membership AS (
  INSERT INTO accounts.membership (organization_id, user_id, role, created_at)
  SELECT $1, id, $4, $5 FROM member
  WHERE (SELECT count(*) FROM accounts.membership WHERE organization_id = $1 AND user_id <> member.id) < $7
  ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role WHERE NOT $6
  RETURNING *
)
SELECT ${MEMBER_COLUMNS} FROM membership JOIN member ON member.id = user_id`

/**
 * Adds a user to an organization, or replaces the role of a member.
 *
 * @throws ApiError `invalid_request`, also for a member if the person must be new; `not_found` if the organization does not exist;
 *   `limit_reached`.
 */
export async function addMember(accounts: Accounts, request: AddMemberRequest) {
  const { organizationId, email, role, mustBeNew } = fields.parseRequest(REQUEST, request)
  const { id } = await findOrganization(accounts.orm.em.fork(), organizationId)
  const { max } = BUDGETS.members
  const values = [id, uuidv7(), email, role, accounts.clock.now(), mustBeNew, max]
  const { rows } = await accounts.pool.query<Member>(ADD_MEMBER, values)
  if (rows[0]) return { member: memberToProto(rows[0]) }
  if (!(await isMember(accounts, id, email))) throw budgetExceeded('members', max)
  throw new ApiError('invalid_request', '`email`: is the address of a member. Change the role instead.')
}

async function isMember({ pool }: Accounts, organizationId: string, email: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM accounts.membership JOIN accounts.user ON "user".id = user_id WHERE organization_id = $1 AND email = $2`,
    [organizationId, email],
  )
  return rowCount === 1
}
