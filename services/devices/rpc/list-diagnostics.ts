import { DiagnosticsSchema, type ListDiagnosticsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { DIAGNOSTICS_LIMITS } from '@platen/resources/limits.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Devices } from '../devices.ts'
import { DiagnosticsEntity } from '../entities.ts'
import { getComputer } from './get-computer.ts'

/** The newest first. @throws ApiError `not_found` for the computer. */
export async function listDiagnostics(devices: Devices, { computerId, organizationId, mode }: ListDiagnosticsRequest) {
  await getComputer(devices, { computerId, organizationId, mode })
  const options = { orderBy: { createdAt: 'desc', id: 'desc' }, limit: DIAGNOSTICS_LIMITS.max } as const
  const found = await devices.orm.em.fork().find(DiagnosticsEntity, { computerId }, options)
  return { diagnostics: found.map((row) => rowToMessage(DiagnosticsSchema, row)) }
}
