/** The connection to NATS. Awaited at the start, reconnects automatically. PostgreSQL is the source of truth. */
import {
  type ConsumerConfig,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream'
import { connect, createInbox, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node'
import { toInboxPrefix } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '../process.ts'
import { retry } from '../retry.ts'
import { diagnoseNats, diagnoseStream } from './diagnose-nats.ts'
import { logRefusals } from './log-refusals.ts'
import { describeCredential, type NatsSettings, toUser } from './settings.ts'

const RECONNECT_WAIT_MS = 250

export interface Nats {
  connection: NatsConnection
  jetstream: JetStreamClient
  manager: JetStreamManager
  /** The replicas of streams. */
  replicas: number
  /** Names of the streams that the service uses. */
  streams: Set<string>
  /** @returns a new subject for an answer. */
  createInbox(): string
}

export async function connectNats(service: ServiceProcess, settings: NatsSettings): Promise<Nats> {
  const connection = await connect({ ...toOptions(service, settings), waitOnFirstConnect: true })
  service.onStop('NATS connection', () => connection.drain())
  logRefusals(service, connection)
  // Without the check, the start does not depend on a responding JetStream.
  const manager = await jetstreamManager(connection, { checkAPI: false })
  const nats = {
    connection,
    jetstream: jetstream(connection),
    manager,
    replicas: settings.replicas,
    streams: new Set<string>(),
    createInbox: () => createInbox(toInboxPrefix(service.name)),
  }
  service.diagnostics.add('NATS', async () => ({
    nats: await diagnoseNats(connection, describeCredential(settings, service.name)),
    streams: await Promise.all([...nats.streams].map((name) => diagnoseStream(manager, name, nats.replicas))),
  }))
  return nats
}

const CONNECT_LIMIT_MS = 2_000

/**
 * For processes that also work without NATS. Resolves once NATS is reachable, which can be never. When the process
 * stops, the connection is closed after everything that was opened after this call.
 *
 * @returns a connection for core NATS, which reconnects automatically; undefined if the process stops before.
 */
export function connectNatsWhenThere(
  service: ServiceProcess,
  settings: Pick<NatsSettings, 'connection'>,
): Promise<NatsConnection | undefined> {
  const connecting = connectUntilStopped(service, settings)
  // The connection ends first: a stop that was registered when it exists would run after the servers that use it have
  // stopped.
  service.onStop('NATS connection', async () => (await connecting)?.drain())
  return connecting
}

async function connectUntilStopped(
  service: ServiceProcess,
  settings: Pick<NatsSettings, 'connection'>,
): Promise<NatsConnection | undefined> {
  const repeats = (error: unknown, failures: number) => {
    if (failures === 1) service.log.warn({ err: error }, 'NATS is not reachable, continuing without it')
    return true
  }
  const connectOnce = () => connect({ ...toOptions(service, settings), timeout: CONNECT_LIMIT_MS })
  const options = { pauseMs: RECONNECT_WAIT_MS, signal: service.stopping, repeats }
  const connection = await retry(connectOnce, options).catch(() => undefined)
  if (connection) logRefusals(service, connection)
  return connection
}

function toOptions(service: ServiceProcess, settings: Pick<NatsSettings, 'connection'>): NodeConnectionOptions {
  const user = toUser(settings, service.name)
  return {
    ...settings.connection,
    ...(user !== undefined && { user }),
    name: service.log.bindings().name,
    inboxPrefix: toInboxPrefix(service.name),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    pingInterval: 10_000,
    // Otherwise each JetStream publish captures two stacks for an error that rarely occurs.
    noAsyncTraces: true,
  }
}

export interface Stream {
  name: string
  subjects: readonly string[]
  /** `workqueue`: an acknowledged message is deleted. */
  retention: RetentionPolicy
  maxAgeMs: number
  maxBytes?: number
}

/** A message that is published again within this window is dropped (default of the server). */
const DUPLICATE_WINDOW_NS = 2 * 60 * 1e9

/**
 * Creates the stream if it is missing, and raises its replicas. They are not lowered, because replicas of a service can
 * have other settings.
 */
export async function ensureStream(
  { manager, replicas, streams }: Pick<Nats, 'manager' | 'replicas' | 'streams'>,
  { name, subjects, retention, maxAgeMs, maxBytes = -1 }: Stream,
): Promise<void> {
  streams.add(name)
  const found = await findStream(manager, name)
  if (found) return await raiseReplicas(manager, found, replicas)
  await manager.streams.add({
    name,
    subjects: [...subjects],
    retention,
    max_age: maxAgeMs * 1e6,
    max_bytes: maxBytes,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    duplicate_window: DUPLICATE_WINDOW_NS,
    num_replicas: replicas,
  })
}

/** Code of the server for a consumer that exists with another configuration. Server 2.9 changes it instead. */
const CONSUMER_EXISTS = 10148

/** Creates the consumer, or changes it if it has another configuration. */
export async function ensureConsumer(
  { manager }: Pick<Nats, 'manager'>,
  stream: string,
  config: Partial<ConsumerConfig> & { durable_name: string },
): Promise<void> {
  try {
    await manager.consumers.add(stream, config)
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === CONSUMER_EXISTS)) throw error
    await manager.consumers.update(stream, config.durable_name, config)
  }
}

/** Consumers without a number of their own follow their stream. */
export async function raiseReplicas(
  manager: JetStreamManager,
  { config }: StreamInfo,
  replicas: number,
): Promise<void> {
  if (config.num_replicas < replicas) await manager.streams.update(config.name, { num_replicas: replicas })
}

async function findStream(manager: JetStreamManager, name: string): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(name)
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return undefined
    throw error
  }
}
