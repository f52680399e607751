/**
 * Makes the published attempts: reads the delivery, sends the request, records the outcome and then acknowledges the
 * message. Every replica runs one worker. The attempt of a worker that crashed is redelivered to another one within
 * seconds. An attempt that is interrupted by the end of the process, or cannot be recorded, is repeated.
 */
import { trace } from '@opentelemetry/api'
import { createBatches, createWriteBatches } from '@platen/runtime/batches.ts'
import { createKeepAlive } from '@platen/runtime/fetch/keep-alive.ts'
import { startConsumer } from '@platen/runtime/messaging/consume.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { retry } from '@platen/runtime/retry.ts'
import { contextFrom, runInSpan, serviceContext } from '@platen/runtime/telemetry/trace-context.ts'
import { disableFailing } from '../disable-failing.ts'
import type { Webhooks } from '../webhooks.ts'
import { ATTEMPTS, attemptMessage } from './attempt-message.ts'
import { type ReadDelivery, type ReadEndpoint, readDeliveries } from './read-deliveries.ts'
import { type EndedAttempt, recordOutcomes } from './record-outcomes.ts'
import { resumeRetries } from './resume.ts'
import { toNextAttempt } from './schedule.ts'
import { hideInside, type Outcome, type Sending, send } from './send.ts'
import { withdraw } from './withdraw.ts'

const BATCH = 100
const READ_EVERY_MS = 4
const RECORD_EVERY_MS = 10
/** Less than the drain time of a process. Another replica repeats attempts that take longer. */
const DRAIN_MS = 5_000
/** Recording is retried for 20 s while the database is unavailable, because otherwise the attempt would be repeated. */
const RECORD_TRIES = 40
const RECORD_RETRY_MS = 500

const tracer = trace.getTracer('platen.webhooks')

export interface WorkerOptions {
  timeoutMs: number
  retryGapsMs: readonly number[]
  /** Attempts in allowed networks are shown as others. */
  allowedNetworksDetails: boolean
}

/** @param onEnded called with the endpoint after each attempt. */
export function startWorker(
  service: ServiceProcess,
  webhooks: Webhooks,
  onEnded: (endpointId: string) => void,
  options: WorkerOptions,
): void {
  const { pool, clock, network, nats } = webhooks
  const keepAlive = createKeepAlive(network)
  service.onStop('connections to endpoints', () => keepAlive.close())
  const ending = new AbortController()
  service.stopping.addEventListener('abort', () => setTimeout(() => ending.abort(), DRAIN_MS).unref())
  const { timeoutMs } = options
  const sending: Sending = { keepAlive, network, now: () => clock.now(), timeoutMs, signal: ending.signal }

  const read = createBatches<string, ReadDelivery | null>({
    everyMs: READ_EVERY_MS,
    maxItems: BATCH,
    getKey: (id) => id,
    async run(ids) {
      const found = await readDeliveries(pool, ids, clock.now())
      return new Map(ids.map((id) => [id, found.get(id) ?? null]))
    },
  })
  const record = createRecorder(service, webhooks, options)

  async function attempt(deliveryId: string, publication: number): Promise<void> {
    const delivery = await read(deliveryId)
    // An older publication, or a redelivery after the outcome was recorded.
    if (delivery?.status !== 'pending' || delivery.publication !== publication) return
    await attemptOrWithdraw(delivery)
    onEnded(delivery.endpointId)
  }

  /** Without older secrets that cannot be decrypted. @returns none if the current one cannot be decrypted. */
  function decryptSecrets(endpointId: string, encryptedSecrets: Buffer[]): string[] {
    const secrets = encryptedSecrets.map((encrypted) => {
      try {
        return webhooks.secretBox.decrypt(endpointId, encrypted)
      } catch (error) {
        service.log.error({ err: error, endpoint_id: endpointId }, 'secret of an endpoint cannot be decrypted')
        return undefined
      }
    })
    return secrets[0] === undefined ? [] : secrets.filter((secret) => secret !== undefined)
  }

  async function attemptOrWithdraw(delivery: ReadDelivery): Promise<void> {
    const { id, endpointId, endpoint, body } = delivery
    if (!endpoint) return await withdraw(pool, id, 'delete')
    if (!endpoint.enabled) return await withdraw(pool, id, 'missed')
    if (body === null) return await withdraw(pool, id, 'failed')
    const secrets = decryptSecrets(endpointId, endpoint.encryptedSecrets)
    const outcome = await inSpan(delivery, () => send(sending, { ...endpoint, secrets }, { ...delivery, body }))
    await record(toEndedAttempt({ ...delivery, endpoint }, outcome, options))
  }

  const inProgress = new Map<string, Promise<void>>()

  startConsumer(service, nats, ATTEMPTS, async (message) => {
    const { deliveryId, publication } = attemptMessage.parse(message.json())
    // Two publications of one delivery are processed in order: the later one reads the outcome of the earlier one.
    while (inProgress.has(deliveryId)) await inProgress.get(deliveryId)?.catch(() => undefined)
    const attempted = attempt(deliveryId, publication).finally(() => inProgress.delete(deliveryId))
    inProgress.set(deliveryId, attempted)
    await attempted
  })
}

/**
 * @returns a function that records one attempt, in batches, disables its endpoint if that has failed for too long, and
 *   resumes the retries of an endpoint that succeeds again.
 */
function createRecorder(
  service: ServiceProcess,
  webhooks: Webhooks,
  { retryGapsMs }: WorkerOptions,
): (attempt: EndedAttempt) => Promise<unknown> {
  /** Sooner than the sweep, which also disables them. */
  async function disableIfFailing(attempts: EndedAttempt[]): Promise<void> {
    const failed = attempts.filter(({ outcome }) => outcome.errorClass !== null).map(({ endpointId }) => endpointId)
    if (failed.length === 0) return
    await disableFailing(webhooks, [...new Set(failed)]).catch((error: unknown) =>
      service.log.warn({ err: error }, 'failing endpoints not disabled, will be retried by the sweep'),
    )
  }

  async function resume(attempts: EndedAttempt[]): Promise<void> {
    await resumeRetries(webhooks, attempts, retryGapsMs).catch((error: unknown) =>
      service.log.warn({ err: error }, 'retries not resumed, they follow their schedule'),
    )
  }

  const record = createWriteBatches<EndedAttempt>({
    everyMs: RECORD_EVERY_MS,
    maxItems: BATCH,
    getKey: ({ deliveryId }) => deliveryId,
    async write(attempts) {
      await recordOutcomes(webhooks.pool, attempts)
      await Promise.all([disableIfFailing(attempts), resume(attempts)])
    },
  })
  const repeats = (_: unknown, failures: number) => failures < RECORD_TRIES && !service.stopping.aborted
  return (attempt) => retry(() => record(attempt), { pauseMs: RECORD_RETRY_MS, repeats })
}

/** @returns the attempt with the state of its delivery after it. */
export function toEndedAttempt(
  delivery: ReadDelivery & { endpoint: ReadEndpoint },
  outcome: Outcome,
  options: Pick<WorkerOptions, 'retryGapsMs' | 'allowedNetworksDetails'>,
): EndedAttempt {
  const { id, publication, endpointId, endpoint, trigger } = delivery
  const shown = options.allowedNetworksDetails ? outcome : hideInside(outcome)
  const next = toNextAttempt(delivery, outcome, options.retryGapsMs, Math.random())
  return { deliveryId: id, publication, endpointId, endpoint, trigger, outcome, shown, ...next }
}

/**
 * The first attempt is in the trace of the cause of its event. Later ones, up to days later, are traces of their own
 * with a link to it. The span contains neither URL nor content, because both may be confidential.
 */
async function inSpan(delivery: ReadDelivery, attempt: () => Promise<Outcome>): Promise<Outcome> {
  const { endpointId, id, eventId, eventType, jobId, traceparent } = delivery
  const cause = contextFrom(traceparent)
  const isFirst = delivery.attempts === 0 && delivery.trigger === 'scheduled'
  const linked = isFirst ? undefined : trace.getSpanContext(cause)
  const parent = isFirst ? cause : serviceContext()
  const attributes = {
    'platen.webhook.endpoint_id': endpointId,
    'platen.webhook.delivery_id': id,
    'platen.webhook.event_type': eventType,
    'messaging.message.id': eventId,
    ...(jobId !== null && { 'print.job.id': jobId }),
  }
  const span = tracer.startSpan('webhook attempt', { attributes, links: linked ? [{ context: linked }] : [] }, parent)
  return await runInSpan(span, parent, async () => {
    const outcome = await attempt()
    if (outcome.statusCode !== null) span.setAttribute('http.response.status_code', outcome.statusCode)
    if (outcome.errorClass !== null) span.setAttribute('error.type', outcome.errorClass)
    return outcome
  })
}
