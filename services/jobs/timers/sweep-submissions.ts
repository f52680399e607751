import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'

/** For which a computer can learn that a document did not arrive. CUPS asks for hours. */
const KEPT_MS = 7 * 24 * 60 * 60_000

/**
 * Ends submissions whose document does not arrive any more: its computer was cut off, or its gateway crashed. Deletes
 * old ones.
 */
export async function sweepSubmissions({ orm, clock }: Pick<Jobs, 'orm' | 'clock'>): Promise<void> {
  const now = clock.now()
  const em = orm.em.fork()
  const overdue = { endedAt: null, expiresAt: { $lte: now } }
  await em.nativeUpdate(SubmissionEntity, overdue, { endedAt: now, endReason: 'interrupted' })
  await em.nativeDelete(SubmissionEntity, { endedAt: { $lte: new Date(now.getTime() - KEPT_MS) } })
}
