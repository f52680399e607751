/**
 * Whether a printer on the network is there, as far as that can be known without getting in its way: many take one connection at a time. So
 * what its jobs meet counts first, and it is only called upon when it has none: once a minute while it answers, and sooner when it does not.
 * Nothing happens by itself; whoever asks sets it off.
 */

export interface ReachabilityTimings {
  /** After the last word of a printer that answers. */
  onlineMs: number
  /** After it did not. */
  offlineMs: number
}

export const REACHABILITY_TIMINGS: ReachabilityTimings = { onlineMs: 60_000, offlineMs: 5_000 }

/** Another computer's job may be in the way for a moment. */
const FAILURES_MIN = 2

export type Reachability = ReturnType<typeof createReachability>

/** @param probe resolves when the printer answers, and else throws within 2 s, with a sentence for people. */
export function createReachability(probe: () => Promise<void>, { onlineMs, offlineMs }: ReachabilityTimings) {
  let online: boolean | undefined
  let detail = ''
  let failures = 0
  let answeredAtMs = 0
  let jobs = 0
  let calling: Promise<void> | undefined

  function answered(): void {
    online = true
    detail = ''
    failures = 0
    answeredAtMs = performance.now()
  }

  function failed(why: string): void {
    failures++
    answeredAtMs = performance.now()
    if (online !== undefined && failures < FAILURES_MIN) return
    online = false
    detail = why
  }

  const isDue = () => performance.now() - answeredAtMs >= (failures > 0 ? offlineMs : onlineMs)

  async function ask(): Promise<void> {
    try {
      await probe()
      answered()
    } catch (error) {
      if (jobs === 0) failed(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    answered,
    failed,

    /** A job is on its way to the printer: it is left alone. */
    async during<T>(work: () => Promise<T>): Promise<T> {
      jobs++
      return await work().finally(() => jobs--)
    },

    /** Waits for the printer only as long as nothing is known of it. */
    async state(): Promise<{ isOnline: boolean; detail: string }> {
      if (jobs === 0 && (online === undefined || isDue()))
        calling ??= ask().finally(() => {
          calling = undefined
        })
      if (online === undefined) await calling
      return { isOnline: online ?? true, detail }
    },
  }
}
