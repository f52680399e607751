/**
 * The rate limits over all gateways. One gateway, the owner, decides about the keys of an organization: `owner.ts`. The
 * others ask it by a core NATS request. A single gateway owns all organizations.
 *
 * An owner that does not answer is removed, and the next one is asked, finally this gateway. So each failure costs at
 * most `ANSWER_TIMEOUT_MS`, and no request is refused because of one. A new owner does not know the requests that the
 * previous one accepted, so in the second of a change a key or an organization can get twice its limit
 * (docs/operations/README.md#rate-limit).
 */
import { randomUUID } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { gatewayRateSubject } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { findOwner } from './owner.ts'
import { followReplicas, type Replicas } from './replicas.ts'
import { createSlidingLog, type RateLimits, type SlidingLog, type Verdict } from './sliding-log.ts'

/**
 * An answer takes 0.2 ms. NATS reports a dead gateway at once, so this limit is for one that hangs. A busy gateway must
 * not exceed it, because two gateways would then count its keys.
 */
const ANSWER_TIMEOUT_MS = 1_000

export interface RateLimiter {
  limits: RateLimits
  /** Counts a request. Synchronous for the organizations of this gateway. Never fails. */
  take(keyId: string, organizationId: string): Verdict | Promise<Verdict>
}

export interface RateLimiterOptions {
  limits: RateLimits
  /** Without a connection each gateway applies the limit on its own. */
  nats: Promise<NatsConnection | undefined>
  /** Milliseconds of a clock that is never set. */
  now?: () => number
  /** The timeout for another gateway. */
  timeoutMs?: number
}

/** Does not wait for NATS. Without NATS this gateway decides on its own. */
export function startRateLimiter(
  service: ServiceProcess,
  { limits, nats, now = () => performance.now(), timeoutMs = ANSWER_TIMEOUT_MS }: RateLimiterOptions,
): RateLimiter {
  const own = createSlidingLog(limits, now)
  let take: RateLimiter['take'] = own.take
  void nats.then((connection) => {
    if (connection) take = startSharing(service, connection, own, timeoutMs)
  })
  return { limits, take: (keyId, organizationId) => take(keyId, organizationId) }
}

function startSharing(
  service: ServiceProcess,
  nats: NatsConnection,
  own: SlidingLog,
  timeoutMs: number,
): RateLimiter['take'] {
  const ownId = randomUUID()
  nats.subscribe(gatewayRateSubject(ownId), {
    callback: (error, message) => {
      if (error) return
      const [keyId = '', organizationId = ''] = message.string().split(' ')
      message.respond(JSON.stringify(own.take(keyId, organizationId)))
    },
  })
  const replicas = followReplicas(service, nats, ownId)

  async function ask(owner: string, keyId: string, organizationId: string): Promise<Verdict> {
    try {
      const request = `${keyId} ${organizationId}`
      const answer = await nats.request(gatewayRateSubject(owner), request, { timeout: timeoutMs })
      return answer.json<Verdict>()
    } catch (error) {
      service.log.warn({ err: error, gateway: owner }, 'gateway did not answer, its organizations move to the next one')
      replicas.remove(owner)
      return await take(keyId, organizationId)
    }
  }

  function take(keyId: string, organizationId: string): Verdict | Promise<Verdict> {
    if (!replicas.hasOthers()) return own.take(keyId, organizationId)
    const owner = findOwner(organizationId, withOwn(replicas, ownId))
    return owner === ownId ? own.take(keyId, organizationId) : ask(owner, keyId, organizationId)
  }
  return take
}

function* withOwn(replicas: Replicas, ownId: string): Iterable<string> {
  yield ownId
  yield* replicas.others()
}
