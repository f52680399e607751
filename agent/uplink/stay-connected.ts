/** Reconnects until the agent stops, or the service has sent that a reconnect is pointless. */
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'
import { waitForAddressChange } from '../transport/wait-for-address-change.ts'
import { explainStream } from './explain-stream.ts'
import { holdStream, type MessageHandler, type StreamEnd } from './hold-stream.ts'

/**
 * Why the agent does not reconnect.
 * - `stopped`: it was stopped.
 * - `superseded`: another agent has connected with the same credential, and the jobs of the spooler are reported.
 * - `deleted`: the computer was deleted.
 */
export type ConnectionEnd = 'stopped' | 'superseded' | 'deleted'

const SENTENCES = {
  superseded: ({ hostname }: StreamEnd) =>
    `Another agent has connected with the same credential${hostname ? ` from the computer "${hostname}"` : ''}, so this one stops. Enrol each computer separately.`,
  deleted: () => 'This computer was deleted, so the agent stops. Enrol it again to print here.',
}

/** A refusal can end without this computer: a database is restored, or a route leads to the right service again. */
const REFUSED = { minutes: 15, spread: 0.2 }

/**
 * Pauses grow with consecutive failures (`timings.backoff`). Welcome resets them, so the agent reconnects immediately
 * to a restarted server, but not to an overloaded one. A refused credential has a long pause. A change of the
 * computer's addresses ends the pause and resets them as well.
 */
export async function stayConnected(
  agent: Agent,
  handler: MessageHandler,
  onWelcome: () => void,
): Promise<ConnectionEnd> {
  const { stopping, log } = agent
  const { host } = new URL(agent.config.agentUrl)
  let failures = 0
  for (let number = 1; !stopping.aborted; number++) {
    const end = await holdStream(agent, handler, number, onWelcome).catch(
      (error: unknown): StreamEnd => ({ kind: 'lost', welcomed: false, error }),
    )
    if (stopping.aborted) break
    if (end.kind === 'superseded' || end.kind === 'deleted') {
      log.fatal({ err: end.error }, SENTENCES[end.kind](end))
      return end.kind
    }
    const reason = getReason(end, host)
    if (end.welcomed) failures = 0
    else agent.updates?.notConnected(reason)
    const afterMs = Math.round(end.afterMs ?? getPauseMs(end, agent, failures++))
    agent.connection = { state: 'disconnected', since: new Date(), reason }
    log[end.welcomed ? 'info' : 'warn']({ kind: end.kind, reason, after_ms: afterMs }, 'disconnected')
    if (await pause(afterMs, agent)) failures = 0
  }
  log.info('disconnected: the agent stops')
  return 'stopped'
}

function getPauseMs({ kind }: StreamEnd, { timings }: Agent, failures: number): number {
  if (kind !== 'refused') return pauseMs(failures, timings.backoff)
  return REFUSED.minutes * 60_000 * (1 - REFUSED.spread + 2 * REFUSED.spread * Math.random())
}

/**
 * Ends early if the network of the computer changes, for example because its cable is plugged in again.
 *
 * @returns whether the network has changed.
 */
async function pause(ms: number, { clock, stopping }: Agent): Promise<boolean> {
  const end = new AbortController()
  const signal = AbortSignal.any([stopping, end.signal])
  const ends = [clock.sleep(ms, signal).then(() => false), waitForAddressChange(signal)]
  return await Promise.race(ends.map((one) => one.catch(() => false))).finally(() => end.abort())
}

/** Sentences without a stack, which does not explain a lost connection. */
function getReason({ kind, error }: StreamEnd, host: string): string {
  if (kind === 'reconnect') return 'The service has requested a reconnect.'
  if (error === undefined) return 'The service has ended the stream.'
  if (kind !== 'refused') return explainStream(error, host)
  return `${explainStream(error, host)} The agent tries again every ${REFUSED.minutes} minutes.`
}
