import type { RecordDeletionRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Accounts } from '../accounts.ts'

const RECORD = `
UPDATE accounts.organization SET
  removed = removed || (
    SELECT COALESCE(jsonb_object_agg(key, value::int + COALESCE((removed->>key)::int, 0)), '{}')
    FROM jsonb_each_text($2::jsonb)
  ),
  removed_at = CASE WHEN $3 THEN $4::timestamptz END
WHERE id = $1 AND deleted_at IS NOT NULL RETURNING removed, removed_at AS "completedAt"`

/** @throws ApiError `not_found` for an organization whose deletion has not begun. */
export async function recordDeletion(
  { pool, clock }: Accounts,
  { organizationId, removed, isComplete }: RecordDeletionRequest,
) {
  const { rows } = await pool.query<{ removed: Record<string, number>; completedAt: Date | null }>(RECORD, [
    ...[organizationId, JSON.stringify(removed), isComplete, clock.now()],
  ])
  const [receipt] = rows
  if (!receipt) throw new ApiError('not_found', 'There is no deleted organization with this id.')
  return { removed: receipt.removed, completedAt: timestampOrNone(receipt.completedAt) }
}
