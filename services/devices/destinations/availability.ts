/** SQL that says which printers take jobs of destinations. Reference: docs/reference/destinations.md#available. */
import type { UNAVAILABLE_REASONS } from '@platen/resources/destination-schema.ts'
import { isStoppedSql, UNREACHABLE_KEYWORDS } from '@platen/resources/state-reasons.ts'

type Reason = (typeof UNAVAILABLE_REASONS)[number]

/** SQL: a printer with these values takes no job, whatever its computer does. */
const isStopped = (enabled: string, reportedState: string, stateReasons: string) =>
  `(${isStoppedSql(enabled, stateReasons)} OR ${reportedState} = 'offline'
    OR 'computer-disk-full' = ANY(${stateReasons}))`

/**
 * SQL of the new value of `printer.stopped_since`.
 *
 * @param enabled, reportedState, stateReasons SQL of the new values of the printer. @param before SQL of the value
 *   before. @param at SQL of the time.
 */
export const stoppedSince = (
  { enabled, reportedState, stateReasons }: Record<'enabled' | 'reportedState' | 'stateReasons', string>,
  before: string,
  at: string,
) => `CASE WHEN ${isStopped(enabled, reportedState, stateReasons)} THEN COALESCE(${before}, ${at}::timestamptz) END`

/** The conditions are in the order of `UNAVAILABLE_REASONS`. */
const CONDITIONS = {
  'printer-removed': 'printer.id IS NULL OR printer.removed_at IS NOT NULL',
  'computer-paused': 'computer.paused_at IS NOT NULL',
  'printer-disabled': 'NOT printer.enabled',
  'computer-unauthorized': 'computer.unauthorized_at IS NOT NULL',
  'computer-offline': `computer.state <> 'online'`,
  'printer-offline': `printer.reported_state = 'offline'`,
  'computer-disk-full': `'computer-disk-full' = ANY(printer.state_reasons)`,
  'queue-paused': `'paused' = ANY(printer.state_reasons)`,
} satisfies Partial<Record<Reason, string>>

/** SQL of the reason of a row of `printer` and `computer`, which can be missing. Null: the printer is available. */
export const UNAVAILABLE_REASON = `CASE
  ${Object.entries(CONDITIONS)
    .map(([reason, condition]) => `WHEN ${condition} THEN '${reason}'`)
    .join('\n  ')}
  WHEN printer.state_reasons && '{${UNREACHABLE_KEYWORDS.join(',')}}'::text[] THEN 'printer-offline'
  WHEN ${isStopped('printer.enabled', 'printer.reported_state', 'printer.state_reasons')} THEN 'printer-waits'
END`

/**
 * SQL of the time since which the printer is not available: the first of what stops it now. Null for a printer that is
 * available.
 */
export const UNAVAILABLE_SINCE = `LEAST(
  printer.removed_at, computer.paused_at,
  CASE WHEN computer.state <> 'online' THEN COALESCE(computer.last_seen_at, computer.created_at) END,
  CASE WHEN ${isStopped('printer.enabled', 'printer.reported_state', 'printer.state_reasons')}
    THEN COALESCE(printer.stopped_since, printer.updated_at) END,
  CASE WHEN printer.id IS NULL THEN destination.created_at END)`
