import type { ListComputerNamesRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Devices } from '../devices.ts'
import { withTestComputer } from '../test-computer.ts'

const SHOWN_MAX = 1_000

/** Reads the computers by `computer_page`, and the printers of each by the unique index. */
const LIST_COMPUTERS = `
SELECT id, name,
  (SELECT count(*)::int FROM devices.printer WHERE computer_id = computer.id AND removed_at IS NULL) AS printers
FROM devices.computer
WHERE organization_id = $1 AND mode = $2 AND deleted_at IS NULL ORDER BY commit_seq DESC, id DESC LIMIT ${SHOWN_MAX}`

const LIST_PRINTERS = `
SELECT id FROM devices.printer
WHERE organization_id = $1 AND mode = $2 AND removed_at IS NULL ORDER BY commit_seq DESC, id DESC LIMIT ${SHOWN_MAX}`

const COUNT_ENROLLMENTS = `
SELECT count(*)::int AS usable FROM devices.enrollment
WHERE organization_id = $1 AND $2 = 'live' AND uses < max_uses AND expires_at > $3`

interface ComputerName {
  id: string
  name: string
  printers: number
}

/** Takes no locks. */
export async function listComputerNames(devices: Devices, { organizationId, mode }: ListComputerNamesRequest) {
  const { lists, clock } = devices
  const tenant = [organizationId, mode]
  const computers = await withTestComputer(
    devices,
    { organizationId, mode },
    async () => (await lists.query<ComputerName>(LIST_COMPUTERS, tenant)).rows,
  )
  const [printers, enrollments] = await Promise.all([
    lists.query<{ id: string }>(LIST_PRINTERS, tenant),
    lists.query<{ usable: number }>(COUNT_ENROLLMENTS, [...tenant, clock.now()]),
  ])
  return {
    computers,
    printerIds: printers.rows.map(({ id }) => id),
    usableEnrollments: enrollments.rows[0]?.usable ?? 0,
  }
}
