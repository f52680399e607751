/**
 * `confirmed_by` is null until the job is done, and for jobs of earlier releases. The time of the last progress is that
 * of `printed`.
 */
export const ADD_CONFIRMATIONS = [
  'ALTER TABLE jobs.job ADD COLUMN confirmed_by text, ADD COLUMN printed int, ADD COLUMN progress_at timestamptz',
]
