import type { DeleteOrganizationRequest } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import type { Accounts } from '../accounts.ts'
import { findOrganization } from '../find-organization.ts'

/**
 * From the suspension until no gateway accepts a cached key or session, and no request is running that was accepted
 * before.
 */
const QUIET_AFTER_MS = 10_000

/** Keys of one call. The other tables have few rows of an organization. */
const KEYS_MAX = 5_000

/** Users without another organization are removed as well. Their audit logs stay. */
const REMOVE = `
WITH only_here AS MATERIALIZED (
  SELECT user_id FROM accounts.membership AS here WHERE organization_id = $1
    AND NOT EXISTS (
      SELECT FROM accounts.membership AS other WHERE other.user_id = here.user_id AND organization_id <> $1
    )
),
session AS (DELETE FROM accounts.session USING only_here WHERE session.user_id = only_here.user_id RETURNING 1),
known_browser AS (
  DELETE FROM accounts.known_browser USING only_here WHERE known_browser.user_id = only_here.user_id RETURNING 1
),
membership AS (DELETE FROM accounts.membership WHERE organization_id = $1 RETURNING 1),
removed_user AS (DELETE FROM accounts.user USING only_here WHERE id = user_id RETURNING 1),
invitation AS (DELETE FROM accounts.invitation WHERE organization_id = $1 RETURNING 1),
refusal AS (DELETE FROM accounts.refusal WHERE organization_id = $1 RETURNING 1),
api_key AS (
  DELETE FROM accounts.api_key
  WHERE id IN (SELECT id FROM accounts.api_key WHERE organization_id = $1 LIMIT ${KEYS_MAX}) RETURNING 1
)
SELECT (SELECT count(*)::int FROM session) AS session, (SELECT count(*)::int FROM known_browser) AS known_browser,
  (SELECT count(*)::int FROM membership) AS membership, (SELECT count(*)::int FROM removed_user) AS "user",
  (SELECT count(*)::int FROM invitation) AS invitation, (SELECT count(*)::int FROM refusal) AS refusal,
  (SELECT count(*)::int FROM api_key) AS api_key`

const MARK = `
UPDATE accounts.organization SET suspended_at = COALESCE(suspended_at, $2), deleted_at = COALESCE(deleted_at, $2)
WHERE id = $1 RETURNING suspended_at AS "suspendedAt"`

/** @throws ApiError `not_found`. */
export async function deleteOrganization(
  { orm, pool, clock }: Accounts,
  { organizationId }: DeleteOrganizationRequest,
) {
  const { id } = await findOrganization(orm.em.fork(), organizationId)
  const now = clock.now()
  const marked = await pool.query<{ suspendedAt: Date }>(MARK, [id, now])
  const suspendedMs = now.getTime() - Number(marked.rows[0]?.suspendedAt)
  if (suspendedMs < QUIET_AFTER_MS) return { isWaiting: true }
  return { removed: (await pool.query<Record<string, number>>(REMOVE, [id])).rows[0] }
}
