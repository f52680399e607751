/**
 * `job_metadata` has a row for each pair of a job's metadata, with the id of the job, so that a page of a list by a
 * pair is read in the order of the list. It is written for jobs with metadata only. The value comes before the key, so
 * that a search for a value needs no other index.
 */
export const ADD_METADATA = [
  `ALTER TABLE jobs.job ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}'`,
  `CREATE TABLE jobs.job_metadata (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    value text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    commit_seq bigint NOT NULL DEFAULT jobs.to_commit_seq(pg_current_xact_id()),
    id uuid NOT NULL,
    PRIMARY KEY (organization_id, mode, value, key, commit_seq, id)
  )`,
]
