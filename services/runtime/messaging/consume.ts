/**
 * A work queue in JetStream: a stream with one durable consumer, shared by all replicas of a service. Both are created if missing, also
 * after the server lost its store, and have the copies of the settings. The queue may be lost as a whole, because its service fills it again from a table. Messages are
 * delivered at least once, so a handler must be idempotent.
 *
 * A message is acknowledged after its handler succeeds, and redelivered after `RETRY_DELAY_MS` if the handler throws.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AckPolicy, DeliverPolicy, DiscardPolicy, type JsMsg, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import type { ServiceProcess } from '../process.ts'
import { eventsRedelivered } from '../telemetry/metrics.ts'
import { ignoreAbort } from '../timers.ts'
import { ensureStream, type Nats } from './nats.ts'

/** Progress reports per `ackWaitMs` for a message in work. */
const PROGRESS_REPORTS = 3
const RETRY_DELAY_MS = 1_000
const WAITING_FOR_ACK_MAX = 1_000
const RESTART_DELAY_MS = 250

const DAY_NS = 24 * 60 * 60 * 1e9

/** A message that is published again within this window is dropped (default of the server). */
const DUPLICATE_WINDOW_NS = 2 * 60 * 1e9

export interface WorkQueue {
  /** Name of the consumer. */
  name: string
  stream: { name: string; subjects: string[] }
  /** Maximum of concurrent messages per replica. */
  concurrency: number
  /** Messages of a dead worker are redelivered after this time. Live workers report progress more often, so handlers can take longer. */
  ackWaitMs: number
}

export function startConsumer(
  service: ServiceProcess,
  nats: Nats,
  { name, stream, concurrency, ackWaitMs }: WorkQueue,
  handle: (json: unknown) => Promise<void>,
): void {
  eventsRedelivered.add(0, { consumer: name })

  async function process(message: JsMsg): Promise<void> {
    if (message.redelivered) eventsRedelivered.add(1, { consumer: name })
    try {
      await handle(message.json())
    } catch (error) {
      service.log.warn({ err: error, consumer: name }, 'event handler failed, will be redelivered')
      message.nak(RETRY_DELAY_MS)
      return
    }
    message.ack()
  }

  async function open() {
    await ensureStream(nats, {
      ...stream,
      storage: StorageType.File,
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.Old,
      max_age: DAY_NS,
      duplicate_window: DUPLICATE_WINDOW_NS,
    })
    await nats.manager.consumers.add(stream.name, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ackWaitMs * 1e6,
      max_ack_pending: WAITING_FOR_ACK_MAX,
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
    }, ackWaitMs / PROGRESS_REPORTS)
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
      await sleep(RESTART_DELAY_MS, undefined, { signal: service.stopping }).catch(ignoreAbort)
    }
  }
  const ended = loop()
  service.onStop(`consumer ${name}`, () => ended)
}
