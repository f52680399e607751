import type { Migration } from '@platen/runtime/database/migrate.ts'

/**
 * Counts of jobs by interval: a row for each hour, day and month, in each dimension. A list reads the rows that it
 * shows and no others. `printing` and `done` are histograms (`histogram.ts`). Creations are counted in the row of
 * `done`. The last three columns are of jobs that are done, by what confirmed their print.
 *
 * Half of each page is reserved for newer row versions. No index has a column that changes, so changes are HOT updates.
 */
const CREATE_STATISTICS = [
  `CREATE TABLE usage.job_count (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    interval text NOT NULL,
    dimension text NOT NULL,
    start timestamptz NOT NULL,
    value text COLLATE "C" NOT NULL,
    state text NOT NULL,
    reason text NOT NULL,
    accepted bigint NOT NULL,
    jobs bigint NOT NULL,
    printing numeric NOT NULL,
    done numeric NOT NULL,
    by_printer bigint NOT NULL DEFAULT 0,
    by_spooler bigint NOT NULL DEFAULT 0,
    by_nobody bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, mode, interval, dimension, start, value, state, reason)
  ) WITH (fillfactor = 50)`,
  // For the retention.
  'CREATE INDEX job_count_start ON usage.job_count (interval, start)',
  // For the failures of the overview.
  `CREATE INDEX job_count_failed ON usage.job_count (organization_id, mode, interval, dimension, start)
    WHERE state IN ('error', 'expired')`,

  // Counts of batches of events that are not in `usage.job_count` yet: JSON of `count-jobs.ts`, which is not
  // compressed, as it is deleted soon.
  `CREATE TABLE usage.recent_count (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    events int NOT NULL,
    counts json STORAGE EXTERNAL NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
]

export const RELEASE_0_2: Migration[] = [{ name: '0002-statistics-by-interval', statements: CREATE_STATISTICS }]
