/**
 * Faults at the moments that most hangs on: an agent is killed at each step of handing a job over, and loses its line while documents
 * come down it. These moments are over within milliseconds, so that what comes at any moment hardly ever meets one. Each plan has
 * all of them; which comes when, and to which agent, is the seed's choice.
 */
import type { PlannedFault } from './fault-plan.ts'
import type { SpoolerCall } from './history.ts'
import type { Random } from './random.ts'

export interface Aim {
  /** What the agent is waited for to ask of its spooler. */
  call: SpoolerCall['call']
  /** From the moment in which the spooler has recorded it. */
  afterMs: number
}

/** An agent without a job, or without a connection, may ask nothing of its spooler for so long. */
export const HIT_WITHIN_MS = 4_000

type AimedFault = Pick<PlannedFault, 'kind' | 'place' | 'aim' | 'isInUse' | 'burstBeforeMs'> & {
  lag?: { lastsMs: number; delayMs: { from: number; to: number } }
}

const KILL = {
  kind: 'kill -9',
  place: 'agent',
  /** Until a job has come from the gateway to the spooler. */
  burstBeforeMs: 20,
} as const

/** Longer than the harness takes to hear of a call and to kill: the spooler's answer comes too late. */
const LATE_ANSWER = { lastsMs: 500, delayMs: { from: 50, to: 150 } }

const AIMED_FAULTS: AimedFault[] = [
  /** The spooler holds the job, and the agent does not know under which id. */
  { ...KILL, aim: { call: 'submit', afterMs: 0 }, lag: LATE_ANSWER },
  /** The spooler has begun, and nobody has told the agent. */
  { ...KILL, aim: { call: 'release', afterMs: 0 }, lag: LATE_ANSWER },
  /** The agent knows, and the job is on its way to the paper or has just got there. */
  { ...KILL, aim: { call: 'release', afterMs: 30 } },
  /** Three times the delay, for Print, for the call and for the document, and the burst has ended or is about to. */
  {
    kind: 'reset',
    place: 'agent > devices',
    isInUse: true,
    burstBeforeMs: 400,
    lag: { lastsMs: 1_000, delayMs: { from: 120, to: 200 } },
  },
]

/**
 * One after the other, so that none waits for the restart that another has caused.
 *
 * @param span none begins before `fromMs`; all hit before `windowMs`, where that is far enough.
 */
export function planAimedFaults(random: Random, { fromMs, windowMs }: { fromMs: number; windowMs: number }) {
  const eachMs = Math.max(0, windowMs - HIT_WITHIN_MS - fromMs) / AIMED_FAULTS.length
  return random.shuffle(AIMED_FAULTS).map(
    ({ lag, ...fault }, nth): PlannedFault => ({
      ...fault,
      selector: random.integer(0, 0x7fff_ffff),
      startAfterMs: Math.round(fromMs + nth * eachMs + random.integer(0, Math.floor(eachMs / 2))),
      durationMs: 0,
      ...(lag ? { lag: { ...lag, delayMs: random.integer(lag.delayMs.from, lag.delayMs.to) } } : {}),
    }),
  )
}
