import type { Accounts } from '../accounts.ts'
import { ApiKeyEntity, AuditEntity } from '../entities.ts'

/** Deletes old rows of the audit log, and keys that were revoked before them, which no entry names any more. */
export async function sweepAudit({ orm, clock, auditRetentionMs }: Accounts): Promise<void> {
  const em = orm.em.fork()
  const before = new Date(clock.now().getTime() - auditRetentionMs)
  await em.transactional(async (em) => {
    // The trigger of the table permits nothing else.
    await em.execute(`SELECT set_config('platen.audit_sweep', ?, true)`, [before.toISOString()])
    await em.nativeDelete(AuditEntity, { at: { $lte: before } })
  })
  await em.nativeDelete(ApiKeyEntity, { revokedAt: { $lte: before } })
}
