/**
 * Limits what a key and an organization have in use at once. A request uses its part until its response is sent or its
 * connection is closed, because an unread response stays in memory. Each gateway counts its own. Reference:
 * docs/reference/limits.md#requests-at-once.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import { type Caller, getCredentialId } from '../caller.ts'
import type { RequestState } from '../context.ts'

const RETRY_AFTER_SECONDS = 1
/** Waiting requests of an organization. Their bodies are not read yet. */
const WAITING_MAX = 200
/** A pause after a long request, as a multiple of its time. */
const PAUSE_FACTOR = 2
/** The shortest pause, because a request costs time after its work: its response is written. */
const PAUSE_MIN_MS = 10
const PAUSE_MAX_MS = 2_000
/** An organization that has sent nothing for so long is not slowed by others. */
const ACTIVE_MS = 1_000

/** What the limit reads of a request. */
export interface LimitedRequest {
  state: Pick<RequestState, 'session'> & {
    caller?: Pick<Caller, 'credential'> & { organization: { id: string } }
  }
  res: { closed: boolean; once(event: 'close', release: () => void): unknown }
}

/** @throws ApiError `rate_limited` for a request over a limit, which is not run. */
export type ConcurrencyLimit = <Result>(
  ctx: LimitedRequest,
  run: () => Promise<Result>,
  units?: number,
) => Promise<Result>

export interface Limits {
  perKey?: number
  perOrganization: number
  /** How long a request waits for what others of its organization use. */
  waitMs?: number
  /**
   * Units from which on a request is long: a list or more. Long requests of an organization are run one after the
   * other, and while other organizations send requests, it pauses after each for twice the time that it took. So they
   * use at most a third of the time of a replica.
   */
  longFrom?: number
  /** How long a long request waits for its turn. Long enough for a few pauses, also on a slow machine. */
  turnWaitMs?: number
}

/**
 * A request uses one unit of the limit, or as many as it says. One without units is not limited.
 *
 * @param kind what is counted, in the plural.
 */
export function createConcurrencyLimit(
  kind: string,
  { perKey, perOrganization, waitMs = 0, longFrom = Number.POSITIVE_INFINITY, turnWaitMs = 0 }: Limits,
): ConcurrencyLimit {
  const keys = new Map<string, Share>()
  const organizations = new Map<string, Share>()
  /** The turns of long requests. */
  const turns = new Map<string, Share>()
  const activity = createActivity()

  const exceeded = (who: string, max: number) => {
    const message = `This ${who} has ${max} ${kind} at once. Send the request again when one of them has ended.`
    return new ApiError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** @returns the function that ends the turn. */
  async function takeTurn(ownerId: string, who: string): Promise<() => void> {
    const turn = openShare(turns, ownerId, 1)
    if (!(await turn.take(1, turnWaitMs))) {
      const message = `This ${who} sends more lists and other long requests than fit into its share of the time. Send the request again later.`
      throw new ApiError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    const startedAt = performance.now()
    return () => {
      const giveBack = () => turn.giveBack(1)
      const pauseMs = Math.min(Math.max((performance.now() - startedAt) * PAUSE_FACTOR, PAUSE_MIN_MS), PAUSE_MAX_MS)
      if (activity.hasOthers(ownerId)) setTimeout(giveBack, pauseMs).unref()
      else giveBack()
    }
  }

  /** @returns the function that gives the units back. */
  async function takeUnits(keyId: string, ownerId: string, who: [key: string, owner: string], units: number) {
    const ofKey = perKey === undefined ? undefined : openShare(keys, keyId, perKey)
    if (ofKey && !ofKey.tryTake(units)) throw exceeded(who[0], perKey ?? 0)
    const ofOwner = openShare(organizations, ownerId, perOrganization)
    if (!(await ofOwner.take(units, waitMs))) {
      ofKey?.giveBack(units)
      throw exceeded(who[1], perOrganization)
    }
    return () => {
      ofKey?.giveBack(units)
      ofOwner.giveBack(units)
    }
  }

  return async (ctx, run, units = 1) => {
    const { caller, session } = ctx.state
    const [keyId, ownerId] = caller
      ? [getCredentialId(caller), caller.organization.id]
      : [session?.id, session?.user.id]
    if (keyId === undefined || ownerId === undefined) return await run()
    activity.add(ownerId)
    if (units === 0) return await run()
    const owner = caller ? 'organization' : 'user'
    const who: [string, string] = [caller?.credential.kind ?? 'session', owner]
    const endTurn = units >= longFrom ? await takeTurn(ownerId, owner) : undefined
    try {
      const giveBack = await takeUnits(keyId, ownerId, who, units)
      try {
        return await run()
      } finally {
        if (ctx.res.closed) giveBack()
        else ctx.res.once('close', giveBack)
      }
    } finally {
      endTurn?.()
    }
  }
}

/** The last two organizations that sent requests. */
function createActivity() {
  const lastAt = new Map<string, number>()
  return {
    add(ownerId: string): void {
      lastAt.delete(ownerId)
      lastAt.set(ownerId, performance.now())
      const [oldest] = lastAt.keys()
      if (lastAt.size > 2 && oldest !== undefined) lastAt.delete(oldest)
    },
    hasOthers: (ownerId: string) =>
      [...lastAt].some(([other, at]) => other !== ownerId && performance.now() - at < ACTIVE_MS),
  }
}

interface Share {
  tryTake(units: number): boolean
  take(units: number, waitMs: number): Promise<boolean> | boolean
  giveBack(units: number): void
}

interface Waiting {
  units: number
  resolve(isTaken: boolean): void
}

/** @param shares by owner. An owner that uses nothing is removed. */
function openShare(shares: Map<string, Share>, id: string, max: number): Share {
  const known = shares.get(id)
  if (known) return known
  let inUse = 0
  const waiting = new Set<Waiting>()

  function tryTake(units: number): boolean {
    // A request of more units than there are has them all.
    if (waiting.size > 0 || (inUse > 0 && inUse + units > max)) return false
    inUse += units
    return true
  }

  /** Admits those that wait, in their order. */
  function admit(): void {
    for (const one of waiting) {
      if (inUse > 0 && inUse + one.units > max) return
      inUse += one.units
      one.resolve(true)
    }
  }

  const share: Share = {
    tryTake,

    take(units, waitMs) {
      if (tryTake(units)) return true
      if (waitMs === 0 || waiting.size >= WAITING_MAX) return false
      return new Promise((resolve) => {
        const one: Waiting = {
          units,
          resolve(isTaken) {
            clearTimeout(timer)
            waiting.delete(one)
            resolve(isTaken)
          },
        }
        const timer = setTimeout(() => {
          one.resolve(false)
          // Requests behind it can need less.
          admit()
        }, waitMs)
        waiting.add(one)
      })
    },

    giveBack(units) {
      inUse -= units
      admit()
      if (inUse === 0) shares.delete(id)
    },
  }
  shares.set(id, share)
  return share
}
