import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { CommandSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import type { CollectDiagnosticsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { DIAGNOSTICS_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Devices } from '../devices.ts'
import { runCommand } from './run-command.ts'

/** Keeps the newest ones of the computer. */
const STORE = `
WITH older AS (
  DELETE FROM devices.diagnostics WHERE id IN (
    SELECT id FROM devices.diagnostics WHERE computer_id = $2 ORDER BY created_at DESC, id DESC OFFSET ${DIAGNOSTICS_LIMITS.max - 1})
)
INSERT INTO devices.diagnostics (id, computer_id, text, created_at) VALUES ($1, $2, $3, $4)`

/** @throws ApiError as `runCommand`. */
export async function collectDiagnostics(devices: Devices, ids: CollectDiagnosticsRequest) {
  const { computerId, organizationId, mode } = ids
  const command = create(CommandSchema, { command: { case: 'collectDiagnostics', value: {} } })
  const { result } = (await runCommand(devices, { computerId, organizationId, mode, command })).result
  if (result.case !== 'collectDiagnostics') throw new ApiError('command_failed', 'The agent sent no diagnostics.')
  const { text } = result.value
  const [id, createdAt] = [uuidv7(), devices.clock.now()]
  await devices.pool.query(STORE, [id, computerId, text, createdAt])
  return { diagnostics: { id, text, createdAt: timestampFromDate(createdAt) } }
}
