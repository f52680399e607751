import type { Accounts } from '../accounts.ts'

/** Deletes old rows of the audit log, which nothing else deletes. */
export async function sweepAudit({ pool, clock, auditRetentionMs }: Accounts): Promise<void> {
  const before = new Date(clock.now().getTime() - auditRetentionMs)
  await pool.query('DELETE FROM accounts.audit WHERE at <= $1', [before])
}
