/** The connection to NATS. It is waited for at the start and comes back by itself; PostgreSQL alone holds the truth. */
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { ServiceProcess } from '../process.ts'

export interface Nats {
  connection: NatsConnection
  jetstream: JetStreamClient
  manager: JetStreamManager
}

/** @param url `nats://token@host:4222` */
export async function connectNats(service: ServiceProcess, url: string): Promise<Nats> {
  const { host, username } = new URL(url)
  const connection = await connect({
    servers: host,
    token: username ? decodeURIComponent(username) : undefined,
    name: service.log.bindings().name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: true,
    pingInterval: 10_000,
    // Else each publication captures two stacks for an error that nearly none of them has: 13 % of the jobs service.
    noAsyncTraces: true,
  })
  service.onStop('NATS connection', () => connection.drain())
  // A server without JetStream would be noticed here; whether it answers right now is no reason not to start.
  const manager = await jetstreamManager(connection, { checkAPI: false })
  return { connection, jetstream: jetstream(connection), manager }
}
