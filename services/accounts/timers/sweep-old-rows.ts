import type { Accounts } from '../accounts.ts'
import {
  ApiKeyEntity,
  AuditEntity,
  InvitationEntity,
  KnownBrowserEntity,
  SessionEntity,
  SignInEntity,
} from '../entities.ts'
import { getValidityStarts } from '../sessions.ts'

const DAY_MS = 24 * 60 * 60_000

/** The lifetime that browsers limit cookies to. */
const KNOWN_BROWSER_MS = 400 * DAY_MS

const REFUSAL_MS = DAY_MS
const REFUSALS_MAX = 1_000

/** It keeps the newest of each organization. */
const DELETE_OLD_REFUSALS = `
WITH crowded AS (SELECT organization_id FROM accounts.refusal GROUP BY 1 HAVING count(*) > $2),
oldest_kept AS (
  SELECT kept.* FROM crowded CROSS JOIN LATERAL (
    SELECT organization_id, at, id FROM accounts.refusal WHERE organization_id = crowded.organization_id
    ORDER BY at DESC, id DESC OFFSET $2 - 1 LIMIT 1
  ) AS kept
)
DELETE FROM accounts.refusal WHERE at <= $1 OR id IN (
  SELECT refusal.id FROM accounts.refusal JOIN oldest_kept USING (organization_id)
  WHERE (refusal.at, refusal.id) < (oldest_kept.at, oldest_kept.id)
)`

/** They no longer count as valid, and are deleted as long after it as others. */
const REVOKE_EXPIRED = `
UPDATE accounts.api_key SET revoked_at = expires_at WHERE expires_at <= $1 AND revoked_at IS NULL`

/**
 * Deletes what has expired, and revokes expired keys. They are not accepted anyway. Deletes old rows of the audit log,
 * and keys that were revoked before them, which no entry names any more.
 */
export async function sweepOldRows(accounts: Accounts): Promise<void> {
  const { orm, pool, clock, auditRetentionMs } = accounts
  const em = orm.em.fork()
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  const [createdAfter, usedAfter] = getValidityStarts(accounts)
  await em.nativeDelete(SessionEntity, {
    $or: [{ createdAt: { $lte: createdAfter } }, { lastUsedAt: { $lte: usedAfter } }],
  })
  await em.nativeDelete(SignInEntity, { expiresAt: { $lte: now } })
  await em.nativeDelete(InvitationEntity, { expiresAt: { $lte: now } })
  await pool.query(REVOKE_EXPIRED, [now])
  await em.nativeDelete(KnownBrowserEntity, { lastUsedAt: { $lte: before(KNOWN_BROWSER_MS) } })
  await pool.query('DELETE FROM accounts.sign_in_count WHERE period_start <= $1', [before(DAY_MS)])
  await pool.query(DELETE_OLD_REFUSALS, [before(REFUSAL_MS), REFUSALS_MAX])
  const auditedUntil = before(auditRetentionMs)
  await em.transactional(async (em) => {
    // The trigger of the table permits nothing else.
    await em.execute(`SELECT set_config('platen.audit_sweep', ?, true)`, [auditedUntil.toISOString()])
    await em.nativeDelete(AuditEntity, { at: { $lte: auditedUntil } })
  })
  await em.nativeDelete(ApiKeyEntity, { revokedAt: { $lte: auditedUntil } })
}
