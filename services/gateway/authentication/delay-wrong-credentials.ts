/**
 * Slows down addresses that send many wrong credentials. Valid ones are never delayed, because many users can share an
 * address. Each gateway counts its own. Reference: docs/reference/authentication.md#wrong-credentials.
 */
import type { IncomingMessage } from 'node:http'
import { toClientNetwork } from '@platen/runtime/client-network.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createLimitReport } from '@platen/runtime/telemetry/limit-reports.ts'
import { createIdleWait } from '@platen/runtime/timers.ts'
import { TokenBuckets } from '@platen/runtime/token-bucket.ts'
import type { Gateway } from '../gateway.ts'

const DELAY_MS = 1_000
/** A tenth of the connections of a gateway, so that a flood leaves connections for others. */
const DELAYED_MAX = 1_000
/** About 2 MB. */
const ADDRESSES_MAX = 10_000

/**
 * Runs a check of a credential.
 *
 * @throws the error of `check`; `unauthorized` after a delay if the address has exceeded its rate.
 */
export type DelayWrongCredentials = <Found>(request: IncomingMessage, check: () => Promise<Found>) => Promise<Found>

export function createWrongCredentialsDelay({
  getClientAddress,
  rateLimiter,
  clock,
  stopping,
  log,
}: Pick<Gateway, 'getClientAddress' | 'rateLimiter' | 'clock' | 'stopping' | 'log'>): DelayWrongCredentials {
  const { perKey } = rateLimiter.limits
  const rates = new TokenBuckets({ perSecond: perKey, burst: perKey }, ADDRESSES_MAX, clock.monotonicMs)
  const report = createLimitReport(log, clock.monotonicMs)
  let delayed = 0

  async function delay(request: IncomingMessage): Promise<void> {
    const address = toClientNetwork(getClientAddress(request))
    if (rates.get(address).tryTake()) return
    report('wrong credentials', { address })
    if (delayed >= DELAYED_MAX) return
    delayed++
    await createIdleWait(stopping).idle(DELAY_MS)
    delayed--
  }

  return async (request, check) => {
    try {
      return await check()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unauthorized') await delay(request)
      throw error
    }
  }
}
