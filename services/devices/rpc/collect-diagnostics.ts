import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { CommandSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import type { CollectDiagnosticsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { DIAGNOSTICS_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Devices } from '../devices.ts'
import { DiagnosticsEntity } from '../entities.ts'
import { runCommand } from './run-command.ts'

/** Keeps the newest ones of the computer. @throws ApiError as `runCommand`. */
export async function collectDiagnostics(devices: Devices, ids: CollectDiagnosticsRequest) {
  const { computerId, organizationId, mode } = ids
  const command = create(CommandSchema, { command: { case: 'collectDiagnostics', value: {} } })
  const { result } = (await runCommand(devices, { computerId, organizationId, mode, command })).result
  if (result.case !== 'collectDiagnostics') throw new ApiError('command_failed', 'The agent sent no diagnostics.')
  const { text } = result.value
  const [id, createdAt] = [uuidv7(), devices.clock.now()]
  await devices.orm.em.fork().transactional(async (em) => {
    const order = { createdAt: 'desc', id: 'desc' } as const
    const options = { fields: ['id'], orderBy: order, offset: DIAGNOSTICS_LIMITS.max - 1 } as const
    em.remove(await em.find(DiagnosticsEntity, { computerId }, options))
    em.create(DiagnosticsEntity, { id, computerId, text, createdAt })
  })
  return { diagnostics: { id, text, createdAt: timestampFromDate(createdAt) } }
}
