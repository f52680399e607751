/** Watches jobs until they end. One poll covers all jobs; polls are frequent for a new job, and stop without jobs. */
import type { SpoolerState } from '../spooler.ts'
import { type CupsJob, isFilterFailure, resolveCompleted, toDamaged, toHeldAgain } from './job-state.ts'

export interface WatchTimings {
  /** Poll interval of a new job, and how long a job is new. */
  quickMs: number
  quickForMs: number
  /** Poll interval afterwards. */
  slowMs: number
}

const TIMINGS: WatchTimings = { quickMs: 250, quickForMs: 2_000, slowMs: 1_000 }

/** CUPS retries about every 10 s after a failure of a filter. A single failure can be temporary. */
const FILTER_FAILURES_MAX = 2

const ENDED = new Set<CupsJob['state']>(['completed', 'canceled', 'aborted'])

export interface WatchedJobs {
  /** The known jobs, by id. */
  poll(ids: number[]): Promise<Map<number, CupsJob>>
  /** The job at the device; undefined without an answer. Called for completed jobs. */
  getJobAtDevice(job: CupsJob): Promise<CupsJob | undefined>
  toState(job: CupsJob): SpoolerState
  /** Called for jobs whose document the device refused. */
  cancelJobAtDevice(job: CupsJob): Promise<void>
  /** Cancels a job that CUPS would never end. */
  cancel(id: number): Promise<void>
}

interface Watched {
  id: number
  sinceMs: number
  polls: number
}

interface Poll {
  promise: Promise<Map<number, CupsJob>>
  resolve(jobs: Promise<Map<number, CupsJob>>): void
  timer: NodeJS.Timeout
  atMs: number
}

export function createWatcher(jobs: WatchedJobs, timings = TIMINGS) {
  const watched = new Set<Watched>()
  let next: Poll | undefined

  function run(): void {
    const { resolve } = next ?? {}
    next = undefined
    resolve?.(jobs.poll([...new Set([...watched].map(({ id }) => id))]))
  }

  /** The next poll of all jobs, at the earliest time that any job needs. */
  function nextPoll({ sinceMs, polls }: Watched): Poll['promise'] {
    const now = performance.now()
    const delayMs = polls === 0 ? 0 : now - sinceMs < timings.quickForMs ? timings.quickMs : timings.slowMs
    const atMs = now + delayMs
    if (!next) {
      const { promise, resolve } = Promise.withResolvers<Map<number, CupsJob>>()
      // All watches may have been aborted when the poll fails.
      promise.catch(() => undefined)
      next = { promise, resolve, timer: setTimeout(run, delayMs), atMs }
    } else if (atMs < next.atMs) {
      clearTimeout(next.timer)
      Object.assign(next, { timer: setTimeout(run, delayMs), atMs })
    }
    return next.promise
  }

  return async function* watch(id: number, uuid: string, signal: AbortSignal): AsyncGenerator<SpoolerState> {
    const entry: Watched = { id, sinceMs: performance.now(), polls: 0 }
    const failures = createFailureCounter()
    watched.add(entry)
    try {
      for (let last = ''; ; ) {
        const job = (await rejectOnAbort(nextPoll(entry), signal)).get(id)
        entry.polls++
        if (job?.uuid !== uuid) return
        let state = resolveState(job, failures.update(job), jobs.toState)
        if (state.is === 'completed') state = resolveCompleted(job, await jobs.getJobAtDevice(job))
        const isFinal = state.is === 'completed' || state.is === 'aborted'
        if (isFinal && !ENDED.has(job.state)) await jobs.cancel(id)
        if (state.is === 'aborted' && job.state === 'completed') await jobs.cancelJobAtDevice(job)
        if (JSON.stringify(state) !== last) yield state
        if (isFinal) return
        last = JSON.stringify(state)
      }
    } finally {
      watched.delete(entry)
      if (watched.size === 0) {
        clearTimeout(next?.timer)
        next = undefined
      }
    }
  }
}

function resolveState(job: CupsJob, filterFailures: number, toState: WatchedJobs['toState']): SpoolerState {
  if (filterFailures >= FILTER_FAILURES_MAX) return toDamaged(job)
  return job.state === 'pending-held' ? toHeldAgain(job) : toState(job)
}

/** Counts failures of filters. A failure is counted when its message appears. */
function createFailureCounter() {
  let count = 0
  let wasFailing = false
  return {
    update(job: CupsJob): number {
      const isFailing = isFilterFailure(job)
      if (isFailing && !wasFailing) count++
      wasFailing = isFailing
      return count
    },
  }
}

async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
