/**
 * Counts by interval: a row for each hour, day and month, in each dimension. A list reads the rows that it shows and no
 * others. They replace the hours and days of before. Creations are counted in the row of `done`.
 *
 * Half of each page is reserved for newer row versions. No index has a column that changes, so changes are HOT updates.
 */
export const ADD_INTERVALS = [
  'LOCK TABLE usage.job_hour, usage.job_day',
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
    PRIMARY KEY (organization_id, mode, interval, dimension, start, value, state, reason)
  ) WITH (fillfactor = 50)`,
  // For the retention.
  'CREATE INDEX job_count_start ON usage.job_count (interval, start)',
  // For the failures of the overview.
  `CREATE INDEX job_count_failed ON usage.job_count (organization_id, mode, interval, dimension, start) WHERE state IN ('error', 'expired')`,
  `INSERT INTO usage.job_count
  SELECT organization_id, mode, interval, dimension, date_trunc(interval, start, 'UTC'), value, CASE state WHEN 'queued' THEN 'done' ELSE state END,
    reason, sum(CASE state WHEN 'queued' THEN jobs ELSE 0 END), sum(CASE state WHEN 'queued' THEN 0 ELSE jobs END), sum(printing), sum(done)
  FROM (
    SELECT organization_id, mode, dimension, day AS start, value, state, reason, jobs, printing, done, false AS has_hour FROM usage.job_day
    UNION ALL
    SELECT organization_id, mode, dimension, hour, value, state, reason, jobs, printing, done, true
    FROM usage.job_hour CROSS JOIN LATERAL (VALUES ('all', ''), ('printer', printer_id::text), ('computer', computer_id::text),
      ('key', CASE WHEN key_id <> '00000000-0000-0000-0000-000000000000' THEN key_id::text ELSE '' END), ('source', source)
    ) AS shown (dimension, value)
  ) AS counted JOIN (VALUES ('hour'), ('day'), ('month')) AS length (interval) ON has_hour OR interval <> 'hour'
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
  'DROP TABLE usage.job_hour, usage.job_day',
]
