/**
 * Who may be delivered to now, so that no endpoint's slowness is another's: at most 8 attempts at a time for each, at most 64 for all slow
 * ones together, none while an endpoint rests. Everything else is told when to come again, and waits in the table, not in a place.
 * In the memory of each process: a replica learns for itself, within seconds.
 */
import type { Clock } from '@platen/runtime/clock.ts'
import { type Breaker, createBreaker } from './breaker.ts'

export const PLACES_PER_ENDPOINT = 8
/** Of all slow endpoints: a quarter of what a process delivers at a time (`attempt-message.ts`). */
export const SLOW_PLACES = 64
/** An attempt that takes longer makes its endpoint a slow one, from that moment on, */
const SLOW_MS = 1_000
/** and for so long. */
const SLOW_FOR_MS = 60_000
/** A burst to one endpoint waits here rather than in the table: so many for so long. */
const WAITING_MAX = 32
const WAITING_MS = 500

/** Not sooner is what was sent away to come again, and not later: by then the endpoint may be faster. */
const AGAIN_MIN_MS = 100
const AGAIN_MAX_MS = 60_000
/** Of an endpoint that has not answered yet. */
const USUAL_MS = 50
/** How much of the mean the newest attempt is. One late answer among many says little of how much an endpoint manages. */
const MEAN_WEIGHT = 0.05
/** So many endpoints are remembered before those that have nothing to remember are forgotten. */
const REMEMBERED_MIN = 1_000

export type Lane = 'fast' | 'slow'

export interface AttemptEnd {
  durationMs: number
  /** It answered, whatever it said. */
  wasReached: boolean
}

/** A place, to be given back; or when to come again. */
export type Turn = { leave(end: AttemptEnd | undefined): void } | { again: Date }

export interface Pace {
  enter(endpointId: string): Promise<Turn>
  laneOf(endpointId: string): Lane
  /** The endpoints that nothing goes to before a time: whoever has something for them may keep it until then. */
  resting(): { endpointId: string; until: Date }[]
}

interface EndpointState {
  /** In the order that they began; the values are when, by `performance.now()`. */
  underWay: Set<{ startedAt: number; isProbe: boolean }>
  waiting: Set<(turn: Turn) => void>
  meanMs: number
  slowUntil: number
  /** By the injected clock: when the endpoint has managed all that was sent away so far. */
  managedAt: number
  /** Something was sent away for long, since nothing came back. */
  wasStuck: boolean
  breaker: Breaker
}

/**
 * @param recovered told of an endpoint that rested, or was stuck, and answers again, and the time that it takes for one delivery, all its
 *   places working.
 */
export function createPace(clock: Clock, recovered: (endpointId: string, stepMs: number) => void): Pace {
  const states = new Map<string, EndpointState>()
  /** Those that failed to be reached last. */
  const unreachable = new Set<string>()
  let forgetAt = REMEMBERED_MIN
  let slowUnderWay = 0

  function stateOf(endpointId: string): EndpointState {
    const known = states.get(endpointId)
    if (known) return known
    if (states.size >= forgetAt) forget()
    const state: EndpointState = {
      underWay: new Set(),
      waiting: new Set(),
      meanMs: USUAL_MS,
      slowUntil: Number.NEGATIVE_INFINITY,
      managedAt: 0,
      wasStuck: false,
      breaker: createBreaker(),
    }
    states.set(endpointId, state)
    return state
  }

  function forget(): void {
    for (const [id, state] of states)
      if (state.underWay.size === 0 && state.breaker.isIdle() && !isSlow(state)) states.delete(id)
    forgetAt = Math.max(REMEMBERED_MIN, states.size * 2)
  }

  /** By the pace at which the endpoint takes what it is given. */
  function sendAway(state: EndpointState): Turn {
    const nowMs = clock.now().getTime()
    // Of a few late ones among many the others' places are free again soon; where even the newest is old, nothing comes back.
    const youngestMs = ageMs([...state.underWay].at(-1))
    if (youngestMs > SLOW_MS && youngestMs > 2 * state.meanMs) state.wasStuck = true
    const stepMs = Math.max(state.meanMs, youngestMs) / PLACES_PER_ENDPOINT
    const againMs = Math.max(state.managedAt, nowMs) + stepMs
    state.managedAt = Math.min(againMs, nowMs + AGAIN_MAX_MS)
    return { again: new Date(Math.max(state.managedAt, nowMs + AGAIN_MIN_MS)) }
  }

  function begin(endpointId: string, state: EndpointState, isProbe: boolean): Turn {
    const attempt = { startedAt: performance.now(), isProbe }
    const tookSlowPlace = isSlow(state)
    if (tookSlowPlace) slowUnderWay++
    state.underWay.add(attempt)
    return {
      leave(end) {
        state.underWay.delete(attempt)
        if (tookSlowPlace) slowUnderWay--
        if (end) learn(endpointId, state, isProbe, end)
        else if (isProbe) state.breaker.probeLost()
        callNext(endpointId, state)
      },
    }
  }

  function learn(
    endpointId: string,
    state: EndpointState,
    isProbe: boolean,
    { durationMs, wasReached }: AttemptEnd,
  ): void {
    state.meanMs += MEAN_WEIGHT * (durationMs - state.meanMs)
    if (durationMs > SLOW_MS) state.slowUntil = performance.now() + SLOW_FOR_MS
    if (wasReached) {
      unreachable.delete(endpointId)
      const rested = state.breaker.reached()
      // What it took before it rested says nothing of now.
      if (rested) state.meanMs = durationMs
      if (!rested && !state.wasStuck) return
      state.wasStuck = false
      state.managedAt = 0
      recovered(endpointId, state.meanMs / PLACES_PER_ENDPOINT)
    } else {
      unreachable.add(endpointId)
      state.breaker.unreachable(clock.now().getTime(), isProbe)
    }
  }

  /** Nobody waits in a place for an endpoint that is slow or resting. */
  function callNext(endpointId: string, state: EndpointState): void {
    for (const called of state.waiting) {
      if (state.underWay.size >= PLACES_PER_ENDPOINT) return
      state.waiting.delete(called)
      called(isSlow(state) ? sendAway(state) : decide(endpointId, state))
    }
  }

  function decide(endpointId: string, state: EndpointState): Turn {
    if (isSlow(state) && slowUnderWay >= SLOW_PLACES) return sendAway(state)
    const verdict = state.breaker.ask(clock.now().getTime())
    if (typeof verdict === 'number') return { again: new Date(verdict) }
    return begin(endpointId, state, verdict === 'probe')
  }

  return {
    async enter(endpointId) {
      const state = stateOf(endpointId)
      if (state.underWay.size < PLACES_PER_ENDPOINT) return decide(endpointId, state)
      if (isSlow(state) || state.waiting.size >= WAITING_MAX) return sendAway(state)
      return await new Promise<Turn>((resolve) => {
        const late = setTimeout(() => {
          state.waiting.delete(called)
          resolve(sendAway(state))
        }, WAITING_MS)
        const called = (turn: Turn) => {
          clearTimeout(late)
          resolve(turn)
        }
        state.waiting.add(called)
      })
    },
    laneOf(endpointId) {
      const state = states.get(endpointId)
      return state && isSlow(state) ? 'slow' : 'fast'
    },
    resting() {
      const nowMs = clock.now().getTime()
      return [...unreachable].flatMap((endpointId) => {
        const until = states.get(endpointId)?.breaker.restsUntil(nowMs)
        return until === undefined ? [] : [{ endpointId, until: new Date(until) }]
      })
    },
  }
}

/** How long an attempt that is under way has been going on. */
const ageMs = (attempt: { startedAt: number } | undefined) => (attempt ? performance.now() - attempt.startedAt : 0)

function oldestMs({ underWay }: EndpointState): number {
  const [oldest] = underWay
  return ageMs(oldest)
}

const isSlow = (state: EndpointState): boolean => performance.now() < state.slowUntil || oldestMs(state) > SLOW_MS
