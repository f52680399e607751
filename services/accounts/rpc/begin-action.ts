import type { BeginActionRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { isId } from '../request-fields.ts'

const BEGIN = `
WITH log AS (
  SELECT id AS organization_id, NULL::uuid AS target FROM accounts.organization WHERE id = ANY ($1::uuid[])
  UNION ALL
  SELECT organization_id, member.id FROM accounts.user AS member JOIN accounts.membership ON user_id = member.id WHERE email = $2
)
INSERT INTO accounts.audit (organization_id, id, at, actor_kind, actor_id, actor_name, action, target, mode, request_id, ip)
SELECT organization_id, $3, $4, $5, NULLIF($6, '')::uuid, $7, $8, COALESCE(NULLIF($9, '')::uuid, target),
  -- The action itself refuses another mode.
  CASE WHEN $10 IN ('live', 'test') THEN $10 END, $11, $12
FROM log
ON CONFLICT DO NOTHING`

/**
 * Writes an action to the audit log before it happens, so that it leaves a row even if the caller crashes. Unknown organizations and users
 * have no log.
 *
 * @throws ApiError `invalid_request` without an action.
 */
export async function beginAction(
  { pool, clock }: Accounts,
  { organizationIds, userEmail, action }: BeginActionRequest,
) {
  if (!action) throw new ApiError('invalid_request', '`action`: is missing.')
  await pool.query(BEGIN, [
    ...[organizationIds.filter(isId), userEmail.toLowerCase(), action.id, clock.now()],
    ...[action.actorKind, action.actorId, action.actorName],
    ...[action.action, action.target, action.mode, action.requestId, action.ip],
  ])
  return {}
}
