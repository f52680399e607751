import type { BeginActionRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'
import { isId } from '../request-fields.ts'
import { targetNameSql } from '../target-name.ts'

const BEGIN = `
WITH log AS (
  SELECT id AS log_id, NULL::uuid AS user_id FROM accounts.organization WHERE id = ANY ($1::uuid[])
  UNION ALL SELECT id, NULL FROM accounts.user WHERE id = ANY ($1::uuid[])
  UNION ALL SELECT id, id FROM accounts.user WHERE email = $2
  UNION ALL
  SELECT organization_id, member.id FROM accounts.user AS member JOIN accounts.membership ON user_id = member.id
  WHERE email = $2
),
logged AS (SELECT log_id, COALESCE(NULLIF($9, '')::uuid, user_id) AS target FROM log)
INSERT INTO accounts.audit (log_id, id, at, actor_kind, actor_id, actor_name, action, target, target_name, mode,
  request_id, ip, outcome)
SELECT log_id, $3, $4, $5, NULLIF($6, '')::uuid, $7, $8, target, ${targetNameSql('log_id', 'target')},
  -- The action itself refuses another mode.
  CASE WHEN $10 IN ('live', 'test') THEN $10 END, $11, $12, NULLIF($13, '')
FROM logged
ON CONFLICT DO NOTHING`

/**
 * Writes an action to the audit log before it happens, so that it leaves a row even if the caller crashes. Unknown
 * organizations and users have no log.
 *
 * @throws ApiError `invalid_request` without an action.
 */
export async function beginAction({ pool, clock }: Accounts, { logIds, userEmail, action }: BeginActionRequest) {
  if (!action) throw new ApiError('invalid_request', '`action`: is missing.')
  await pool.query(BEGIN, [
    ...[logIds.filter(isId), userEmail.toLowerCase(), action.id, clock.now()],
    ...[action.actorKind, action.actorId, action.actorName],
    ...[action.action, action.target, action.mode, action.requestId, action.ip, action.outcome],
  ])
  return {}
}
