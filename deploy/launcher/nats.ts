/** nats-server with JetStream on loopback, with a user for each service. Used by the launcher and by tests. */
import { mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NATS_SERVICES } from '@platen/proto/nats-permissions.ts'
import { findNatsServer } from '../install/find-nats-server.mjs'
import { NATS_OPERATOR, NATS_USER, toNatsUser } from '../nats-users.ts'
import { writePrivateJson } from './private-file.ts'
import { type RunningProcess, type StartOptions, untilReady } from './running-process.ts'
import { startServer } from './start-server.ts'
import { StartupError } from './startup-error.ts'

const READY_TIMEOUT_MS = 30_000
const POLL_MS = 20

const MAX_PAYLOAD_BYTES = 1024 * 1024

interface ServerOptions extends StartOptions {
  /** For its store and its configuration. */
  directory: string
  port: number
  logFile: string
}

export interface NatsOptions extends ServerOptions {
  /** The password of the users of the services. Must need no escaping in a URL, like that of operators. */
  password: string
  operatorPassword: string
}

export interface NatsUrls {
  /** The URL of the services, with `*` for the name of the service. */
  url: string
  /** The URL of a user who may do everything. */
  operatorUrl: string
}

/** @returns the server when it accepts clients, with its URLs. */
export async function startNats(options: NatsOptions): Promise<RunningProcess & NatsUrls> {
  const { port, password, operatorPassword } = options
  const services = NATS_SERVICES.map((service) => toNatsUser(service, password))
  const users = [...services, { user: NATS_OPERATOR, password: operatorPassword }]
  const running = await startNatsWith({ users }, options)
  const toUrl = (user: string, password: string) => `nats://${user}:${password}@127.0.0.1:${port}`
  return { ...running, url: toUrl(NATS_USER, password), operatorUrl: toUrl(NATS_OPERATOR, operatorPassword) }
}

/** @param authorization of the configuration of nats-server. @returns the server when it accepts clients. */
export async function startNatsWith(authorization: object, options: ServerOptions): Promise<RunningProcess> {
  const { directory, port, logFile, stopping } = options
  stopping?.throwIfAborted()
  const program = findNatsServer()
  if (!program) throw new StartupError('nats-server is missing. Run `node deploy/install/main.mjs`.')

  await mkdir(directory, { recursive: true, mode: 0o700 })
  const configuration = join(directory, 'nats-server.conf')
  writePrivateJson(configuration, {
    host: '127.0.0.1',
    port,
    jetstream: { store_dir: directory },
    authorization,
    max_payload: MAX_PAYLOAD_BYTES,
  })
  const running = await startServer({
    name: 'nats-server',
    command: program,
    args: ['-c', configuration],
    endSignal: 'SIGTERM',
    logFile,
  })
  const waiting = new AbortController()
  await untilReady(running, untilAccepting(port, waiting.signal), READY_TIMEOUT_MS, options).finally(() =>
    waiting.abort(),
  )
  return running
}

async function untilAccepting(port: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await sendsInfo(port)) return
    await sleep(POLL_MS)
  }
}

/** nats-server sends INFO to new clients after JetStream has opened its store. */
function sendsInfo(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', (data) => {
      resolve(data.toString().startsWith('INFO '))
      socket.destroy()
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })
}
