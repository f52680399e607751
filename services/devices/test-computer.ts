/** The virtual test computer of an organization, created by its first list of test mode. Reference: docs/reference/test-mode.md#virtual-printers. */
import { create, toJson } from '@bufbuild/protobuf'
import { VIRTUAL_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import type { PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { TEST_COMPUTER_SUBJECT } from '@platen/proto/subjects.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { v7 as uuidv7 } from 'uuid'
import { hashCredential, makeCredential } from './agents/credential.ts'
import type { Devices } from './devices.ts'
import { logPrinters } from './events.ts'

/** Its agent connects within some 100 ms. Somebody waits for the first list, and is then shown printers that are online. */
const ONLINE_WITHIN_MS = 1_000

export const TEST_COMPUTER_NAME = 'Virtual test computer'

const PRINTERS = JSON.stringify(
  VIRTUAL_PRINTERS.map(({ osName, name, description, isDefault, capabilities }) => ({
    os_name: osName,
    name,
    description,
    is_default: isDefault,
    capabilities: toJson(PrinterCapabilitiesSchema, create(PrinterCapabilitiesSchema, capabilities)),
  })),
)

/**
 * One statement, for first uses may come in bursts: as if the agent had reported its printers already. Whoever comes second waits until the
 * first has committed, printers and all. Nobody knows the credential: the agent gets another.
 */
const MAKE = `
WITH made AS (
  INSERT INTO devices.computer (id, organization_id, mode, name, credential_sha256, created_at)
  VALUES ($1, $2, 'test', '${TEST_COMPUTER_NAME}', $3, $4)
  ON CONFLICT (organization_id) WHERE mode = 'test' DO NOTHING RETURNING id, organization_id, mode, created_at
),
printers AS (
  INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name, enabled, is_default,
    reported_state, state_detail, state_reasons, capabilities, default_options, custom_papers, sequence, created_at, updated_at)
  SELECT uuidv7(), made.id, organization_id, mode, os_name, name, description, name, true, is_default,
    'online', '', '{}', capabilities, '{}', '[]', 1, created_at, created_at
  FROM made, jsonb_to_recordset($5)
    AS printer (os_name text, name text, description text, is_default boolean, capabilities jsonb)
  RETURNING printer.*
)
${logPrinters(`SELECT printers.*, 'printer.added' AS type, 'unknown' AS state FROM printers`, '$4', '$6')}`

interface Asked {
  organizationId: string
  mode: string
  page?: PageRequest
}

/**
 * Runs a list of computers or printers. One of test mode that has nothing to show from its beginning on is run again once there is a test
 * computer, so that whoever has one pays nothing for this.
 */
export async function withTestComputer<Row>(
  devices: Devices,
  { organizationId, mode, page }: Asked,
  list: () => Promise<Row[]>,
): Promise<Row[]> {
  const found = await list()
  if (found.length > 0 || mode !== 'test' || page?.after !== undefined) return found
  await makeTestComputer(devices, organizationId)
  return await list()
}

/** Comes back when the computer is online, if that is soon; else it will be when there is somebody who plays test computers. */
async function makeTestComputer(
  { pool, nats, clock, log, eventsAdded }: Devices,
  organizationId: string,
): Promise<void> {
  const values = [
    uuidv7(),
    organizationId,
    hashCredential(makeCredential()),
    clock.now(),
    PRINTERS,
    currentTraceparent(),
  ]
  const made = await pool.query({ name: 'make test computer', text: MAKE, values })
  if (made.rowCount) eventsAdded()
  else if (await isOnline(pool, organizationId)) return
  await nats.connection
    .request(TEST_COMPUTER_SUBJECT, organizationId, { timeout: ONLINE_WITHIN_MS })
    .catch((error: unknown) => log.warn({ err: error }, 'a test computer is not online yet'))
}

async function isOnline(pool: Devices['pool'], organizationId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM devices.computer WHERE organization_id = $1 AND mode = 'test' AND state = 'online'`,
    [organizationId],
  )
  return rowCount === 1
}
