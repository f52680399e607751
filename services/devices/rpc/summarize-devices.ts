import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  ComputerSchema,
  PrinterSchema,
  type SummarizeDevicesRequest,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import { isStoppedSql } from '@platen/resources/state-reasons.ts'
import type { Devices } from '../devices.ts'
import { toShownState } from '../devices-to-proto.ts'
import type { Computer, Printer } from '../entities.ts'
import { withTestComputer } from '../test-computer.ts'

const SHOWN_MAX = 50
const DAY_MS = 24 * 60 * 60_000

/** Scans the indexes `computer_page` and `printer_page`. */
const COUNT = `
SELECT computers.*, printers.* FROM (
  SELECT count(*)::int AS computers, (count(*) FILTER (WHERE state = 'online'))::int AS "onlineComputers"
  FROM devices.computer WHERE organization_id = $1 AND mode = $2 AND deleted_at IS NULL
) AS computers CROSS JOIN (
  SELECT count(*)::int AS printers,
    (count(*) FILTER (WHERE state = 'online' AND reported_state = 'online'))::int AS "onlinePrinters"
  FROM devices.printer JOIN devices.computer ON computer.id = computer_id
  WHERE printer.organization_id = $1 AND printer.mode = $2 AND removed_at IS NULL
) AS printers`

interface Counts {
  computers: number
  onlineComputers: number
  printers: number
  onlinePrinters: number
}

/**
 * Reads all printers of the organization and mode by `printer_page`, 3 ms for 1,000 of them. Takes no locks. The
 * columns of a computer are named after it.
 */
const LIST_PRINTERS = `
SELECT * FROM (
  SELECT printer.id, printer.number, display_name AS "displayName", enabled, reported_state AS "reportedState",
    state_detail AS "stateDetail", state_reasons AS "stateReasons", printer.created_at AS "createdAt",
    updated_at AS "updatedAt", computer.id AS "computerId", computer.name AS "computerName",
    computer.state AS "computerState", paused_at AS "pausedAt", unauthorized_at AS "unauthorizedAt",
    last_seen_at AS "lastSeenAt",
    row_number() OVER (
      ORDER BY NOT (computer.state = 'online' AND reported_state = 'online'
        AND NOT ${isStoppedSql('enabled', 'state_reasons')}) DESC, updated_at > $4 DESC, display_name, printer.id
    )::int AS position
  FROM devices.printer JOIN devices.computer ON computer.id = computer_id
  WHERE printer.organization_id = $1 AND printer.mode = $2 AND removed_at IS NULL
) AS printer
WHERE position <= ${SHOWN_MAX} OR id = ANY ($3::uuid[]) ORDER BY position`

interface Row
  extends Pick<
    Printer,
    | 'id'
    | 'number'
    | 'displayName'
    | 'enabled'
    | 'reportedState'
    | 'stateDetail'
    | 'stateReasons'
    | 'createdAt'
    | 'updatedAt'
  > {
  computerId: string
  computerName: string
  computerState: Computer['state']
  pausedAt: Date | null
  unauthorizedAt: Date | null
  lastSeenAt: Date | null
  position: number
}

/** The devices of one organization and mode. */
export async function summarizeDevices(devices: Devices, request: SummarizeDevicesRequest) {
  const { lists, clock } = devices
  const { organizationId, mode, printerIds } = request
  const dayAgo = new Date(clock.now().getTime() - DAY_MS)
  const read = async () => (await lists.query<Row>(LIST_PRINTERS, [organizationId, mode, printerIds, dayAgo])).rows
  const printers = await withTestComputer(devices, { organizationId, mode }, read)
  const {
    rows: [counts],
  } = await lists.query<Counts>(COUNT, [organizationId, mode])
  return {
    ...counts,
    shown: printers.filter(({ position }) => position <= SHOWN_MAX).map(printerToProto),
    requested: printers.filter(({ id }) => printerIds.includes(id)).map(printerToProto),
    theirComputers: [...new Map(printers.map((row) => [row.computerId, computerToProto(row)])).values()],
  }
}

const printerToProto = ({ computerState, reportedState, createdAt, updatedAt, ...row }: Row) =>
  create(PrinterSchema, {
    ...row,
    state: toShownState(computerState, reportedState),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  })

const computerToProto = ({ computerId, computerName, computerState, pausedAt, unauthorizedAt, lastSeenAt }: Row) =>
  create(ComputerSchema, {
    id: computerId,
    name: computerName,
    state: computerState,
    pausedAt: timestampOrNone(pausedAt),
    unauthorizedAt: timestampOrNone(unauthorizedAt),
    lastSeenAt: timestampOrNone(lastSeenAt),
  })
