/**
 * Shows an operator which limits refuse or cut work: one log line per second and limit, so that a flood does not fill
 * the log, and a counter.
 */
import type { Logger } from '../log.ts'
import { LIMITS, type Limit, limitsExceeded } from './metrics.ts'

const LOG_EVERY_MS = 1_000

/** @param limit in the log and in the counter. @param facts ids for the log. */
export type LimitReport = (limit: Limit, facts?: Record<string, string>) => void

export function createLimitReport(log: Logger, now = () => performance.now()): LimitReport {
  for (const limit of LIMITS) limitsExceeded.add(0, { limit })
  const limits = new Map<string, { loggedAt: number; notLogged: number }>()
  return (limit, facts) => {
    limitsExceeded.add(1, { limit })
    const last = limits.get(limit)
    if (last && now() - last.loggedAt < LOG_EVERY_MS) {
      last.notLogged++
      return
    }
    limits.set(limit, { loggedAt: now(), notLogged: 0 })
    log.warn({ ...facts, limit, ...(last?.notLogged && { not_logged: last.notLogged }) }, 'limit exceeded')
  }
}
