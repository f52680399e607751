/**
 * The life of one agent's stream: hello, then its messages in their order, until one side ends it. An endless stream has no span
 * of its own; each message about a job carries that job's trace.
 */
import { create } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { type ConnectRequest, ConnectResponseSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { atMost } from '@platen/runtime/timers.ts'
import type { Devices } from '../devices.ts'
import { authenticate, DeletedComputer, Refusal } from './authenticate.ts'
import { type AgentStream, type Connection, createConnection } from './connection.ts'
import { handleMessage } from './handle-message.ts'
import { sayHello } from './hello.ts'
import { mendMessage } from './mend-message.ts'
import { createPrinterReports } from './printer-reports.ts'
import { announceTakeover, supersede } from './takeover.ts'

/** A stream is dead after this number of missed heartbeats: docs/reference/computers.md#computer.silent.60s. */
export const HEARTBEATS_MISSED_MAX = 3
const HELLO_WITHIN_MS = 10_000
/** Of a stream that was reset, after its end was read: it takes some turns of the event loop. */
const CANCELLED_WITHIN_MS = 250

export async function connect(devices: Devices, stream: AgentStream): Promise<void> {
  let connection: Connection | undefined
  let cleanly = false
  const silent = new Refusal(status.DEADLINE_EXCEEDED, `Say Hello within ${HELLO_WITHIN_MS / 1000} s.`)
  const helloLimit = setTimeout(() => stream.emit('error', silent), HELLO_WITHIN_MS)
  try {
    const identity = await authenticate(devices, stream.metadata)
    const messages: AsyncIterator<ConnectRequest> = stream[Symbol.asyncIterator]()
    const first = await messages.next()
    clearTimeout(helloLimit)
    if (first.done || first.value.message.case !== 'hello')
      throw new Refusal(status.INVALID_ARGUMENT, 'The first message must be Hello.')
    mendMessage(first.value)
    const hello = await sayHello(devices, identity, first.value.message.value)
    if (hello) {
      connection = createConnection(devices, stream, hello)
      await serve(devices, connection, hello.endedJobIds, messages)
      // A stream that was reset has an end like one that was ended; that it is cancelled is known a moment later.
      if (!stream.cancelled)
        await atMost(CANCELLED_WITHIN_MS, new Promise((resolve) => stream.once('cancelled', resolve)))
      cleanly = !connection.reconnecting && !stream.cancelled
    } else devices.log.info({ computer_id: identity.computerId }, 'a hello came that its agent had given up')
    stream.end()
  } catch (error) {
    if (error instanceof DeletedComputer) sayDeleted(stream)
    else if (!isClosed(error)) stream.emit('error', refusalFor(devices, error))
  } finally {
    clearTimeout(helloLimit)
    if (connection) {
      devices.connections.remove(connection)
      devices.log.info(
        { computer_id: connection.computerId, epoch: String(connection.epoch), cleanly },
        'agent disconnected',
      )
      await devices.presence
        .disconnected(connection, cleanly)
        .catch((error: unknown) =>
          devices.log.warn({ err: error }, 'disconnection not recorded, the sweep will find it'),
        )
    }
  }
}

/** @returns when the agent has ended the stream. */
async function serve(
  devices: Devices,
  connection: Connection,
  endedJobIds: string[],
  messages: AsyncIterator<ConnectRequest>,
): Promise<void> {
  const { computerId, epoch } = connection
  const { heartbeatSeconds } = devices
  const older = devices.connections.add(connection)
  if (older) supersede(older, devices.connections.get(computerId)?.runId)
  if (older === connection) return
  announceTakeover(devices, connection)
  const ended = new AbortController()
  const printerReports = createPrinterReports(devices, computerId, epoch, ended.signal)
  const heartbeat = setInterval(() => beat(connection, heartbeatSeconds * 1000), heartbeatSeconds * 1000)
  devices.log.info({ computer_id: computerId, epoch: String(epoch) }, 'agent connected')
  // Before Welcome: an agent that was started anew waits for that with what it was granted before.
  for (const jobId of endedJobIds) connection.send({ case: 'remove', value: { jobId } })
  connection.send({ case: 'welcome', value: { computerId, heartbeatSeconds } })
  connection.dispatch.wake()
  try {
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      connection.heardAt = performance.now()
      devices.presence.heard(connection)
      if (mendMessage(next.value)) handleMessage(devices, connection, printerReports, next.value)
      else devices.log.warn({ computer_id: computerId }, 'an agent spoke of a job whose id is none')
    }
  } finally {
    ended.abort()
    clearInterval(heartbeat)
  }
}

/** The same word that a stream hears whose computer is deleted meanwhile: the agent need not tell a status by its text. */
function sayDeleted(stream: AgentStream): void {
  stream.write(create(ConnectResponseSchema, { message: { case: 'computerDeleted', value: {} } }))
  stream.end()
}

function beat(connection: Connection, everyMs: number): void {
  const silentMs = performance.now() - connection.heardAt
  if (silentMs > HEARTBEATS_MISSED_MAX * everyMs) connection.end()
  else connection.send({ case: 'heartbeat', value: {} })
}

/** The agent, or its network, has gone away: nobody is left to answer. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function refusalFor(devices: Devices, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ApiError) {
    devices.log.warn({ err: error.cause ?? error }, 'agent not served, it comes again')
    return new Refusal(status.UNAVAILABLE, error.message)
  }
  devices.log.error({ err: error }, 'agent stream failed')
  return new Refusal(status.INTERNAL, 'The stream failed. Come again.')
}
