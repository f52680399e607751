/** Updates of agents: what is offered to them, and what they report. */
import type { Hello, UpdateState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { ComputerJson } from '@platen/resources/computer-schema.ts'
import type { Devices } from '../devices.ts'
import type { Connection } from './connection.ts'

/** @returns the offered version of the agent for its system; empty if none is offered. */
export async function offerVersion({ agentPackages, log }: Devices, { os, arch }: Hello): Promise<string> {
  try {
    const list = await agentPackages()
    const isOffered = list?.packages.some(({ platform, architecture }) => platform === os && architecture === arch)
    return list && isOffered ? list.version : ''
  } catch (error) {
    log.warn({ err: error }, 'the list of agent packages is not readable, no version is offered')
    return ''
  }
}

/** @returns the value of the column `agent_update`, with which events show it: the JSON of the API. */
export function toAgentUpdateJson(state: UpdateState | undefined): string | null {
  if (!state) return null
  const { isAutomatic, failedVersion, failure } = state
  const json = { automatic: isAutomatic, failedVersion: failedVersion || null, failure: failure || null }
  return JSON.stringify(json satisfies ComputerJson['agentUpdate'])
}

const STORE = 'UPDATE devices.computer SET agent_update = $3 WHERE id = $1 AND epoch = $2'

/** A lost message is repeated by the next hello. */
export async function storeUpdateState(
  { pool, log }: Devices,
  { computerId, epoch }: Connection,
  state: UpdateState,
): Promise<void> {
  await pool
    .query(STORE, [computerId, epoch, toAgentUpdateJson(state)])
    .catch((error: unknown) => log.warn({ err: error, computer_id: computerId }, 'state of updates not stored'))
}
