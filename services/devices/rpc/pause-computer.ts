import type { PauseComputerRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { WAITING_JOBS_SUBJECT, type WaitingJobs } from '@platen/proto/subjects.ts'
import type { Devices } from '../devices.ts'
import { ComputerEntity, PrinterEntity } from '../entities.ts'
import { getComputer } from './get-computer.ts'

/**
 * Pauses or resumes a computer. Jobs that its agent has are printed in any case. After a resume the replica with its
 * stream dispatches the waiting jobs.
 *
 * @throws ApiError `not_found`
 */
export async function pauseComputer(devices: Devices, { paused, ...ids }: PauseComputerRequest) {
  const { computerId, organizationId, mode } = ids
  const em = devices.orm.em.fork()
  // A paused computer keeps its time.
  const where = { id: computerId, organizationId, mode, deletedAt: null, pausedAt: paused ? null : { $ne: null } }
  const isChanged =
    (await em.nativeUpdate(ComputerEntity, where, { pausedAt: paused ? devices.clock.now() : null })) > 0
  // Their cached state changes.
  const printers = isChanged
    ? await em.find(PrinterEntity, { computer: computerId, removedAt: null }, { fields: ['id'] })
    : []
  devices.printers.announce({ organizationId, computerId, printerIds: printers.map(({ id }) => id) })
  // After the announcement, so that the claim does not find the printers blocked.
  if (!paused && printers.length > 0)
    devices.nats.connection.publish(WAITING_JOBS_SUBJECT, JSON.stringify([[computerId]] satisfies WaitingJobs))
  return await getComputer(devices, ids)
}
