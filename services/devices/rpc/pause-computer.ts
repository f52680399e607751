import type { PauseComputerRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { WAITING_JOBS_SUBJECT, type WaitingJobs } from '@platen/proto/subjects.ts'
import type { Devices } from '../devices.ts'
import { getComputer } from './get-computer.ts'

/** Returns the printers, whose cached state changes, and no row if nothing changes. A paused computer keeps its time. */
const PAUSE = `
WITH changed AS (
  UPDATE devices.computer SET paused_at = $4
  WHERE id = $1 AND organization_id = $2 AND mode = $3 AND deleted_at IS NULL AND (paused_at IS NULL) = ($4::timestamptz IS NOT NULL)
  RETURNING id
)
SELECT printer.id FROM changed JOIN devices.printer ON computer_id = changed.id WHERE removed_at IS NULL`

/**
 * Pauses or resumes a computer. Jobs that its agent has are printed in any case. After a resume the replica with its stream dispatches the
 * waiting jobs.
 *
 * @throws ApiError `not_found`
 */
export async function pauseComputer(devices: Devices, { paused, ...ids }: PauseComputerRequest) {
  const { computerId, organizationId, mode } = ids
  const pausedAt = paused ? devices.clock.now() : null
  const { rows } = await devices.pool.query<{ id: string }>(PAUSE, [computerId, organizationId, mode, pausedAt])
  devices.printers.announce({ organizationId, computerId, printerIds: rows.map(({ id }) => id) })
  // After the announcement, so that the claim does not find the printers held.
  if (!paused && rows.length > 0)
    devices.nats.connection.publish(WAITING_JOBS_SUBJECT, JSON.stringify([[computerId]] satisfies WaitingJobs))
  return await getComputer(devices, ids)
}
