/**
 * A durable JetStream consumer, shared by all replicas of a service. It is made when it is missing, also after the server lost
 * its store. Each message comes at least once, so a handler must be idempotent.
 *
 * A message is acknowledged after its handler came back. A handler that throws sees it again after `RETRY_DELAY_MS`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import { SpanKind, trace } from '@opentelemetry/api'
import type { ServiceProcess } from '../process.ts'
import { contextFrom, within } from '../telemetry/trace-context.ts'
import { ignoreAbort } from '../timers.ts'
import type { Nats } from './nats.ts'
import { ensureStream, type StreamConfig } from './streams.ts'

/** A worker that died holds its events no longer than this; one that lives says so more often, for as long as a handler takes. */
const ACK_WAIT_MS = 10_000
/** Within that time. */
const ALIVE_WORDS = 3
const RETRY_DELAY_MS = 1_000
const CONCURRENT_EVENTS = 64
const WAITING_FOR_ACK_MAX = 1_000
const RESTART_DELAY_MS = 250

const tracer = trace.getTracer('platen.messaging')

export interface ConsumerConfig {
  name: string
  stream: StreamConfig
  filterSubject: string
  /** How many a replica works on at a time: 64 unless its handler collects more of them into one statement, or waits for others. */
  concurrentEvents?: number
  ackWaitMs?: number
}

export interface EventMessage {
  subject: string
  json: unknown
}

export function startConsumer(
  service: ServiceProcess,
  nats: Nats,
  config: ConsumerConfig,
  handle: (event: EventMessage) => Promise<void>,
): void {
  const { concurrentEvents = CONCURRENT_EVENTS, ackWaitMs = ACK_WAIT_MS } = config

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
  }

  async function consume(): Promise<void> {
    await ensureStream(nats, config.stream)
    await nats.manager.consumers
      .add(config.stream.name, {
        durable_name: config.name,
        filter_subject: config.filterSubject,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: ackWaitMs * 1e6,
        max_ack_pending: WAITING_FOR_ACK_MAX,
      })
      // An earlier release may have made it with another filter; from 2.10 on the server does not let `add` change it.
      .catch(() =>
        nats.manager.consumers.update(config.stream.name, config.name, { filter_subject: config.filterSubject }),
      )
    const consumer = await nats.jetstream.consumers.get(config.stream.name, config.name)
    const messages = await consumer.consume({ max_messages: concurrentEvents, abort_on_missing_resource: true })
    const stop = () => messages.stop()
    service.stopping.addEventListener('abort', stop)
    // It may have begun to stop while the consumer was being made.
    if (service.stopping.aborted) stop()
    const running = new Map<JsMsg, Promise<void>>()
    const alive = setInterval(() => {
      for (const message of running.keys()) message.working()
    }, ackWaitMs / ALIVE_WORDS)
    let ended: () => void = () => undefined
    try {
      for await (const message of messages) {
        const work = process(message).finally(() => {
          running.delete(message)
          ended()
        })
        running.set(message, work)
        if (running.size >= concurrentEvents)
          await new Promise<void>((resolve) => {
            ended = resolve
          })
      }
    } finally {
      service.stopping.removeEventListener('abort', stop)
      await Promise.all(running.values())
      clearInterval(alive)
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
