import { DiagnosticsSchema, type ListDiagnosticsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { DIAGNOSTICS_LIMITS } from '@platen/resources/limits.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Devices } from '../devices.ts'
import { getComputer } from './get-computer.ts'

const LIST = `
SELECT id, text, created_at AS "createdAt" FROM devices.diagnostics WHERE computer_id = $1
ORDER BY created_at DESC, id DESC LIMIT ${DIAGNOSTICS_LIMITS.max}`

/** The newest first. @throws ApiError `not_found` for the computer. */
export async function listDiagnostics(devices: Devices, { computerId, organizationId, mode }: ListDiagnosticsRequest) {
  await getComputer(devices, { computerId, organizationId, mode })
  const { rows } = await devices.pool.query<{ id: string; text: string; createdAt: Date }>(LIST, [computerId])
  return { diagnostics: rows.map((row) => rowToMessage(DiagnosticsSchema, row)) }
}
