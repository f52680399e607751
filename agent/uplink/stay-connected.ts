/** Reconnects until the agent stops or the server rejects it permanently. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'
import { waitForAddressChange } from '../transport/wait-for-address-change.ts'
import { holdStream, type MessageHandler, type StreamEnd } from './hold-stream.ts'

/**
 * Why the agent does not reconnect.
 * - `stopped`: it was stopped.
 * - `superseded`: another agent has connected with the same credential, and the jobs of the spooler are reported.
 * - `deleted`: the computer was deleted.
 * - `unauthenticated`: the credential is not valid.
 */
export type ConnectionEnd = 'stopped' | 'superseded' | 'deleted' | 'unauthenticated'

const SENTENCES = {
  superseded: ({ hostname }: StreamEnd) =>
    `Another agent has connected with the same credential${hostname ? ` from the computer "${hostname}"` : ''}, so this one stops. Enrol each computer separately.`,
  deleted: () => 'This computer was deleted, so the agent stops. Enrol it again to print here.',
  unauthenticated: () => 'The service does not accept the credential, so the agent stops. Enrol this computer again.',
}

/**
 * Pauses grow with consecutive failures (`timings.backoff`). Welcome resets them, so the agent reconnects immediately to a restarted
 * server, but not to an overloaded one. A change of the computer's addresses ends the pause and resets them as well.
 */
export async function stayConnected(
  agent: Agent,
  handler: MessageHandler,
  onWelcome: () => void,
): Promise<ConnectionEnd> {
  const { stopping, log } = agent
  let failures = 0
  for (let number = 1; !stopping.aborted; number++) {
    const end = await holdStream(agent, handler, number, onWelcome).catch(
      (error: unknown): StreamEnd => ({ kind: 'lost', welcomed: false, error }),
    )
    if (stopping.aborted) break
    if (end.kind !== 'lost' && end.kind !== 'reconnect') {
      log.fatal({ err: end.error }, SENTENCES[end.kind](end))
      return end.kind
    }
    if (end.welcomed) failures = 0
    else agent.updates?.notConnected(getReason(end) ?? end.kind)
    const afterMs = Math.round(end.afterMs ?? pauseMs(failures++, agent.timings.backoff))
    agent.connection = { state: 'disconnected', since: new Date(), reason: getReason(end) ?? end.kind }
    log[end.welcomed ? 'info' : 'warn']({ kind: end.kind, reason: getReason(end), after_ms: afterMs }, 'disconnected')
    if (await pause(afterMs, stopping)) failures = 0
  }
  log.info('disconnected: the agent stops')
  return 'stopped'
}

/**
 * Ends early if the network of the computer changes, for example because its cable is plugged in again.
 *
 * @returns whether the network has changed.
 */
async function pause(ms: number, stopping: AbortSignal): Promise<boolean> {
  const end = new AbortController()
  const signal = AbortSignal.any([stopping, end.signal])
  const ends = [sleep(ms, false, { signal }), waitForAddressChange(signal)].map((one) => one.catch(() => false))
  return await Promise.race(ends).finally(() => end.abort())
}

/** The message only; a stack does not explain a lost connection. */
function getReason({ error }: StreamEnd): string | undefined {
  return error instanceof Error ? error.message : undefined
}
