/**
 * Counts of batches of events that are not in `usage.job_count` yet: JSON of `count-jobs.ts`, which is not compressed,
 * as it is deleted soon.
 */
export const ADD_RECENT_COUNTS = [
  `CREATE TABLE usage.recent_count (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    events int NOT NULL,
    counts json STORAGE EXTERNAL NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
]
