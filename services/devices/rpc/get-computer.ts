import type { GetComputerRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'
import { computerToProto } from '../devices-to-proto.ts'
import { ComputerEntity } from '../entities.ts'

type Ids = Pick<GetComputerRequest, 'computerId' | 'organizationId' | 'mode'>

/** @throws ApiError `not_found` also for a computer of another organization or mode, or deleted. */
export async function getComputer(devices: Devices, request: Ids) {
  const { computerId, organizationId, mode } = request
  const where = { id: computerId, organizationId, mode, deletedAt: null }
  const computer = await devices.orm.em.fork().findOne(ComputerEntity, where)
  if (!computer) throw computerNotFound(mode)
  return { computer: computerToProto(computer) }
}

export const computerNotFound = (mode: string) =>
  new ApiError('not_found', `There is no computer with this id in ${mode} mode.`)
