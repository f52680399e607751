/** One stream, from Hello until one side ends it. */
import { create } from '@bufbuild/protobuf'
import {
  type ConnectRequest,
  ConnectRequestSchema,
  type ConnectResponse,
  type Welcome,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Agent } from '../agent.ts'
import { isCredential } from '../config.ts'
import { authorization, openClient } from './client.ts'
import { toHeartbeatMs, toReconnectMs } from './durations.ts'
import { isRefusal, NoAnswer } from './explain-stream.ts'
import { buildHello } from './hello.ts'

const HEARTBEATS_MISSED_MAX = 3

/** Time for the server to close its side when the agent stops. */
const CLOSE_TIMEOUT_MS = 2_000

/** Receives all messages about jobs. */
export interface MessageHandler {
  handle(response: ConnectResponse): void
  /**
   * Hands over nothing more. Resolves when the jobs of the spooler are reported, or after a time limit.
   *
   * @throws when the agent stops.
   */
  finish(): Promise<void>
}

export interface StreamEnd {
  /**
   * - `reconnect`: the server requested a reconnect after `afterMs`.
   * - `refused`: the credential is not accepted.
   * - `superseded`, `deleted`: the service has sent it as a message, so a reconnect is pointless.
   * - `lost`: all other reasons.
   */
  kind: 'lost' | 'reconnect' | 'refused' | 'superseded' | 'deleted'
  welcomed: boolean
  afterMs?: number
  /** The host of the agent that has superseded this one. Empty if unknown. */
  hostname?: string
  error?: unknown
}

/**
 * Resolves when the stream has ended. When the agent stops, it ends the stream itself, so that the server marks the
 * computer offline immediately, unless another process continues the agent.
 *
 * @param number the number of the stream, 1 for the first stream of this run.
 */
export async function holdStream(
  agent: Agent,
  handler: MessageHandler,
  number: number,
  onWelcome: () => void,
): Promise<StreamEnd> {
  const { config, uplink, stopping, timings, log } = agent
  const hello = await buildHello(agent, number)
  stopping.throwIfAborted()

  const end: StreamEnd = { kind: 'lost', welcomed: false }
  const client = openClient(config)
  const call = client.connect(authorization(config.credential))
  let lastMessageAtMs = performance.now()
  let heartbeat: NodeJS.Timeout | undefined
  let printersWatch: NodeJS.Timeout | undefined
  let timeout = setTimeout(abandon, timings.welcomeTimeoutMs, new NoAnswer('the service has sent no Welcome'))
  stopping.addEventListener('abort', stop)

  function send(message: ConnectRequest): void {
    if (call.writable) call.write(message)
  }

  function close(): void {
    uplink.close()
    call.end()
    clearTimeout(timeout)
    timeout = setTimeout(abandon, CLOSE_TIMEOUT_MS, new Error('The service has not closed its side of the stream'))
  }

  function stop(): void {
    if (agent.isContinued) abandon(new Error('The process stops'))
    else close()
  }

  function abandon(reason: Error): void {
    end.error = reason
    call.cancel()
  }

  function sendHeartbeat(intervalMs: number): void {
    const silentMs = performance.now() - lastMessageAtMs
    if (silentMs > HEARTBEATS_MISSED_MAX * intervalMs)
      abandon(new Error(`The service has sent nothing for ${Math.round(silentMs / 1000)} s`))
    else send(create(ConnectRequestSchema, { message: { case: 'heartbeat', value: {} } }))
  }

  /** Later connections use it. Without it the present one stays valid. */
  function replaceCredential(credential: string): void {
    try {
      if (!isCredential(credential)) throw new Error('it is malformed')
      agent.storeCredential(credential)
      agent.config = { ...config, credential }
      send(create(ConnectRequestSchema, { message: { case: 'credentialStored', value: {} } }))
      log.info('the credential of this computer was replaced')
    } catch (error) {
      log.warn({ err: error }, 'the new credential was not stored, the agent keeps its present one')
    }
  }

  function welcome({ computerId, heartbeatSeconds, newCredential, offeredVersion }: Welcome): void {
    const intervalMs = toHeartbeatMs(heartbeatSeconds)
    log.info({ computer_id: computerId, heartbeat_ms: intervalMs }, 'connected')
    clearTimeout(timeout)
    heartbeat = setInterval(sendHeartbeat, intervalMs, intervalMs)
    printersWatch = setInterval(() => void agent.printerReports.reportChanges(), timings.printersIntervalMs)
    end.welcomed = true
    agent.connection = { state: 'connected', since: new Date(), computerId }
    uplink.open({ client, send, isBusy: () => call.writableLength > 0 })
    onWelcome()
    if (newCredential) replaceCredential(newCredential)
    agent.updates?.welcomed(offeredVersion)
  }

  function handle(response: ConnectResponse): void {
    const { message } = response
    if (message.case === 'welcome') welcome(message.value)
    else if (message.case === 'reconnect') {
      if (end.kind === 'lost') Object.assign(end, { kind: 'reconnect', afterMs: toReconnectMs(message.value.afterMs) })
      close()
    } else if (message.case === 'superseded') {
      Object.assign(end, { kind: 'superseded', hostname: message.value.hostname })
      clearInterval(printersWatch)
      handler.finish().then(close, () => undefined)
    } else if (message.case === 'computerDeleted') {
      end.kind = 'deleted'
      close()
    } else if (message.case === 'command')
      void agent.commands.handle(message.value, (result) => send(create(ConnectRequestSchema, result)))
    else handler.handle(response)
  }

  try {
    send(create(ConnectRequestSchema, { message: { case: 'hello', value: hello } }))
    for await (const response of call) {
      lastMessageAtMs = performance.now()
      if (!stopping.aborted) handle(response)
    }
  } catch (error) {
    if (isRefusal(error)) end.kind = 'refused'
    end.error = client.toCause(end.error ?? error, end.error instanceof NoAnswer)
  } finally {
    stopping.removeEventListener('abort', stop)
    uplink.close()
    clearTimeout(timeout)
    clearInterval(heartbeat)
    clearInterval(printersWatch)
    client.close()
  }
  return end
}
