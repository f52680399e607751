/**
 * Provides the limit of prints per period for the creation of live jobs. The jobs service counts and refuses.
 *
 * Without usage the last known limit applies, or none, so that creations do not fail (docs/reference/usage.md#plans).
 */
import { createBoundedMap, createCache } from '@platen/runtime/cache.ts'
import type { Gateway } from '../gateway.ts'

/** The delay of a changed plan. */
const TTL_MS = 5_000
/** About 5 MB. */
const PLANS_MAX = 10_000
/** A creation waits for it in parallel to the look-up of the printer. */
const TIMEOUT_MS = 1_000

interface Tenant {
  organizationId: string
  mode: string
}

/**
 * @param now milliseconds of a clock that is never set.
 * @returns a function that returns the limit; undefined is unlimited. Test jobs are not prints.
 */
export function createPrintsLimitLookUp(
  { usage, log, optionalTimeoutMs = TIMEOUT_MS }: Pick<Gateway, 'usage' | 'log' | 'optionalTimeoutMs'>,
  now?: () => number,
) {
  const cache = createCache<number | undefined>({ ttlMs: TTL_MS, max: PLANS_MAX, now })
  /** The limit by organization, if it has one. */
  const knownLimits = createBoundedMap<number>(PLANS_MAX)
  let isAnswering = true

  async function fetchLimit(organizationId: string): Promise<number | undefined> {
    try {
      const { plan } = await usage.getPlan({ organizationId }, { timeoutMs: optionalTimeoutMs })
      if (!isAnswering) log.info('usage answers again')
      isAnswering = true
      if (plan?.printsLimit === undefined) knownLimits.delete(organizationId)
      else knownLimits.set(organizationId, plan.printsLimit)
    } catch (error) {
      if (isAnswering) log.warn({ err: error }, 'usage does not answer, the last known limits apply')
      isAnswering = false
    }
    return knownLimits.get(organizationId)
  }

  return async ({ organizationId, mode }: Tenant): Promise<number | undefined> =>
    mode === 'live' ? await cache.get(organizationId, () => fetchLimit(organizationId)) : undefined
}
