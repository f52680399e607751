/**
 * A durable JetStream consumer, shared by all replicas of a service. It is made when it is missing, also after the server lost
 * its store. Each event comes at least once, so a handler must be idempotent: guarded by a state or by the event's id.
 *
 * After its handler came back an event is acknowledged to JetStream and confirmed to the outbox that it came from, which until
 * then publishes it again. A handler that throws sees the event again after `RETRY_DELAY_MS`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import { SpanKind, trace } from '@opentelemetry/api'
import { confirmTo } from '../outbox/confirmations.ts'
import type { ServiceProcess } from '../process.ts'
import { contextFrom, within } from '../telemetry/trace-context.ts'
import { ignoreAbort } from '../timers.ts'
import type { Nats } from './nats.ts'
import { ensureStream, type StreamConfig } from './streams.ts'

/** A worker that died holds its events no longer than this. */
const ACK_WAIT_NS = 10 * 1e9
const RETRY_DELAY_MS = 1_000
const CONCURRENT_EVENTS = 64
const RESTART_DELAY_MS = 250

const tracer = trace.getTracer('platen.messaging')

export interface ConsumerConfig {
  /** Also the name under which the outbox waits for the confirmation. */
  name: string
  stream: StreamConfig
  filterSubject: string
  /** Schema of the service whose outbox the events come from. */
  outbox: string
}

export interface EventMessage {
  subject: string
  /** The outbox payload. */
  json: unknown
}

export function startConsumer(
  service: ServiceProcess,
  nats: Nats,
  config: ConsumerConfig,
  handle: (event: EventMessage) => Promise<void>,
): void {
  const confirmations = confirmTo(service, nats.connection, config.outbox, config.name)

  async function process(message: JsMsg): Promise<void> {
    const parent = contextFrom(message.headers?.get('traceparent'))
    const span = tracer.startSpan(
      `process ${config.filterSubject}`,
      {
        kind: SpanKind.CONSUMER,
        attributes: {
          'messaging.system': 'nats',
          'messaging.operation.type': 'process',
          'messaging.destination.name': message.subject,
          'messaging.consumer.group.name': config.name,
        },
      },
      parent,
    )
    try {
      await within(span, parent, () => handle({ subject: message.subject, json: message.json() }))
    } catch (error) {
      service.log.warn(
        { err: error, subject: message.subject, consumer: config.name },
        'event not handled, comes again',
      )
      message.nak(RETRY_DELAY_MS)
      return
    }
    message.ack()
    const eventId = message.headers?.get('platen-event-id')
    if (eventId) confirmations.add(eventId)
  }

  async function consume(): Promise<void> {
    await ensureStream(nats, config.stream)
    await nats.manager.consumers
      .add(config.stream.name, {
        durable_name: config.name,
        filter_subject: config.filterSubject,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: ACK_WAIT_NS,
        max_ack_pending: 1_000,
      })
      // An earlier release may have made it with another filter; from 2.10 on the server does not let `add` change it.
      .catch(() =>
        nats.manager.consumers.update(config.stream.name, config.name, { filter_subject: config.filterSubject }),
      )
    const consumer = await nats.jetstream.consumers.get(config.stream.name, config.name)
    const messages = await consumer.consume({ max_messages: CONCURRENT_EVENTS, abort_on_missing_resource: true })
    const stop = () => messages.stop()
    service.stopping.addEventListener('abort', stop)
    const running = new Set<Promise<void>>()
    try {
      for await (const message of messages) {
        const work = process(message).finally(() => running.delete(work))
        running.add(work)
        if (running.size >= CONCURRENT_EVENTS) await Promise.race(running)
      }
    } finally {
      service.stopping.removeEventListener('abort', stop)
      await Promise.all(running)
    }
  }

  const loop = async () => {
    while (!service.stopping.aborted) {
      try {
        await consume()
      } catch (error) {
        if (!service.stopping.aborted)
          service.log.warn({ err: error, consumer: config.name }, 'consumer lost, starting again')
      }
      await sleep(RESTART_DELAY_MS, undefined, { signal: service.stopping }).catch(ignoreAbort)
    }
  }
  const ended = loop()
  service.onStop(`consumer ${config.name}`, () => ended)
}
