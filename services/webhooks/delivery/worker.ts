/**
 * Makes the attempts that are published: reads what is to be sent where, sends it, records what came of it, and only then acknowledges.
 * Every replica runs one. An attempt that a worker died with comes to another one within seconds; one that is interrupted by the end of the
 * process, or that cannot be recorded, is made again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { context, trace } from '@opentelemetry/api'
import { createBatches, createWriteBatches } from '@platen/runtime/batches.ts'
import { createKeepAlive } from '@platen/runtime/fetch/keep-alive.ts'
import { startConsumer } from '@platen/runtime/messaging/consume.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { within } from '@platen/runtime/telemetry/trace-context.ts'
import { disableFailing } from '../disable-failing.ts'
import type { Webhooks } from '../webhooks.ts'
import { ATTEMPTS, attemptMessage } from './attempt-message.ts'
import { type ReadDelivery, readDeliveries } from './read-deliveries.ts'
import { type EndedAttempt, recordOutcomes } from './record-outcomes.ts'
import { gapAfter } from './schedule.ts'
import { type Outcome, type Sending, send } from './send.ts'
import { withdraw } from './withdraw.ts'

const BATCH = 100
/** Collects while the statement before it is on its way. */
const READ_REST_MS = 4
const RECORD_REST_MS = 10
/** Within what a process has to end: what is under way longer is made again by somebody else. */
const DRAIN_MS = 5_000
/** While there is no way to the database, an outcome is kept, so that nobody gets the same again because of it. */
const RECORD_TRIES = 40
const RECORD_AGAIN_MS = 500

const tracer = trace.getTracer('platen.webhooks')

export interface WorkerOptions {
  timeoutMs: number
  retryGapsMs: readonly number[]
}

/** @param ended told of the endpoint of each attempt that is over. */
export function startWorker(
  service: ServiceProcess,
  webhooks: Webhooks,
  ended: (endpointId: string) => void,
  options: WorkerOptions,
): void {
  const { pool, clock, seal, network, nats } = webhooks
  const keepAlive = createKeepAlive(network)
  service.onStop('connections to endpoints', () => keepAlive.close())
  const ending = new AbortController()
  service.stopping.addEventListener('abort', () => setTimeout(() => ending.abort(), DRAIN_MS).unref())
  const sending: Sending = {
    keepAlive,
    network,
    now: () => clock.now(),
    timeoutMs: options.timeoutMs,
    signal: ending.signal,
  }
  const underWay = new Map<string, Promise<void>>()

  const read = createBatches<string, ReadDelivery | null>({
    everyMs: READ_REST_MS,
    maxItems: BATCH,
    keyOf: (id) => id,
    async run(ids) {
      const found = await readDeliveries(pool, ids, clock.now())
      return new Map(ids.map((id) => [id, found.get(id) ?? null]))
    },
  })
  const record = createWriteBatches<EndedAttempt>({
    everyMs: RECORD_REST_MS,
    maxItems: BATCH,
    keyOf: ({ deliveryId }) => deliveryId,
    async write(attempts) {
      await recordOutcomes(pool, attempts)
      await disableWhatKeepsFailing(attempts)
    },
  })

  /** The sweep would do it, too, a little later. */
  async function disableWhatKeepsFailing(attempts: EndedAttempt[]): Promise<void> {
    const failed = attempts.filter(({ outcome }) => outcome.errorClass !== null).map(({ endpointId }) => endpointId)
    if (failed.length === 0) return
    await disableFailing(webhooks, [...new Set(failed)]).catch((error: unknown) =>
      service.log.warn({ err: error }, 'failing endpoints not disabled, left to the sweep'),
    )
  }

  async function attempt(deliveryId: string, publication: number): Promise<void> {
    const delivery = await read(deliveryId)
    // An older publication, or one whose outcome was recorded before its acknowledgement got lost.
    if (delivery?.status !== 'pending' || delivery.publication !== publication) return
    await attemptOrWithdraw(delivery)
    ended(delivery.endpointId)
  }

  async function attemptOrWithdraw(delivery: ReadDelivery): Promise<void> {
    const { id, endpointId, endpoint, body } = delivery
    if (!endpoint) return await withdraw(pool, id, 'delete')
    if (!endpoint.enabled) return await withdraw(pool, id, 'missed')
    if (body === null) return await withdraw(pool, id, 'failed')
    const secrets = endpoint.sealed.map((sealed) => seal.open(endpointId, sealed))
    await recordFor(
      delivery,
      await traced(delivery, () => send(sending, { ...endpoint, secrets }, { ...delivery, body })),
    )
  }

  async function recordFor({ id, publication, endpointId, trigger, retries }: ReadDelivery, outcome: Outcome) {
    const failed = { ...outcome, retries: retries + 1 }
    const gapMs = outcome.errorClass === null ? undefined : gapAfter(failed, options.retryGapsMs, Math.random())
    const nextAttemptAt = gapMs === undefined ? null : new Date(outcome.endedAt.getTime() + gapMs)
    const attempt = { deliveryId: id, publication, endpointId, trigger, outcome, nextAttemptAt }
    for (let tries = 1; ; tries++) {
      try {
        await record(attempt)
        return
      } catch (error) {
        if (tries >= RECORD_TRIES || service.stopping.aborted) throw error
        await sleep(RECORD_AGAIN_MS)
      }
    }
  }

  /** Two publications of one delivery are taken up one after the other: the later one finds what became of the earlier. */
  async function takeUp(deliveryId: string, publication: number): Promise<void> {
    while (underWay.has(deliveryId)) await underWay.get(deliveryId)?.catch(() => undefined)
    const attempted = attempt(deliveryId, publication).finally(() => underWay.delete(deliveryId))
    underWay.set(deliveryId, attempted)
    await attempted
  }

  startConsumer(service, nats, ATTEMPTS, async (json) => {
    const { deliveryId, publication } = attemptMessage.parse(json)
    await takeUp(deliveryId, publication)
  })
}

/** No URL and no content: both may hold what only the endpoint's owner should know. */
async function traced(delivery: ReadDelivery, attempt: () => Promise<Outcome>): Promise<Outcome> {
  const span = tracer.startSpan('webhook attempt', {
    attributes: {
      'platen.webhook.endpoint_id': delivery.endpointId,
      'platen.webhook.delivery_id': delivery.id,
      'platen.webhook.event_type': delivery.eventType,
    },
  })
  return await within(span, context.active(), async () => {
    const outcome = await attempt()
    if (outcome.statusCode !== null) span.setAttribute('http.response.status_code', outcome.statusCode)
    if (outcome.errorClass !== null) span.setAttribute('error.type', outcome.errorClass)
    return outcome
  })
}
