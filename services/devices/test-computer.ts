/**
 * The virtual test computer of an organization, created by its first list of test mode. Reference:
 * docs/reference/test-mode.md#virtual-printers.
 */
import { VIRTUAL_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import type { PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { TEST_COMPUTER_SUBJECT } from '@platen/proto/subjects.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { v7 as uuidv7 } from 'uuid'
import { hashCredential, makeCredential } from './agents/credential.ts'
import type { Devices } from './devices.ts'
import { ComputerEntity } from './entities.ts'
import { logPrinters } from './events.ts'
import { storeCapabilities } from './stored-capabilities.ts'

/** The agent connects within about 100 ms. The first list waits for it, so that it shows online printers. */
const ONLINE_TIMEOUT_MS = 3_000

export const TEST_COMPUTER_NAME = 'Virtual test computer'

const PRINTERS = JSON.stringify(
  VIRTUAL_PRINTERS.map(({ osName, name, description, isDefault, capabilities }) => {
    const stored = storeCapabilities(capabilities)
    return {
      os_name: osName,
      name,
      description,
      is_default: isDefault,
      capabilities: stored.capabilities,
      newer_capabilities: stored.newerCapabilities,
    }
  }),
)

/**
 * One statement that also inserts the printers, because first lists may come in bursts. A concurrent statement waits
 * for the commit of the first one. The credential is discarded, because the agent gets another one.
 */
const CREATE = `
WITH created AS (
  INSERT INTO devices.computer (id, organization_id, mode, name, credential_sha256, created_at)
  VALUES ($1, $2, 'test', '${TEST_COMPUTER_NAME}', $3, $4)
  ON CONFLICT (organization_id) WHERE mode = 'test' DO NOTHING RETURNING id, organization_id, mode, created_at
),
printers AS (
  INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name,
    enabled, is_default, reported_state, state_detail, state_reasons, capabilities, newer_capabilities, default_options,
    custom_papers, sequence, created_at, updated_at)
  SELECT uuidv7(), created.id, organization_id, mode, os_name, name, description, name, true, is_default,
    'online', '', '{}', capabilities, newer_capabilities, '{}', '[]', 1, created_at, created_at
  FROM created, jsonb_to_recordset($5)
    AS printer (os_name text, name text, description text, is_default boolean, capabilities jsonb,
      newer_capabilities jsonb)
  RETURNING printer.*
)
${logPrinters(`SELECT printers.*, 'printer.added' AS type, 'unknown' AS state FROM printers`, '$4', '$6')}`

interface ListRequest {
  organizationId: string
  mode: string
  page?: PageRequest
}

/**
 * Runs a list of computers or printers. If the first page of a list of test mode is empty, creates the test computer
 * and runs the list again. Lists of organizations with a test computer need no other statement.
 */
export async function withTestComputer<Row>(
  devices: Devices,
  { organizationId, mode, page }: ListRequest,
  list: () => Promise<Row[]>,
): Promise<Row[]> {
  const found = await list()
  if (found.length > 0 || mode !== 'test' || page?.after !== undefined) return found
  await createTestComputer(devices, organizationId)
  return await list()
}

/** Waits up to `ONLINE_TIMEOUT_MS` until a process has started the agent of the computer. */
async function createTestComputer(
  { orm, pool, nats, clock, log, eventsAdded }: Devices,
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
  const created = await pool.query({ name: 'create test computer', text: CREATE, values })
  if (created.rowCount) eventsAdded()
  else if ((await orm.em.fork().count(ComputerEntity, { organizationId, mode: 'test', state: 'online' })) > 0) return
  await nats.connection
    .request(TEST_COMPUTER_SUBJECT, organizationId, { timeout: ONLINE_TIMEOUT_MS })
    .catch((error: unknown) => log.warn({ err: error }, 'test computer is not online yet'))
}
