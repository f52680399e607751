import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'

/** For which a computer can learn that a document did not arrive. CUPS asks for hours. */
const KEPT_MS = 7 * 24 * 60 * 60_000

/** Ended submissions of a print access. The newest stay. */
const KEPT_MAX = 1_000

const DELETE_CROWDED = `
DELETE FROM jobs.ipp_submission WHERE id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY created_by ORDER BY number DESC) AS nth
    FROM jobs.ipp_submission WHERE ended_at IS NOT NULL
  ) AS ended WHERE nth > ${KEPT_MAX} LIMIT 10000
)`

/** Ends submissions whose document does not arrive any more: its computer was cut off, or its gateway crashed. Deletes old ones. */
export async function sweepSubmissions({ orm, pool, clock }: Pick<Jobs, 'orm' | 'pool' | 'clock'>): Promise<void> {
  const now = clock.now()
  const em = orm.em.fork()
  const overdue = { endedAt: null, expiresAt: { $lte: now } }
  await em.nativeUpdate(SubmissionEntity, overdue, { endedAt: now, endReason: 'interrupted' })
  await em.nativeDelete(SubmissionEntity, { endedAt: { $lte: new Date(now.getTime() - KEPT_MS) } })
  await pool.query(DELETE_CROWDED)
}
