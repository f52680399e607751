/** Jobs that wait for a time have an entry in the index until they end. Held jobs have a state reason alone. */
export const ADD_HELD_JOBS = [
  'ALTER TABLE jobs.job ADD COLUMN not_before timestamptz',
  'CREATE INDEX job_scheduled ON jobs.job (not_before) WHERE final_state IS NULL AND not_before IS NOT NULL',
]
