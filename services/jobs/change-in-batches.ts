import { type ChangedJob, type ChangeSource, changeStates } from './change-state.ts'
import type { Jobs } from './jobs.ts'

/** Jobs of one statement. */
export const BATCH = 500

/**
 * Repeats a change until a batch is not full, and announces the events of each batch.
 *
 * @param source with `LIMIT BATCH`. A changed job must not match it again.
 * @returns all changed jobs.
 */
export async function changeInBatches(jobs: Jobs, source: ChangeSource): Promise<ChangedJob[]> {
  const all: ChangedJob[] = []
  let changed: ChangedJob[]
  do {
    changed = await changeStates(jobs.pool, source, jobs.clock.now())
    if (changed.length > 0) jobs.eventsAdded()
    all.push(...changed)
  } while (changed.length === BATCH)
  return all
}
