import type { BeginActionRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'

const BEGIN = `
INSERT INTO accounts.audit (organization_id, id, at, actor_kind, actor_id, actor_name, action, target, mode, request_id, ip)
SELECT organization_id, $2, $3, $4, $5, $6, $7, NULLIF($8, '')::uuid, NULLIF($9, ''), $10, $11
FROM unnest($1::uuid[]) AS organization_id
ON CONFLICT DO NOTHING`

/**
 * Writes an action to the audit log before it happens, so that it leaves a row even if the caller crashes.
 *
 * @throws ApiError `invalid_request` without an action.
 */
export async function beginAction({ pool, clock }: Accounts, { organizationIds, action }: BeginActionRequest) {
  if (!action) throw new ApiError('invalid_request', '`action`: is missing.')
  await pool.query(BEGIN, [
    ...[organizationIds, action.id, clock.now(), action.actorKind, action.actorId, action.actorName],
    ...[action.action, action.target, action.mode, action.requestId, action.ip],
  ])
  return {}
}
