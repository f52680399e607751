/** The virtual test computer of an organization, made the first time that somebody looks for it. Source: specification, "Computer". */
import { create } from '@bufbuild/protobuf'
import { VIRTUAL_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { PageRequest } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { TEST_COMPUTER_SUBJECT } from '@platen/proto/subjects.ts'
import { v7 as uuidv7 } from 'uuid'
import { hashCredential, makeCredential } from './agents/credential.ts'
import { setPrinters } from './agents/store-printer-report.ts'
import type { Devices } from './devices.ts'

/** Its agent connects within some 50 ms. Somebody waits for the first list, and is then shown printers that are online. */
const ONLINE_WITHIN_MS = 2_000

/** Whoever comes second waits until the first has committed, printers and all. Nobody knows the credential: its agent gets another. */
const MAKE = `
INSERT INTO devices.computer (id, organization_id, mode, name, credential_sha256, created_at)
VALUES (?, ?, 'test', 'Virtual test computer', ?, ?)
ON CONFLICT (organization_id) WHERE mode = 'test' DO NOTHING RETURNING id`

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
async function makeTestComputer(devices: Devices, organizationId: string): Promise<void> {
  const now = devices.clock.now()
  const isOnline = await devices.orm.em.fork().transactional(async (em) => {
    const values = [uuidv7(), organizationId, hashCredential(makeCredential()), now]
    const [made] = await em.execute<{ id: string }[]>(MAKE, values)
    if (made) {
      const reported = VIRTUAL_PRINTERS.map((printer) => create(ReportedPrinterSchema, printer))
      await setPrinters(em, { computerId: made.id, organizationId, mode: 'test' }, reported, now)
      return false
    }
    const isOnlineTestComputer = `SELECT FROM devices.computer WHERE organization_id = ? AND mode = 'test' AND state = 'online'`
    return (await em.execute(isOnlineTestComputer, [organizationId])).length > 0
  })
  if (isOnline) return
  await devices.nats.connection
    .request(TEST_COMPUTER_SUBJECT, organizationId, { timeout: ONLINE_WITHIN_MS })
    .catch((error: unknown) => devices.log.warn({ err: error }, 'a test computer is not online yet'))
}
