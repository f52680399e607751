/**
 * Changes of any number of jobs, in batches with pauses, so that a change of 100,000 jobs leaves the database and the
 * event log to other organizations.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChangedJob, type ChangeSource, changeStates } from './change-state.ts'
import type { Jobs } from './jobs.ts'

/** Jobs of one statement. The events of others are published after it. */
export const BATCH = 500
/** The pause after a full batch, in times of its duration. */
const PAUSE = 3
const PAUSE_MAX_MS = 1_000

/**
 * Repeats a change until a batch is not full, and announces the events of each batch. If the source only reads, looks
 * for a first job before, because the statement of a change takes ten times as long, and timers call this several times
 * a second.
 *
 * @param source with `LIMIT BATCH`. A changed job must not match it again.
 * @returns all changed jobs.
 */
export async function changeInBatches(jobs: Jobs, source: ChangeSource): Promise<ChangedJob[]> {
  const all: ChangedJob[] = []
  if (source.isRead && !(await hasJobs(jobs, source))) return all
  for (;;) {
    const changed = await changeBatch(jobs, source, (batch) => batch.length === BATCH)
    all.push(...changed)
    if (changed.length < BATCH) return all
  }
}

/**
 * Changes these jobs, and announces the events of each batch.
 *
 * @param toSource of the ids of a batch.
 * @returns the changed jobs.
 */
export async function changeEach(
  jobs: Jobs,
  ids: string[],
  toSource: (ids: string[]) => ChangeSource,
): Promise<ChangedJob[]> {
  const all: ChangedJob[] = []
  for (let next = 0; next < ids.length; ) {
    const batch = ids.slice(next, next + BATCH)
    next += BATCH
    all.push(...(await changeBatch(jobs, toSource(batch), () => next < ids.length)))
  }
  return all
}

async function hasJobs(
  { pool, clock }: Pick<Jobs, 'pool' | 'clock'>,
  { name, sql, values }: ChangeSource,
): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>({
    ...(name ? { name: `find ${name}` } : {}),
    // The time of the change is the first parameter of a source.
    text: `SELECT $1::timestamptz IS NOT NULL AND EXISTS (${sql}) AS found`,
    values: [clock.now(), ...values],
  })
  return rows[0]?.found ?? false
}

async function changeBatch(
  jobs: Jobs,
  source: ChangeSource,
  hasNext: (changed: ChangedJob[]) => boolean,
): Promise<ChangedJob[]> {
  const startedAt = performance.now()
  const changed = await changeStates(jobs.pool, source, jobs.clock.now())
  if (changed.length > 0) jobs.eventsAdded()
  if (hasNext(changed)) await sleep(Math.min(PAUSE * (performance.now() - startedAt), PAUSE_MAX_MS))
  return changed
}
