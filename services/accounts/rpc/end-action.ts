import type { EndActionRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { targetNameSql } from '../target-name.ts'

/** The only update of the audit log. A written outcome does not change. */
const END = `
UPDATE accounts.audit
SET outcome = $2, target = COALESCE($3, target),
  target_name = COALESCE(target_name, ${targetNameSql('log_id', '$3')}, $4)
WHERE id = $1 AND outcome IS NULL`

export async function endAction({ pool }: Accounts, { actionId, outcome, target, targetName }: EndActionRequest) {
  await pool.query(END, [actionId, outcome, target || null, targetName || null])
  return {}
}
