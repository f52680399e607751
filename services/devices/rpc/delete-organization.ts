import type { DeleteOrganizationRequest } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import type { Devices } from '../devices.ts'
import { ComputerEntity } from '../entities.ts'
import { removeComputer } from './delete-computer.ts'

const COMPUTERS_MAX = 20

/** Computers whose jobs have ended. Otherwise the sweep ends them soon. */
const REMOVE = `
WITH ended AS MATERIALIZED (
  SELECT id FROM devices.computer
  WHERE organization_id = $1 AND jobs_ended_at IS NOT NULL LIMIT ${COMPUTERS_MAX}
),
printer AS (DELETE FROM devices.printer USING ended WHERE computer_id = ended.id RETURNING 1),
computer AS (DELETE FROM devices.computer USING ended WHERE computer.id = ended.id RETURNING 1),
enrollment AS (
  DELETE FROM devices.enrollment WHERE id IN (SELECT id FROM devices.enrollment WHERE organization_id = $1 LIMIT 1000)
  RETURNING 1
),
destination AS (
  DELETE FROM devices.destination WHERE id IN (SELECT id FROM devices.destination WHERE organization_id = $1 LIMIT 1000)
  RETURNING 1
),
last_number AS (DELETE FROM devices.last_number WHERE organization_id = $1 RETURNING 1)
SELECT (SELECT count(*)::int FROM computer) AS computer, (SELECT count(*)::int FROM printer) AS printer,
  (SELECT count(*)::int FROM enrollment) AS enrollment, (SELECT count(*)::int FROM last_number) AS last_number,
  (SELECT count(*)::int FROM destination) AS destination`

/** Deletes computers as a user does, which ends their streams and jobs, then the rows. */
export async function deleteOrganization(devices: Devices, { organizationId }: DeleteOrganizationRequest) {
  const em = devices.orm.em.fork()
  const live = await em.find(ComputerEntity, { organizationId, deletedAt: null }, { limit: COMPUTERS_MAX })
  for (const { id, mode } of live) await removeComputer(devices, { computerId: id, organizationId, mode })
  const { rows } = await devices.pool.query<Record<string, number>>(REMOVE, [organizationId])
  return { removed: rows[0], isWaiting: (await em.count(ComputerEntity, { organizationId })) > 0 }
}
