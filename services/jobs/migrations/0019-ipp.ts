/**
 * Jobs of computers. `ipp_submission` has the jobs whose document is awaited or has not arrived; a row becomes a job
 * with its id and number. The index of jobs has none of earlier releases.
 */
export const ADD_IPP = [
  'ALTER TABLE jobs.job ADD COLUMN reported_user text',
  `CREATE INDEX job_of_print_access ON jobs.job (created_by, number) WHERE interface = 'ipp'`,
  `CREATE TABLE jobs.ipp_submission (
    id uuid PRIMARY KEY,
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    number int NOT NULL,
    printer_id uuid NOT NULL,
    created_by text NOT NULL,
    title text NOT NULL,
    reported_user text,
    options jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    end_reason text
  )`,
  'CREATE INDEX ipp_submission_of_access ON jobs.ipp_submission (created_by, number)',
  'CREATE INDEX ipp_submission_of_organization ON jobs.ipp_submission (organization_id)',
  'CREATE INDEX ipp_submission_open ON jobs.ipp_submission (expires_at) WHERE ended_at IS NULL',
  'CREATE INDEX ipp_submission_ended ON jobs.ipp_submission (ended_at) WHERE ended_at IS NOT NULL',
]
