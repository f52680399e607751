/** The connection to NATS. It is waited for at the start and comes back by itself; PostgreSQL alone holds the truth. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node'
import type { ServiceProcess } from '../process.ts'
import { ignoreAbort } from '../timers.ts'

const RECONNECT_WAIT_MS = 250

export interface Nats {
  connection: NatsConnection
  jetstream: JetStreamClient
  manager: JetStreamManager
}

/** @param url `nats://token@host:4222` */
export async function connectNats(service: ServiceProcess, url: string): Promise<Nats> {
  const connection = await connect({ ...optionsFor(service, url), waitOnFirstConnect: true })
  service.onStop('NATS connection', () => connection.drain())
  // A server without JetStream would be noticed here; whether it answers right now is no reason not to start.
  const manager = await jetstreamManager(connection, { checkAPI: false })
  return { connection, jetstream: jetstream(connection), manager }
}

const CONNECT_LIMIT_MS = 2_000

/**
 * For what works without NATS as well, only not as well: comes back once NATS is there, which may be never.
 *
 * @returns a connection for core NATS alone, which from then on comes back by itself; nothing when the process stopped before.
 */
export async function connectNatsWhenThere(service: ServiceProcess, url: string): Promise<NatsConnection | undefined> {
  let told = false
  while (!service.stopping.aborted) {
    try {
      const connection = await connect({ ...optionsFor(service, url), timeout: CONNECT_LIMIT_MS })
      service.onStop('NATS connection', () => connection.drain())
      return connection
    } catch (error) {
      if (!told) service.log.warn({ err: error }, 'NATS is not there yet, going on without it')
      told = true
    }
    await sleep(RECONNECT_WAIT_MS, undefined, { signal: service.stopping }).catch(ignoreAbort)
  }
  return undefined
}

function optionsFor(service: ServiceProcess, url: string): NodeConnectionOptions {
  const { host, username } = new URL(url)
  return {
    servers: host,
    token: username ? decodeURIComponent(username) : undefined,
    name: service.log.bindings().name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: 10_000,
    // Otherwise each publication to JetStream captures two stacks, for an error that hardly any of them has.
    noAsyncTraces: true,
  }
}
