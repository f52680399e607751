import { create } from '@bufbuild/protobuf'
import { LockMode } from '@mikro-orm/core'
import {
  type DeleteComputerRequest,
  type DeleteComputerResponse,
  DeleteComputerResponseSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { announceDeletion } from '../agents/deletion.ts'
import type { Devices } from '../devices.ts'
import { ComputerEntity, PrinterEntity } from '../entities.ts'
import { endJobsOf } from '../timers/sweep-deleted.ts'

/**
 * Takes back the computer's credential and its printers. What is left to do stands in the row: the jobs are ended now if the jobs
 * service answers, else by the sweep. Source: decisions, "Computers and printers".
 *
 * @throws ApiError `not_found`, also the second time; `forbidden` for the virtual test computer.
 */
export async function deleteComputer(
  devices: Devices,
  { computerId, organizationId, mode }: DeleteComputerRequest,
): Promise<DeleteComputerResponse> {
  const deletedAt = devices.clock.now()
  await devices.orm.em.fork().transactional(async (em) => {
    // Waits for a report of printers that is being stored, and those that come after it find the computer deleted.
    const lockMode = LockMode.PESSIMISTIC_WRITE
    const where = { id: computerId, organizationId, mode, deletedAt: null }
    const computer = await em.findOne(ComputerEntity, where, { lockMode })
    if (!computer) throw new ApiError('not_found', 'There is no computer with this id.')
    if (mode === 'test') throw new ApiError('forbidden', 'The virtual test computer cannot be deleted.')
    em.assign(computer, { deletedAt, state: 'offline' })
    await em.nativeUpdate(PrinterEntity, { computer: computerId, removedAt: null }, { removedAt: deletedAt })
  })
  announceDeletion(devices, computerId)
  await endJobsOf(devices, computerId).catch((error: unknown) =>
    devices.log.warn({ err: error, computer_id: computerId }, 'jobs of a deleted computer not ended, trying again'),
  )
  return create(DeleteComputerResponseSchema)
}
