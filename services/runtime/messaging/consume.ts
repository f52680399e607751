/**
 * A durable consumer of a JetStream stream, shared by all replicas of a service. Stream and consumer are created if
 * missing, also after the server lost its store, and have the copies of the settings. Messages are delivered at least
 * once, so a handler must be idempotent.
 *
 * A message is acknowledged after its handler succeeds. Otherwise it is redelivered after the pauses of `backoffMs`.
 */
import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import type { ServiceProcess } from '../process.ts'
import { pause } from '../retry.ts'
import { eventsRedelivered } from '../telemetry/metrics.ts'
import { ensureConsumer, ensureStream, type Nats, type Stream } from './nats.ts'

/** Progress reports within the first pause, for a message in work. */
const PROGRESS_REPORTS = 3
const RESTART_DELAY_MS = 250

/** Without a limit. The server requires a number with `backoff`. */
const DELIVERIES_MAX = 1_000_000_000

export interface ConsumerOptions {
  /** Name of the consumer. */
  name: string
  stream: Stream
  /** Only messages of this subject. */
  filterSubject?: string | undefined
  /** Maximum of concurrent messages per replica. */
  concurrency: number
  /** Maximum of messages that all replicas have not acknowledged. */
  unacknowledgedMax: number
  /**
   * Until a message is redelivered whose handler failed or whose worker ended, by the number of earlier redeliveries.
   * The last pause repeats. Workers report progress, so handlers can take longer than the first pause.
   */
  backoffMs: readonly [number, ...number[]]
}

export function startConsumer(
  service: ServiceProcess,
  nats: Nats,
  { name, stream, filterSubject, concurrency, unacknowledgedMax, backoffMs }: ConsumerOptions,
  handle: (message: JsMsg) => Promise<void>,
): void {
  eventsRedelivered.add(0, { consumer: name })

  async function process(message: JsMsg): Promise<void> {
    if (message.redelivered) eventsRedelivered.add(1, { consumer: name })
    try {
      await handle(message)
    } catch (error) {
      service.log.warn({ err: error, consumer: name }, 'message handler failed, message will be redelivered')
      return
    }
    message.ack()
  }

  async function open() {
    await ensureStream(nats, stream)
    await ensureConsumer(nats, stream.name, {
      durable_name: name,
      ...(filterSubject !== undefined && { filter_subject: filterSubject }),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      backoff: backoffMs.map((ms) => ms * 1e6),
      max_deliver: DELIVERIES_MAX,
      max_ack_pending: unacknowledgedMax,
    })
    const consumer = await nats.jetstream.consumers.get(stream.name, name)
    return await consumer.consume({ max_messages: concurrency, abort_on_missing_resource: true })
  }

  async function consume(): Promise<void> {
    const messages = await open()
    const stop = () => messages.stop()
    service.stopping.addEventListener('abort', stop)
    // The process may have begun to stop while the consumer was opened.
    if (service.stopping.aborted) stop()
    const running = new Map<JsMsg, Promise<void>>()
    const progress = setInterval(() => {
      for (const message of running.keys()) message.working()
    }, backoffMs[0] / PROGRESS_REPORTS)
    let ended: () => void = () => undefined
    try {
      for await (const message of messages) {
        const work = process(message).finally(() => {
          running.delete(message)
          ended()
        })
        running.set(message, work)
        if (running.size >= concurrency)
          await new Promise<void>((resolve) => {
            ended = resolve
          })
      }
    } finally {
      service.stopping.removeEventListener('abort', stop)
      await Promise.all(running.values())
      clearInterval(progress)
    }
  }

  const loop = async () => {
    while (!service.stopping.aborted) {
      try {
        await consume()
      } catch (error) {
        if (!service.stopping.aborted) service.log.warn({ err: error, consumer: name }, 'consumer lost, restarting')
      }
      await pause(RESTART_DELAY_MS, service.stopping)
    }
  }
  const ended = loop()
  service.onStop(`consumer ${name}`, () => ended)
}
