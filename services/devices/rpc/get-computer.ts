import { create } from '@bufbuild/protobuf'
import {
  type GetComputerRequest,
  type GetComputerResponse,
  GetComputerResponseSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'
import { computerToProto } from '../devices-to-proto.ts'
import { ComputerEntity } from '../entities.ts'

/** @throws ApiError `not_found` also for a computer of another organization or mode. */
export async function getComputer(devices: Devices, request: GetComputerRequest): Promise<GetComputerResponse> {
  const { computerId, organizationId, mode } = request
  const computer = await devices.orm.em.fork().findOne(ComputerEntity, { id: computerId, organizationId, mode })
  if (!computer) throw new ApiError('not_found', 'There is no computer with this id.')
  return create(GetComputerResponseSchema, { computer: computerToProto(computer) })
}
