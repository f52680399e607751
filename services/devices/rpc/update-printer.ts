import {
  type UpdatePrinterRequest,
  UpdatePrinterRequestSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { WAITING_JOBS_SUBJECT, type WaitingJobs } from '@platen/proto/subjects.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { stoppedSince } from '../destinations/availability.ts'
import type { Devices } from '../devices.ts'
import { logPrinters, nextEvent } from '../events.ts'
import { getPrinter } from './get-printer.ts'

const IDS = ['organization_id', 'mode', 'printer_id']
/** A field of the request that is no id is the column of its name. */
const FIELDS = UpdatePrinterRequestSchema.fields.filter(({ name }) => !IDS.includes(name))
const COLUMNS = FIELDS.map(({ name }) => name).join(', ')

/** The row with the changes: JSON with columns as keys. */
const CHANGED = 'jsonb_populate_record(printer, $5::jsonb)'

const NEW_STATE = {
  enabled: `COALESCE(($5::jsonb ->> 'enabled')::boolean, printer.enabled)`,
  reportedState: 'printer.reported_state',
  stateReasons: 'printer.state_reasons',
}

/** The state is unknown while the computer is offline. */
const EVENT_ROW = `
SELECT updated.*, 'printer.updated' AS type,
  CASE computer.state WHEN 'online' THEN reported_state ELSE 'unknown' END AS state
FROM updated JOIN devices.computer ON computer.id = computer_id`

/**
 * Changes only the given fields, so that concurrent changes of different fields are both kept. The row lock serializes
 * them. Returns no row if no field changes.
 */
const UPDATE = `
WITH updated AS (
  UPDATE devices.printer
  SET (${COLUMNS}) = (SELECT ${COLUMNS} FROM ${CHANGED}), updated_at = $4, ${nextEvent('printer')},
    stopped_since = ${stoppedSince(NEW_STATE, 'printer.stopped_since', '$4')}
  WHERE id = $1 AND organization_id = $2 AND mode = $3 AND removed_at IS NULL AND printer IS DISTINCT FROM ${CHANGED}
  RETURNING printer.*
),
logged AS (${logPrinters(EVENT_ROW, '$4', '$6')})
SELECT computer_id FROM updated`

/**
 * The replica with the computer's stream then dispatches what waits, because the printer can have been enabled.
 *
 * @throws ApiError `not_found` also for a printer of another organization or mode, or removed.
 */
export async function updatePrinter(devices: Devices, request: UpdatePrinterRequest) {
  const { organizationId, mode, printerId } = request
  const ids = [printerId, organizationId, mode]
  const values = [...ids, devices.clock.now(), JSON.stringify(toChanges(request)), currentTraceparent()]
  const { rows } = await devices.pool.query<{ computer_id: string }>(UPDATE, values)
  for (const { computer_id } of rows) {
    devices.eventsAdded()
    devices.printers.announce({ organizationId, computerId: computer_id, printerIds: [printerId] })
    // After the announcement, so that the claim finds the printer enabled.
    devices.nats.connection.publish(WAITING_JOBS_SUBJECT, JSON.stringify([[computer_id]] satisfies WaitingJobs))
  }
  const { printer } = await getPrinter(devices, request)
  return { printer }
}

/** @returns the new values by column; null clears one. */
function toChanges({ remarks, customPapers, defaultExpireAfter, ...others }: UpdatePrinterRequest): object {
  const papers = customPapers?.papers.map(({ name, width, height }) => ({ name, width, height }))
  const changes: Record<string, unknown> = {
    ...others,
    ...(papers && { customPapers: papers }),
    ...(remarks && { remarks: remarks.text ?? null }),
    ...(defaultExpireAfter && { defaultExpireAfter: defaultExpireAfter.seconds ?? null }),
  }
  return Object.fromEntries(FIELDS.map(({ name, localName }) => [name, changes[localName]]))
}
