/**
 * Replaces the printers of a computer by those of a complete report. A printer with the same `osName` keeps its id and
 * its edited fields, also if it returns. A missing printer is removed. Reference: docs/reference/printers.md#identity.
 */
import type { ReportedPrinter } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { PRINTER_REPORT_LIMITS } from '@platen/resources/limits.ts'
import { stoppedSince } from '../destinations/availability.ts'
import type { Devices } from '../devices.ts'
import { logPrinters, nextEvent } from '../events.ts'
import { storeCapabilities } from '../stored-capabilities.ts'

const PRINTERS_PER_ORGANIZATION_MAX = BUDGETS.printers.max
const { removed: REMOVED_PER_COMPUTER_MAX } = PRINTER_REPORT_LIMITS

/** Columns whose change inserts an event immediately, unlike the state. */
const FACTS = [
  'name',
  'description',
  'is_default',
  'state_detail',
  'state_reasons',
  'capabilities',
  'newer_capabilities',
]
const NAMES = FACTS.join(', ')
const qualified = (table: string) => FACTS.map((fact) => `${table}.${fact}`).join(', ')

const REPORTED = { reportedState: 'changed.reported_state', stateReasons: 'changed.state_reasons' }
const CONFLICTING = {
  enabled: 'printer.enabled',
  reportedState: 'excluded.reported_state',
  stateReasons: 'excluded.state_reasons',
}

const COUNT = `
SELECT count(*) FROM devices.printer, computer
WHERE printer.organization_id = computer.organization_id AND printer.mode = computer.mode AND removed_at IS NULL`

/**
 * One statement for all printers. Unchanged printers are not written or locked. After a rolling restart that is all of
 * them.
 *
 * A deleted computer is offline. The key share lock delays a concurrent deletion of the computer, but not a newer
 * hello.
 */
const STORE = `
WITH computer AS (
  SELECT id, organization_id, mode FROM devices.computer
  WHERE id = $1 AND epoch = $2 AND state = 'online' FOR KEY SHARE
),
reported AS (
  SELECT *
  FROM jsonb_to_recordset($4) AS reported (os_name text, name text, description text, is_default boolean,
    reported_state text, state_detail text, state_reasons text[], capabilities jsonb, newer_capabilities jsonb)
),
changed AS (
  SELECT reported.*, printer.id IS NULL AS is_new FROM reported CROSS JOIN computer
    LEFT JOIN devices.printer ON printer.computer_id = computer.id AND printer.os_name = reported.os_name
  WHERE (${qualified('printer')}, printer.reported_state, printer.removed_at, printer.state_differs_since IS NULL)
    IS DISTINCT FROM (${qualified('reported')}, reported.reported_state, NULL,
      printer.known_state = reported.reported_state)
),
stored AS (
  INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, display_name, enabled, default_options,
    custom_papers, ${NAMES}, reported_state, known_state, stopped_since, sequence, created_at, updated_at)
  SELECT uuidv7(), computer.id, organization_id, mode, os_name, changed.name, true, '{}', '[]',
    ${qualified('changed')}, reported_state, reported_state,
    ${stoppedSince({ ...REPORTED, enabled: 'true' }, 'NULL', '$3')}, 1, $3, $3
  FROM (
    SELECT * FROM changed WHERE NOT is_new
    UNION ALL
    (SELECT * FROM changed WHERE is_new
      -- Counts only if a printer is new.
      LIMIT CASE WHEN EXISTS (SELECT FROM changed WHERE is_new)
        THEN GREATEST(0, ${PRINTERS_PER_ORGANIZATION_MAX} - (${COUNT})) END)
  ) AS changed CROSS JOIN computer
  ON CONFLICT (computer_id, os_name) DO UPDATE SET
    (${NAMES}) = ROW (${qualified('excluded')}),
    reported_state = excluded.reported_state,
    known_state = CASE WHEN printer.removed_at IS NULL THEN printer.known_state ELSE excluded.known_state END,
    stopped_since = ${stoppedSince(CONFLICTING, 'printer.stopped_since', '$3')},
    state_differs_since = CASE WHEN printer.removed_at IS NULL AND excluded.reported_state <> printer.known_state
      THEN COALESCE(printer.state_differs_since, $3) END,
    ${nextEvent(
      'printer',
      `printer.removed_at IS NOT NULL OR (${qualified('printer')}) IS DISTINCT FROM (${qualified('excluded')})`,
    )},
    removed_at = NULL,
    updated_at = $3
  RETURNING printer.*, new.reported_state AS state,
    CASE WHEN old.id IS NULL OR old.removed_at IS NOT NULL THEN 'printer.added'
         WHEN new.sequence > old.sequence THEN 'printer.updated' END AS type,
    new.reported_state IS DISTINCT FROM old.reported_state AS state_changed
),
removed AS (
  UPDATE devices.printer SET removed_at = $3, updated_at = $3, state_differs_since = NULL, ${nextEvent('printer')}
  FROM computer
  WHERE computer_id = computer.id AND removed_at IS NULL AND os_name NOT IN (SELECT os_name FROM reported)
  RETURNING printer.*, reported_state AS state, 'printer.removed' AS type, false AS state_changed
),
logged AS (${logPrinters('SELECT * FROM stored WHERE type IS NOT NULL UNION ALL SELECT * FROM removed', '$3')})
SELECT organization_id AS "organizationId", ARRAY(
    SELECT id FROM stored WHERE type IS NOT NULL OR state_changed UNION ALL SELECT id FROM removed
  ) AS "changedIds", (SELECT count(*) FROM changed)::int - (SELECT count(*) FROM stored)::int AS refused
FROM computer`

/**
 * A computer keeps the last ones of its removed printers, because the names of printers in remote sessions differ each
 * time.
 */
const DELETE_REMOVED = `
DELETE FROM devices.printer WHERE id IN (
  SELECT id FROM devices.printer WHERE computer_id = $1 AND removed_at IS NOT NULL
  ORDER BY removed_at DESC, id OFFSET ${REMOVED_PER_COMPUTER_MAX})`

type Context = Pick<
  Devices,
  | 'pool'
  | 'clock'
  | 'printers'
  | 'connections'
  | 'printerEventRates'
  | 'organizationEventRates'
  | 'eventsAdded'
  | 'limitExceeded'
>

/**
 * Announces changed printers, and claims jobs of printers that went online if this replica holds the computer's stream.
 *
 * @param epoch of the stream with the report.
 * @returns false, without a change, if a newer stream has replaced the stream or the computer is not online.
 */
export async function storePrinterReport(
  {
    pool,
    clock,
    printers,
    connections,
    printerEventRates,
    organizationEventRates,
    eventsAdded,
    limitExceeded,
  }: Context,
  computerId: string,
  epoch: bigint,
  reported: ReportedPrinter[],
): Promise<boolean> {
  // The last printer with a name is used.
  const reports = [...new Map(reported.map((printer) => [printer.osName, printer])).values()]
  const { rows } = await pool.query<{ organizationId: string; changedIds: string[]; refused: number }>({
    name: 'store printer report',
    text: STORE,
    values: [computerId, epoch, clock.now(), JSON.stringify(reports.map(toRow))],
  })
  const [computer] = rows
  if (!computer) return false
  const { organizationId, changedIds, refused } = computer
  if (refused > 0) limitExceeded('printers of an organization', { computerId, organizationId })
  if (changedIds.length > 0) {
    eventsAdded()
    printers.announce({ organizationId, computerId, printerIds: changedIds })
    printerEventRates.get(computerId).take(changedIds.length)
    organizationEventRates.get(organizationId).take(changedIds.length)
    await pool.query({ name: 'delete removed printers', text: DELETE_REMOVED, values: [computerId] })
    // After the announcement, so that the claim finds the printers online.
    connections.get(computerId)?.dispatch.wake()
  }
  return true
}

const toRow = (report: ReportedPrinter) => {
  const { capabilities, newerCapabilities } = storeCapabilities(report.capabilities)
  return {
    os_name: report.osName,
    name: report.name,
    description: report.description,
    is_default: report.isDefault,
    reported_state: report.state === 'online' ? 'online' : 'offline',
    state_detail: report.stateDetail,
    state_reasons: report.stateReasons,
    capabilities,
    newer_capabilities: newerCapabilities,
  }
}
