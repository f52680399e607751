/**
 * Where in the lists of jobs a time begins. Ids of jobs are UUIDv7 and so begin with the time at which their gateway made them: the
 * primary key is an index of times, and spares one of `created_at` that every change of a job's state would have to write.
 */
import { lowestId } from '@platen/runtime/database/days.ts'

/**
 * Jobs that were made further apart than this are listed in the order of their times. An id is made when the body of its request begins
 * to come, which may take 120 s; from there to the end of its transaction it is some 15 s at most (`connection-settings.ts`). The rest is
 * for clocks of replicas that differ.
 */
const OUT_OF_ORDER_MAX_MS = 7 * 60_000

/** SQL: no job that was created at `time` or later has a lower place. @param bind gives a value its place in the statement. */
export function lowestPlace(time: Date, bind: (value: unknown) => string): string {
  const id = bind(lowestId(new Date(Math.max(0, time.getTime() - OUT_OF_ORDER_MAX_MS))))
  return `(SELECT list_place FROM jobs.job AS earlier WHERE earlier.id < ${id}::uuid ORDER BY earlier.id DESC LIMIT 1)`
}

/** SQL: no job that was created before `time` has a higher place. */
export function highestPlace(time: Date, bind: (value: unknown) => string): string {
  const id = bind(lowestId(new Date(Math.max(0, time.getTime() + OUT_OF_ORDER_MAX_MS))))
  return `(SELECT list_place FROM jobs.job AS later WHERE later.id >= ${id}::uuid ORDER BY later.id LIMIT 1)`
}
