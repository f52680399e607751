/**
 * The jobs of a batch have consecutive places in the order of acceptance. One value of the sequence is the first of
 * 1,000 places, of which a job without a batch uses one. So no statement that orders jobs knows batches.
 *
 * `begun_batch` has the batches of which a printer has got a job, until their jobs have ended: `rpc/claim-jobs.ts`.
 */
export const ADD_BATCHES = [
  'ALTER TABLE jobs.job ADD COLUMN batch_id uuid',
  'ALTER TABLE jobs.job ALTER COLUMN accepted_order SET INCREMENT BY 1000',
  'CREATE INDEX job_batch ON jobs.job (batch_id, commit_seq, id) WHERE batch_id IS NOT NULL',
  `CREATE TABLE jobs.begun_batch (
    printer_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    accepted_order bigint NOT NULL,
    PRIMARY KEY (printer_id, batch_id)
  )`,
]
