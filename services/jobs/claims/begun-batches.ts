/**
 * SQL: the batches of which a printer has got a job. Until their jobs have ended, `jobs.begun_batch` has a row for
 * each, mostly none. The jobs of a batch follow each other in the order of acceptance, so only a job that was accepted
 * before them and is late can come between them: it was released, returned after resends, or committed late. Those that
 * wait for a destination are of no printer yet. Reference: docs/reference/print-jobs.md#batches.
 */

/** The row `job` is such a late job. A scalar subquery, so that any plan scans the jobs in order. */
export const IS_BEHIND_BATCH = `COALESCE((
  SELECT true FROM jobs.begun_batch AS begun
  WHERE begun.printer_id = job.printer_id AND begun.accepted_order > job.accepted_order
    AND begun.batch_id IS DISTINCT FROM job.batch_id
    AND EXISTS (
      SELECT FROM jobs.job AS other
      WHERE other.batch_id = begun.batch_id AND other.printer_id = begun.printer_id AND other.state = 'queued'
        AND other.waiting_destination_id IS NULL)
  LIMIT 1), false)`

/** A CTE for the jobs that a claim has `changed`. */
export const BEGIN_BATCHES = `,
begun AS (
  INSERT INTO jobs.begun_batch (printer_id, batch_id, accepted_order)
  SELECT printer_id, batch_id, min(accepted_order) FROM changed WHERE batch_id IS NOT NULL GROUP BY 1, 2
  ON CONFLICT DO NOTHING
)`

export const DELETE_ENDED_BATCHES = `
DELETE FROM jobs.begun_batch WHERE NOT EXISTS (
  SELECT FROM jobs.job WHERE job.batch_id = begun_batch.batch_id AND final_state IS NULL)`
