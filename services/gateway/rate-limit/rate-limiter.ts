/**
 * The rate limit over all gateways. One of them decides for a key: `owner.ts`. It is asked by a core NATS request, and not asked when it
 * is this one, which for a gateway alone is always.
 *
 * An owner that does not answer is forgotten, and the next one in line asked, in the end this one: nobody waits for more than
 * `ANSWER_LIMIT_MS`, and nobody is refused for want of an answer. A new owner knows nothing of what the one before accepted, so in the
 * second of such a change a key may get twice its limit (docs/operation.md#rate-limit).
 */
import { randomUUID } from 'node:crypto'
import type { NatsConnection } from '@nats-io/transport-node'
import { gatewayRateSubject } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { ownerOf } from './owner.ts'
import { followReplicas, type Replicas } from './replicas.ts'
import { createSlidingLog, type SlidingLog, type Verdict } from './sliding-log.ts'

/**
 * An answer takes 0.2 ms. One that is dead is told by NATS at once, so this is for one that hangs; a gateway that is only busy must not
 * be taken for that, since its keys would be counted in two places.
 */
const ANSWER_LIMIT_MS = 1_000

export interface RateLimiter {
  /** Requests a second. */
  limit: number
  /** Counts the request. At once when this gateway decides; never fails. */
  take(keyId: string): Verdict | Promise<Verdict>
}

export interface RateLimiterOptions {
  limit: number
  /** Without a connection each gateway holds the limit for itself. */
  nats: Promise<NatsConnection | undefined>
  /** Milliseconds of a clock that is never set. */
  now?: () => number
  /** How long another gateway may take to answer. */
  patienceMs?: number
}

/** Does not wait for NATS: until it is there, and while it is away, this gateway decides by itself. */
export function startRateLimiter(
  service: ServiceProcess,
  { limit, nats, now = () => performance.now(), patienceMs = ANSWER_LIMIT_MS }: RateLimiterOptions,
): RateLimiter {
  const own = createSlidingLog(limit, now)
  let take: RateLimiter['take'] = own.take
  void nats.then((connection) => {
    if (connection) take = startSharing(service, connection, own, patienceMs)
  })
  return { limit, take: (keyId) => take(keyId) }
}

function startSharing(
  service: ServiceProcess,
  nats: NatsConnection,
  own: SlidingLog,
  patienceMs: number,
): RateLimiter['take'] {
  const ownId = randomUUID()
  nats.subscribe(gatewayRateSubject(ownId), {
    callback: (error, message) => {
      if (!error) message.respond(JSON.stringify(own.take(message.string())))
    },
  })
  const replicas = followReplicas(service, nats, ownId)

  async function ask(owner: string, keyId: string): Promise<Verdict> {
    try {
      const answer = await nats.request(gatewayRateSubject(owner), keyId, { timeout: patienceMs })
      return answer.json<Verdict>()
    } catch (error) {
      service.log.warn({ err: error, gateway: owner }, 'another gateway did not answer, its keys go to the next one')
      replicas.forget(owner)
      return await take(keyId)
    }
  }

  function take(keyId: string): Verdict | Promise<Verdict> {
    if (!replicas.hasOthers()) return own.take(keyId)
    const owner = ownerOf(keyId, withOwn(replicas, ownId))
    return owner === ownId ? own.take(keyId) : ask(owner, keyId)
  }
  return take
}

function* withOwn(replicas: Replicas, ownId: string): Iterable<string> {
  yield ownId
  yield* replicas.others()
}
