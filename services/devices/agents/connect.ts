/**
 * Serves one agent stream: the hello, then the messages in order until one side ends the stream. A stream has no span.
 * Each message about a job contains the trace of that job.
 */
import { create } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { ConnectResponseSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AGENT_PORT_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { agentHellos, agentStreamsEnded } from '@platen/runtime/telemetry/metrics.ts'
import { withTimeout } from '@platen/runtime/timers.ts'
import type { Devices } from '../devices.ts'
import { authenticate, DeletedComputer, Refusal, RevokedCredential } from './authenticate.ts'
import { type AgentStream, type Connection, createConnection, type SizedRequest } from './connection.ts'
import { handleMessage } from './handle-message.ts'
import { type Hello, processHello } from './hello.ts'
import { Intake } from './intake.ts'
import { adoptCredential, offerCredential, recordRefusal } from './new-credentials.ts'
import { createPrinterReports } from './printer-reports.ts'
import { sanitizeMessage } from './sanitize-message.ts'
import { announceTakeover, supersede } from './takeover.ts'
import { offerVersion } from './update-state.ts'

/** A stream ends after this number of missed heartbeats: docs/reference/computers.md#computer.silent.60s. */
export const HEARTBEATS_MISSED_MAX = 3
/** Part of the maximum age of a stream by which it varies, so that agents that connected together return one by one. */
const AGE_SPREAD = 0.2
const HELLO_TIMEOUT_MS = AGENT_PORT_LIMITS.idleMs
/**
 * For the 'cancelled' event of a reset stream, which follows the end of the stream after some ticks of the event loop.
 */
const CANCELLED_TIMEOUT_MS = 250

/** @param exempt stops counting the connection by its address. It counts again when the result is called. */
export async function connect(devices: Devices, stream: AgentStream, exempt: () => () => void): Promise<void> {
  let connection: Connection | undefined
  let count: (() => void) | undefined
  let cleanly = false
  const late = new Refusal(status.DEADLINE_EXCEEDED, `Hello must be sent within ${HELLO_TIMEOUT_MS / 1000} s.`)
  const helloTimeout = setTimeout(() => stream.emit('error', late), HELLO_TIMEOUT_MS)
  try {
    const identity = await authenticate(devices, stream, (hash) => limitHellos(devices, hash))
    const messages: AsyncIterator<SizedRequest> = stream[Symbol.asyncIterator]()
    const first = await messages.next()
    clearTimeout(helloTimeout)
    const { request } = first.done ? {} : first.value
    if (request?.message.case !== 'hello')
      throw new Refusal(status.INVALID_ARGUMENT, 'The first message must be Hello.')
    const reason = sanitizeMessage(request, () =>
      devices.limitExceeded('printers', { computerId: identity.computerId }),
    )
    if (reason) throw new Refusal(status.INVALID_ARGUMENT, `Hello is refused: ${reason}.`)
    if (identity.newSha256) await adoptCredential(devices, Buffer.from(identity.newSha256, 'hex'))
    const hello = await processHello(devices, identity, request.message.value)
    agentHellos.add(1, { result: hello ? 'accepted' : 'outdated' })
    if (hello) {
      connection = createConnection(devices, stream, hello, identity.organizationId)
      connection.newCredential = await offerCredential(devices, identity)
      count = exempt()
      const offeredVersion = await offerVersion(devices, request.message.value)
      await serve(devices, connection, { ...hello, offeredVersion }, messages)
      // A reset stream has an end like a closed one, and 'cancelled' follows.
      if (!stream.cancelled)
        await withTimeout(CANCELLED_TIMEOUT_MS, new Promise((resolve) => stream.once('cancelled', resolve)))
      cleanly = !connection.reconnecting && !stream.cancelled
    } else devices.log.info({ computer_id: identity.computerId }, 'outdated hello ignored')
    stream.end()
    if (connection) agentStreamsEnded.add(1, { why: connection.endedBecause ?? (cleanly ? 'closed' : 'lost') })
  } catch (error) {
    if (connection) agentStreamsEnded.add(1, { why: connection.endedBecause ?? (isClosed(error) ? 'lost' : 'failed') })
    else agentHellos.add(1, { result: toHelloResult(error) })
    if (error instanceof RevokedCredential) await recordRefusal(devices, error.computerId)
    if (error instanceof DeletedComputer) sendDeleted(stream)
    else if (!isClosed(error)) stream.emit('error', toRefusal(devices, error))
  } finally {
    clearTimeout(helloTimeout)
    count?.()
    if (connection) {
      devices.connections.remove(connection)
      connection.dispatch.end()
      connection.commands.end()
      devices.log.info(
        { computer_id: connection.computerId, epoch: String(connection.epoch), cleanly },
        'agent disconnected',
      )
      await devices.presence
        .disconnected(connection, cleanly)
        .catch((error: unknown) =>
          devices.log.warn({ err: error }, 'disconnect not recorded, will be detected by the sweep'),
        )
    }
  }
}

/** A hello costs several statements, so those of one credential are limited before its look-up. */
function limitHellos(devices: Devices, hash: string): void {
  if (devices.helloRates.get(hash).tryTake()) return
  devices.limitExceeded('hello rate')
  throw new Refusal(status.RESOURCE_EXHAUSTED, 'This computer connects too often. Wait a second.')
}

/** Returns when the agent has ended the stream, at once for an outdated one. */
async function serve(
  devices: Devices,
  connection: Connection,
  { endedJobIds, laterPrinters, offeredVersion }: Hello & { offeredVersion: string },
  messages: AsyncIterator<SizedRequest>,
): Promise<void> {
  const { computerId, epoch, organizationId } = connection
  const { heartbeatSeconds } = devices
  const older = devices.connections.add(connection)
  if (older) supersede(devices, older, devices.connections.get(computerId) ?? connection)
  if (older === connection) return
  announceTakeover(devices, connection)
  const ended = new AbortController()
  const printerReports = createPrinterReports(devices, connection, ended.signal)
  if (laterPrinters) printerReports.store(laterPrinters)
  const heartbeat = setInterval(() => sendHeartbeat(connection, heartbeatSeconds * 1000), heartbeatSeconds * 1000)
  // Otherwise a new replica would stay without agents.
  const age = setTimeout(
    () => connection.reconnect('age', 0),
    devices.streamMaxMs * (1 - AGE_SPREAD + 2 * AGE_SPREAD * Math.random()),
  )
  devices.log.info({ computer_id: computerId, epoch: String(epoch) }, 'agent connected')
  // Before Welcome, because a restarted agent continues its granted jobs after Welcome.
  for (const jobId of endedJobIds) {
    connection.send({ case: 'remove', value: { jobId } })
    await connection.drained()
  }
  const { newCredential } = connection
  connection.send({ case: 'welcome', value: { computerId, heartbeatSeconds, newCredential, offeredVersion } })
  connection.dispatch.wake()
  const intake = new Intake(devices.messageRates.get(organizationId))
  const onSlow = () => devices.limitExceeded('message rate', { computerId })
  try {
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      connection.lastMessageAt = performance.now()
      if (devices.connections.get(computerId) === connection) devices.presence.seen(connection)
      const { request, bytes } = next.value
      const reason = sanitizeMessage(request, () => devices.limitExceeded('printers', { computerId }))
      if (reason) devices.limitExceeded('message', { computerId, reason })
      else handleMessage(devices, connection, intake, printerReports, request)
      await intake.wait(bytes, onSlow)
    }
  } finally {
    ended.abort()
    clearInterval(heartbeat)
    clearTimeout(age)
  }
}

/** The same message as for a connected computer, so that the agent need not parse the text of a status. */
function sendDeleted(stream: AgentStream): void {
  stream.write(create(ConnectResponseSchema, { message: { case: 'computerDeleted', value: {} } }))
  stream.end()
}

/** Ends the stream instead if the agent is silent for too long. */
function sendHeartbeat(connection: Connection, everyMs: number): void {
  const silentMs = performance.now() - connection.lastMessageAt
  if (silentMs > HEARTBEATS_MISSED_MAX * everyMs) connection.end('silent')
  else connection.send({ case: 'heartbeat', value: {} })
}

const HELLO_RESULTS: Partial<Record<status, string>> = {
  [status.UNAUTHENTICATED]: 'unauthenticated',
  [status.RESOURCE_EXHAUSTED]: 'rate_limited',
  [status.INVALID_ARGUMENT]: 'invalid',
  [status.DEADLINE_EXCEEDED]: 'late',
}

/** For the metrics. */
function toHelloResult(error: unknown): string {
  if (error instanceof DeletedComputer) return 'deleted'
  if (error instanceof Refusal) return HELLO_RESULTS[error.code] ?? 'other'
  if (error instanceof ApiError) return 'unavailable'
  return isClosed(error) ? 'closed' : 'other'
}

/** The agent has closed the connection, or its network has failed. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function toRefusal(devices: Devices, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ApiError) {
    devices.log.warn({ err: error.cause ?? error }, 'agent not served, will reconnect')
    return new Refusal(status.UNAVAILABLE, error.message)
  }
  devices.log.error({ err: error }, 'agent stream failed')
  return new Refusal(status.INTERNAL, 'The stream failed. Reconnect.')
}
