/** The filters of the audit log, which are the search parameters of its URL. */
import { isId } from '../../api/job-filters.ts'
import type { AuditQuery } from '../../api/queries.ts'

export interface AuditFilters {
  /** The name of an operation, also of one that this page does not know. */
  action?: string
  actor?: string
  /** The first day, "2027-01-31", in the time zone of the browser. */
  from?: string
  /** The last day. */
  to?: string
}

/** The longest that the service takes. */
const ACTION_LENGTH_MAX = 100

/** Ignores what is no filter, so that a mistyped link shows the log. */
export function parseAuditFilters({ action, actor, from, to }: Record<string, unknown>): AuditFilters {
  const isOrdered = !isDay(from) || !isDay(to) || from <= to
  return {
    ...(typeof action === 'string' && action !== '' && action.length <= ACTION_LENGTH_MAX && { action }),
    ...(typeof actor === 'string' && isId(actor) && { actor }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && isOrdered && { to }),
  }
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const start = new Date(`${value}T00:00Z`)
  // 31 June is a time, but of another day.
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(value)
}

export const toAuditQuery = ({ action, actor, from, to }: AuditFilters): AuditQuery => ({
  action,
  actor,
  since: from && toStart(from),
  until: to && toStart(to, 1),
})

/**
 * @returns the time at which the day begins, or one of the days after it. Days of a change of the clocks do not have 24
 *   hours.
 */
function toStart(day: string, daysLater = 0): string {
  const start = new Date(`${day}T00:00`)
  start.setDate(start.getDate() + daysLater)
  return start.toISOString()
}
