import type { UpdatePrinterRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { WAITING_JOBS_SUBJECT, type WaitingJobs } from '@platen/proto/subjects.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { stoppedSince } from '../destinations/availability.ts'
import type { Devices } from '../devices.ts'
import { logPrinters, nextEvent } from '../events.ts'
import { getPrinter } from './get-printer.ts'

const COLUMNS = 'display_name, enabled, remarks, default_options, custom_papers, default_expire_after, shared'
const NEW_VALUES = `COALESCE($5, display_name), COALESCE($6, enabled), CASE WHEN $7 THEN $8 ELSE remarks END,
  COALESCE($9, default_options), COALESCE($10, custom_papers), CASE WHEN $12 THEN $13 ELSE default_expire_after END,
  COALESCE($14, shared)`

const NEW_STATE = {
  enabled: 'COALESCE($6, printer.enabled)',
  reportedState: 'printer.reported_state',
  stateReasons: 'printer.state_reasons',
}

/** The state is unknown while the computer is offline. */
const EVENT_ROW = `
SELECT updated.*, 'printer.updated' AS type, CASE computer.state WHEN 'online' THEN reported_state ELSE 'unknown' END AS state
FROM updated JOIN devices.computer ON computer.id = computer_id`

/**
 * Changes only the given fields, so that concurrent changes of different fields are both kept. The row lock serializes them. Returns no row
 * if no field changes.
 */
const UPDATE = `
WITH updated AS (
  UPDATE devices.printer SET (${COLUMNS}) = ROW (${NEW_VALUES}), updated_at = $4, ${nextEvent('printer')},
    stopped_since = ${stoppedSince(NEW_STATE, 'printer.stopped_since', '$4')}
  WHERE id = $1 AND organization_id = $2 AND mode = $3 AND removed_at IS NULL
    AND (${COLUMNS}) IS DISTINCT FROM (${NEW_VALUES})
  RETURNING printer.*, new.enabled AND NOT old.enabled AS switched_on
),
logged AS (${logPrinters(EVENT_ROW, '$4', '$11')})
SELECT computer_id, switched_on FROM updated`

interface Updated {
  computer_id: string
  switched_on: boolean
}

/**
 * If the printer becomes enabled, the replica with the computer's stream dispatches its waiting jobs.
 *
 * @throws ApiError `not_found` also for a printer of another organization or mode, or removed.
 */
export async function updatePrinter(devices: Devices, request: UpdatePrinterRequest) {
  const {
    organizationId,
    mode,
    printerId,
    displayName,
    enabled,
    shared,
    remarks,
    defaultOptions,
    customPapers,
    defaultExpireAfter,
  } = request
  const papers = customPapers?.papers.map(({ name, width, height }) => ({ name, width, height }))
  const { rows } = await devices.pool.query<Updated>(UPDATE, [
    printerId,
    organizationId,
    mode,
    devices.clock.now(),
    displayName,
    enabled,
    remarks !== undefined,
    remarks?.text,
    defaultOptions,
    papers && JSON.stringify(papers),
    currentTraceparent(),
    defaultExpireAfter !== undefined,
    defaultExpireAfter?.seconds,
    shared,
  ])
  for (const { computer_id, switched_on } of rows) {
    devices.eventsAdded()
    devices.printers.announce({ organizationId, computerId: computer_id, printerIds: [printerId] })
    // After the announcement, so that the claim finds the printer enabled.
    if (switched_on)
      devices.nats.connection.publish(WAITING_JOBS_SUBJECT, JSON.stringify([[computer_id]] satisfies WaitingJobs))
  }
  const { printer } = await getPrinter(devices, request)
  return { printer }
}
