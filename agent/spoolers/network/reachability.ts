/**
 * Detects whether a network printer is reachable. Many printers accept one connection at a time, so a printer with a
 * job is not probed, and the result of its jobs is used. Other printers are probed when their state is queried: once a
 * minute while they answer, more often after a failure. It has no timer.
 */

export interface ReachabilityTimings {
  /** Interval of probes after a success. */
  onlineMs: number
  /** Interval of probes after a failure. */
  offlineMs: number
}

export const REACHABILITY_TIMINGS: ReachabilityTimings = { onlineMs: 60_000, offlineMs: 5_000 }

/** A single failure can be caused by a job of another computer. */
const FAILURES_MIN = 2

/**
 * @param probe resolves if the printer answers, else throws within 2 s. The message of the error is a sentence for
 *   users.
 */
export function createReachability(probe: () => Promise<void>, { onlineMs, offlineMs }: ReachabilityTimings) {
  let online: boolean | undefined
  let detail = ''
  let failures = 0
  let lastResultAtMs = 0
  let jobs = 0
  let probing: Promise<void> | undefined

  function recordSuccess(): void {
    online = true
    detail = ''
    failures = 0
    lastResultAtMs = performance.now()
  }

  function recordFailure(reason: string): void {
    failures++
    lastResultAtMs = performance.now()
    if (online !== undefined && failures < FAILURES_MIN) return
    online = false
    detail = reason
  }

  const isDue = () => performance.now() - lastResultAtMs >= (failures > 0 ? offlineMs : onlineMs)

  async function runProbe(): Promise<void> {
    try {
      await probe()
      recordSuccess()
    } catch (error) {
      if (jobs === 0) recordFailure(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    recordSuccess,
    recordFailure,

    isBusy: () => jobs > 0,

    /** Runs no probes during the work, which sends a job. */
    async whileBusy<T>(work: () => Promise<T>): Promise<T> {
      jobs++
      return await work().finally(() => jobs--)
    },

    /** Waits for a probe only if there has been no result yet. */
    async state(): Promise<{ isOnline: boolean; detail: string }> {
      if (jobs === 0 && (online === undefined || isDue()))
        probing ??= runProbe().finally(() => {
          probing = undefined
        })
      if (online === undefined) await probing
      return { isOnline: online ?? true, detail }
    },
  }
}
