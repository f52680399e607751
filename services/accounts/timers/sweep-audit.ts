import type { Accounts } from '../accounts.ts'

/** Deletes old rows of the audit log, and keys that were revoked before them, which no entry names any more. */
export async function sweepAudit({ pool, clock, auditRetentionMs }: Accounts): Promise<void> {
  const before = new Date(clock.now().getTime() - auditRetentionMs)
  await pool.query('DELETE FROM accounts.audit WHERE at <= $1', [before])
  await pool.query('DELETE FROM accounts.api_key WHERE revoked_at <= $1', [before])
}
