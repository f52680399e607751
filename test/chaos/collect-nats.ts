/** What NATS still holds back, from JetStream itself. */
import { jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import { DISPATCH_CONSUMER, JOBS_STREAM, USAGE_CONSUMER } from '@platen/proto/subjects.ts'

/** Every durable consumer of Platen: a missing one is not an idle one. */
const CONSUMERS = [DISPATCH_CONSUMER, USAGE_CONSUMER]

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
  const lag = Object.fromEntries(CONSUMERS.map((name) => [name, 1]))
  const streams = await manager.streams.list().next()
  const jobs = streams.find(({ config }) => config.name === JOBS_STREAM.name)
  if (jobs === undefined) return lag
  for (const name of CONSUMERS) lag[name] = Math.max(1, jobs.state.messages)
  for (const { name, num_pending, num_ack_pending } of await manager.consumers.list(JOBS_STREAM.name).next())
    lag[name] = num_pending + num_ack_pending
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
