import type { Devices } from '../devices.ts'
import { logPrinters, nextEvent } from '../events.ts'

/** Many printers can change together, for example behind one network switch. */
const BATCH = 500

/**
 * Scans `printer_state_differs`, which is nearly always empty. Skips locked computers and printers until the next
 * sweep, so that it does not wait, and so that no printer of an offline computer gets an event.
 */
const SWEEP = `
WITH due AS (
  SELECT printer.id FROM devices.printer JOIN devices.computer ON computer.id = computer_id
  WHERE state_differs_since <= $1 AND computer.state = 'online'
  ORDER BY state_differs_since LIMIT ${BATCH} FOR UPDATE OF printer SKIP LOCKED FOR SHARE OF computer SKIP LOCKED
),
changed AS (
  UPDATE devices.printer SET known_state = reported_state, state_differs_since = NULL, ${nextEvent('printer')}
  FROM due WHERE printer.id = due.id RETURNING printer.*
)
${logPrinters(`SELECT changed.*, 'printer.' || known_state AS type, known_state AS state FROM changed`, '$2')}`

/**
 * Emits `printer.online` and `printer.offline` for printers whose reported state has differed for long enough from the
 * last emitted one. Reference: docs/reference/events.md#printer-events.
 */
export async function sweepPrinterStates(
  { pool, clock, eventsAdded }: Pick<Devices, 'pool' | 'clock' | 'eventsAdded'>,
  differsForMs: number,
): Promise<void> {
  const now = clock.now()
  const { rowCount } = await pool.query({
    name: 'sweep printer states',
    text: SWEEP,
    values: [new Date(now.getTime() - differsForMs), now],
  })
  if (rowCount) eventsAdded()
}
