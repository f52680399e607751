/** The connection to NATS. Awaited at the start, reconnects automatically. PostgreSQL is the source of truth. */
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
  const connection = await connect({ ...toOptions(service, url), waitOnFirstConnect: true })
  service.onStop('NATS connection', () => connection.drain())
  // Without the check, the start does not depend on a responding JetStream.
  const manager = await jetstreamManager(connection, { checkAPI: false })
  return { connection, jetstream: jetstream(connection), manager }
}

const CONNECT_LIMIT_MS = 2_000

/**
 * For processes that also work without NATS. Resolves once NATS is reachable, which can be never.
 *
 * @returns a connection for core NATS, which reconnects automatically; undefined if the process stops before.
 */
export async function connectNatsWhenThere(service: ServiceProcess, url: string): Promise<NatsConnection | undefined> {
  let isLogged = false
  while (!service.stopping.aborted) {
    try {
      const connection = await connect({ ...toOptions(service, url), timeout: CONNECT_LIMIT_MS })
      service.onStop('NATS connection', () => connection.drain())
      return connection
    } catch (error) {
      if (!isLogged) service.log.warn({ err: error }, 'NATS is not reachable, continuing without it')
      isLogged = true
    }
    await sleep(RECONNECT_WAIT_MS, undefined, { signal: service.stopping }).catch(ignoreAbort)
  }
  return undefined
}

function toOptions(service: ServiceProcess, url: string): NodeConnectionOptions {
  const { host, username } = new URL(url)
  return {
    servers: host,
    token: username ? decodeURIComponent(username) : undefined,
    name: service.log.bindings().name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: 10_000,
    // Otherwise each JetStream publish captures two stacks for an error that rarely occurs.
    noAsyncTraces: true,
  }
}
