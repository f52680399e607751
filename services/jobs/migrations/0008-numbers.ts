/**
 * Numbers for people. Release 0.1.0 creates jobs without one, and earlier jobs get none, because an update of all jobs
 * would stop creations. Half of each page of `job_number` is reserved for newer row versions, so that creations are HOT
 * updates.
 */
export const ADD_NUMBERS = [
  'ALTER TABLE jobs.job ADD COLUMN number int',
  'CREATE UNIQUE INDEX job_by_number ON jobs.job (organization_id, mode, number) WHERE number IS NOT NULL',
  `CREATE TABLE jobs.job_number (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    last bigint NOT NULL,
    PRIMARY KEY (organization_id, mode)
  ) WITH (fillfactor = 50)`,
]
