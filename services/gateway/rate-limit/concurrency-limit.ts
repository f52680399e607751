/**
 * Limits what a key and an organization have in use at once. A request uses its part until its response is sent or its connection is closed,
 * because an unread response stays in memory. Each gateway counts its own. Reference: docs/reference/limits.md#requests-at-once.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import { type Caller, getCredentialId } from '../caller.ts'
import type { RequestState } from '../context.ts'

const RETRY_AFTER_SECONDS = 1
/** Of an organization. Their bodies are not read yet. */
const WAITING_MAX = 200
const PAUSE_MAX_MS = 2_000

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
  /** Units from which on a request is large. It keeps them for the time that it took once more, so that an organization works at most half of the time on its largest requests. */
  largeFrom?: number
}

/**
 * A request uses one unit of the limit, or as many as it says. One without units is not limited.
 *
 * @param kind what is counted, in the plural.
 */
export function createConcurrencyLimit(
  kind: string,
  { perKey, perOrganization, waitMs = 0, largeFrom = Number.POSITIVE_INFINITY }: Limits,
): ConcurrencyLimit {
  const keys = new Map<string, Share>()
  const organizations = new Map<string, Share>()

  const exceeded = (who: string, max: number) => {
    const message = `This ${who} has ${max} ${kind} at once. Send the request again when one of them has ended.`
    return new ApiError('rate_limited', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** @returns the function that gives the units back. */
  async function take(ctx: LimitedRequest, units: number): Promise<() => void> {
    const { caller, session } = ctx.state
    const who = caller?.credential.kind ?? 'session'
    const [keyId, ownerId] = caller
      ? [getCredentialId(caller), caller.organization.id]
      : [session?.id, session?.user.id]
    if (keyId === undefined || ownerId === undefined) return () => undefined
    const ofKey = perKey === undefined ? undefined : openShare(keys, keyId, perKey)
    if (ofKey && !ofKey.tryTake(units)) throw exceeded(who, perKey ?? 0)
    const ofOwner = openShare(organizations, ownerId, perOrganization)
    if (!(await ofOwner.take(units, waitMs))) {
      ofKey?.giveBack(units)
      throw exceeded(caller ? 'organization' : 'user', perOrganization)
    }
    return () => {
      ofKey?.giveBack(units)
      ofOwner.giveBack(units)
    }
  }

  return async (ctx, run, units = 1) => {
    if (units === 0) return await run()
    const giveBack = await take(ctx, units)
    const startedAt = performance.now()
    let workedMs = 0
    const end = () => {
      if (units >= largeFrom) setTimeout(giveBack, Math.min(workedMs, PAUSE_MAX_MS)).unref()
      else giveBack()
    }
    try {
      return await run()
    } finally {
      workedMs = performance.now() - startedAt
      if (ctx.res.closed) end()
      else ctx.res.once('close', end)
    }
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
          // Those behind it can need less.
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
