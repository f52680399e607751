import { UNFINISHED_STATES } from '@platen/resources/job-states.ts'
import { jobsInState, jobsOldestWaiting } from '@platen/runtime/telemetry/metrics.ts'
import type { Jobs } from '../jobs.ts'

const UNFINISHED = `
SELECT mode, state, count(*)::int AS jobs, extract(epoch FROM $1 - min(created_at))::float8 AS oldest_seconds
FROM jobs.job WHERE final_state IS NULL GROUP BY mode, state`

interface Row {
  mode: string
  state: string
  jobs: number
  oldest_seconds: number
}

/** Every replica reports the same value. @returns 0 if no job is queued. */
export async function readOldestWaiting(jobs: Pick<Jobs, 'pool' | 'clock'>): Promise<number> {
  const queued = (await readUnfinished(jobs)).filter(({ state }) => state === 'queued')
  return queued.reduce((max, row) => Math.max(max, row.oldest_seconds), 0)
}

/** Measures the unfinished jobs. Every replica reports the same values. Scans only an index of unfinished jobs. */
export async function measureJobs({ pool, clock }: Pick<Jobs, 'pool' | 'clock'>): Promise<void> {
  const rows = await readUnfinished({ pool, clock })
  for (const state of UNFINISHED_STATES) {
    const ofState = rows.filter((row) => row.state === state)
    jobsInState.set(
      ofState.reduce((sum, { jobs }) => sum + jobs, 0),
      { state },
    )
  }
  for (const mode of ['live', 'test']) {
    const queued = rows.find((row) => row.mode === mode && row.state === 'queued')
    jobsOldestWaiting.set(Math.max(0, queued?.oldest_seconds ?? 0), { mode })
  }
}

async function readUnfinished({ pool, clock }: Pick<Jobs, 'pool' | 'clock'>): Promise<Row[]> {
  const { rows } = await pool.query<Row>({ name: 'measure jobs', text: UNFINISHED, values: [clock.now()] })
  return rows
}
