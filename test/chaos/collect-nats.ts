/** What NATS still holds back, from JetStream itself. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import {
  DEVICE_EVENTS_STREAM,
  DISPATCH_CONSUMER,
  JOBS_STREAM,
  USAGE_CONSUMER,
  WEBHOOKS_DEVICES_CONSUMER,
  WEBHOOKS_JOBS_CONSUMER,
} from '@platen/proto/subjects.ts'

/** Every durable consumer that an outbox waits for: a missing one is not an idle one. */
const CONSUMERS = new Map([
  [JOBS_STREAM.name, [DISPATCH_CONSUMER, USAGE_CONSUMER, WEBHOOKS_JOBS_CONSUMER]],
  [DEVICE_EVENTS_STREAM.name, [WEBHOOKS_DEVICES_CONSUMER]],
])

/** As the outbox writes it. */
const EVENT_ID_HEADER = 'platen-event-id'
const READ_AT_ONCE = 100

/** @param url `nats://token@host:4222` */
export async function connectObserver(url: string, name: string): Promise<NatsConnection> {
  const { host, username } = new URL(url)
  return await connect({
    servers: host,
    token: username ? decodeURIComponent(username) : undefined,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
  })
}

/** @returns for each consumer how many events it has not confirmed; for one that does not exist, all that the stream holds, 1 at least. */
export async function readConsumerLag(nats: NatsConnection): Promise<Record<string, number>> {
  const manager = await jetstreamManager(nats, { checkAPI: false })
  const streams = await manager.streams.list().next()
  const lag: Record<string, number> = {}
  for (const [stream, consumers] of CONSUMERS) {
    const found = streams.find(({ config }) => config.name === stream)
    for (const name of consumers) lag[name] = Math.max(1, found?.state.messages ?? 1)
    if (found === undefined) continue
    for (const { name, num_pending, num_ack_pending } of await manager.consumers.list(stream).next())
      lag[name] = num_pending + num_ack_pending
  }
  return lag
}

/** @returns the ids of the events that the stream still holds, however often. */
export async function readKeptEventIds(nats: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(nats, { checkAPI: false })
  const streams = await manager.streams.list().next()
  const jobs = streams.find(({ config }) => config.name === JOBS_STREAM.name)
  if (jobs === undefined || jobs.state.messages === 0) return []
  const ids: string[] = []
  for (let from = jobs.state.first_seq; from <= jobs.state.last_seq; from += READ_AT_ONCE) {
    const count = Math.min(READ_AT_ONCE, jobs.state.last_seq - from + 1)
    const sequences = Array.from({ length: count }, (_, n) => from + n)
    const messages = await Promise.all(sequences.map((seq) => manager.streams.getMessage(JOBS_STREAM.name, { seq })))
    ids.push(...messages.map((message) => message?.header.get(EVENT_ID_HEADER) ?? ''))
  }
  return ids
}
