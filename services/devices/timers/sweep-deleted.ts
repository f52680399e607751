import type { Devices } from '../devices.ts'
import { ComputerEntity, DestinationEntity } from '../entities.ts'

/** A request `DELETE /v1/computers/:id` waits for this call. */
const END_JOBS_TIMEOUT_MS = 2_000

const BATCH = 100

/**
 * Ends the jobs of deleted computers, and the waiting jobs of deleted destinations, until the jobs service has
 * confirmed it. The deletion of a computer itself has already revoked its credential and removed its printers.
 */
export async function sweepDeleted(devices: Devices): Promise<void> {
  const where = { deletedAt: { $ne: null }, jobsEndedAt: null }
  const options = { fields: ['id'], orderBy: { deletedAt: 'asc' }, limit: BATCH } as const
  for (const { id } of await devices.orm.em.fork().find(ComputerEntity, where, options)) await endJobs(devices, id)
  const deleted = { deletedAt: { $ne: null } }
  for (const { id } of await devices.orm.em.fork().find(DestinationEntity, deleted, options))
    await endWaitingJobs(devices, id)
}

/** @throws ApiError `service_unavailable`. The sweep then retries. */
export async function endJobs(devices: Devices, computerId: string): Promise<void> {
  await devices.jobs.endComputer({ computerId }, { timeoutMs: END_JOBS_TIMEOUT_MS })
  const jobsEndedAt = devices.clock.now()
  await devices.orm.em.fork().nativeUpdate(ComputerEntity, { id: computerId }, { jobsEndedAt })
}

/** The row of the destination is needed until then. @throws ApiError `service_unavailable`. The sweep then retries. */
export async function endWaitingJobs(devices: Devices, destinationId: string): Promise<void> {
  await devices.jobs.endDestination({ destinationId }, { timeoutMs: END_JOBS_TIMEOUT_MS })
  await devices.orm.em.fork().nativeDelete(DestinationEntity, { id: destinationId })
}
