/**
 * Kills of an agent at the steps that printing at most once hangs on. They are over within milliseconds, so that a kill at any moment
 * hardly ever comes between two of them. Each plan has one kill for each step, by the seed's choice of when and of which agent.
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

/** Longer than the harness takes to hear of a call and to kill: the spooler's answer comes too late. */
const ANSWER_DELAY_MS = { from: 50, to: 150 }

interface Step {
  aim: Aim
  /** Whether the agent dies without the answer. */
  isUnanswered: boolean
}

const STEPS: Step[] = [
  /** The spooler holds the job, and the agent does not know under which id. */
  { aim: { call: 'submit', afterMs: 0 }, isUnanswered: true },
  /** The spooler has begun, and nobody has told the agent. */
  { aim: { call: 'release', afterMs: 0 }, isUnanswered: true },
  /** The agent knows, and the job is on its way to the paper or has just got there. */
  { aim: { call: 'release', afterMs: 30 }, isUnanswered: false },
]

/** How long the spooler's way is slow before the agent's call is waited for. */
const LAG_LASTS_MS = 500

/** Until a job has come from the gateway to the spooler. */
const BURST_BEFORE_MS = 20

/**
 * One after the other, so that none waits for the restart that another has caused.
 *
 * @param span none begins before `fromMs`; all hit before `windowMs`, where that is far enough.
 */
export function planAimedKills(
  random: Random,
  { fromMs, windowMs }: { fromMs: number; windowMs: number },
): PlannedFault[] {
  const eachMs = Math.max(0, windowMs - HIT_WITHIN_MS - fromMs) / STEPS.length
  return random.shuffle(STEPS).map(({ aim, isUnanswered }, nth) => ({
    kind: 'kill -9',
    place: 'agent',
    selector: random.integer(0, 0x7fff_ffff),
    startAfterMs: Math.round(fromMs + nth * eachMs + random.integer(0, Math.floor(eachMs / 2))),
    aim,
    ...(isUnanswered
      ? { lag: { lastsMs: LAG_LASTS_MS, delayMs: random.integer(ANSWER_DELAY_MS.from, ANSWER_DELAY_MS.to) } }
      : {}),
    burstBeforeMs: BURST_BEFORE_MS,
    durationMs: 0,
  }))
}
