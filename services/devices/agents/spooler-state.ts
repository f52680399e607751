/** What agents report about the spoolers of their computers. */
import type { SpoolerState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { ComputerJson } from '@platen/resources/computer-schema.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'

/** @returns the value of the column `spooler_problem`, with which events show it: the JSON of the API. */
export function toSpoolerProblemJson({ code, message }: Pick<SpoolerState, 'code' | 'message'>): string | null {
  return code === '' ? null : JSON.stringify({ code, message } satisfies ComputerJson['spoolerProblem'])
}

const STORE = 'UPDATE devices.computer SET spooler_problem = $3 WHERE id = $1 AND epoch = $2'

/** A lost message is repeated by the next hello. */
export async function storeSpoolerState(
  { pool, log }: Devices,
  { computerId, epoch }: Connection,
  state: SpoolerState,
): Promise<void> {
  await pool
    .query(STORE, [computerId, epoch, toSpoolerProblemJson(state)])
    .catch((error: unknown) => log.warn({ err: error, computer_id: computerId }, 'state of the spooler not stored'))
}
