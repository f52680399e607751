/**
 * Counts of jobs in hours, and of days once their hours are merged (`timers/sweep-statistics.ts`). `printing` and
 * `done` are histograms (`histogram.ts`). A null id as `key_id` stands for a job without a key.
 *
 * Half of each page of `job_hour` is reserved for newer row versions. No index has a column that changes, so changes
 * are HOT updates.
 */
const COUNTS = `state text NOT NULL,
    reason text NOT NULL,
    jobs bigint NOT NULL,
    printing numeric NOT NULL,
    done numeric NOT NULL`

export const ADD_STATISTICS = [
  `CREATE TABLE usage.job_hour (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    hour timestamptz NOT NULL,
    printer_id uuid NOT NULL,
    computer_id uuid NOT NULL,
    key_id uuid NOT NULL,
    source text COLLATE "C" NOT NULL,
    ${COUNTS},
    PRIMARY KEY (organization_id, mode, hour, printer_id, key_id, source, state, reason)
  ) WITH (fillfactor = 50)`,
  // For the merge.
  'CREATE INDEX job_hour_hour ON usage.job_hour (hour)',

  // A job has a row in each dimension, so that a list reads the rows of one dimension only.
  `CREATE TABLE usage.job_day (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    dimension text NOT NULL,
    day timestamptz NOT NULL,
    value text COLLATE "C" NOT NULL,
    ${COUNTS},
    PRIMARY KEY (organization_id, mode, dimension, day, value, state, reason)
  )`,
  // For the retention.
  'CREATE INDEX job_day_day ON usage.job_day (day)',
]
