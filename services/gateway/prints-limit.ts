/**
 * The limit of prints per period, for the creation of live jobs. The jobs service counts and refuses; this module only provides the limit.
 *
 * A creation does not fail without it: while usage does not answer, the last known limit applies, or none if none is known
 * (docs/reference/usage.md#plans).
 */
import { createCache } from '@platen/runtime/cache.ts'
import type { Gateway } from './gateway.ts'

/** How soon a changed plan holds. */
const TTL_MS = 5_000
/** About 5 MB. */
const PLANS_MAX = 10_000
/** A creation waits for it beside the look-up of the printer. */
const ASK_WITHIN_MS = 1_000

interface Tenant {
  organizationId: string
  mode: string
}

/**
 * @param now milliseconds of a clock that is never set.
 * @returns the call for a limit; undefined is unlimited. Test jobs are no prints.
 */
export function createPrintsLimitLookUp(
  { usage, log, patienceMs = ASK_WITHIN_MS }: Pick<Gateway, 'usage' | 'log' | 'patienceMs'>,
  now?: () => number,
) {
  const cache = createCache<number | undefined>({ ttlMs: TTL_MS, max: PLANS_MAX, now })
  /** Of those organizations that have one. */
  const knownLimits = new Map<string, number>()
  let isAnswering = true

  async function ask(organizationId: string): Promise<number | undefined> {
    try {
      const { plan } = await usage.getPlan({ organizationId }, { timeoutMs: patienceMs })
      if (!isAnswering) log.info('plans are known again')
      isAnswering = true
      if (plan?.printsLimit === undefined) knownLimits.delete(organizationId)
      else knownLimits.set(organizationId, plan.printsLimit)
    } catch (error) {
      if (isAnswering) log.warn({ err: error }, 'plans are not known, the limits that were known last hold')
      isAnswering = false
    }
    return knownLimits.get(organizationId)
  }

  return async ({ organizationId, mode }: Tenant): Promise<number | undefined> =>
    mode === 'live' ? await cache.get(organizationId, () => ask(organizationId)) : undefined
}
