/** The stream of one agent after its hello. */

import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type ServerDuplexStream, status } from '@grpc/grpc-js'
import {
  type ConnectRequest,
  type ConnectResponse,
  ConnectResponseSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { STREAM_LIMITS } from '@platen/resources/limits.ts'
import type { Limit, StreamEnd } from '@platen/runtime/telemetry/metrics.ts'
import type { Devices } from '../devices.ts'
import { Refusal } from './authenticate.ts'
import { Commands } from './commands.ts'
import { Dispatch } from './dispatch.ts'
import type { Hello } from './hello.ts'
import { resetCall } from './reset-call.ts'

/** What a message without a document takes in memory at least. */
const SMALL_MESSAGE_BYTES = 256

export interface SizedRequest {
  request: ConnectRequest
  bytes: number
}

export type AgentStream = ServerDuplexStream<SizedRequest, ConnectResponse>

export interface Connection {
  computerId: string
  organizationId: string
  /** Increases with each hello of the computer. Requests of older streams are refused. */
  epoch: bigint
  /** The id of the agent's process. Empty if not sent. */
  runId: string
  /** The name of the agent's computer. */
  hostname: string
  /** The time by `performance.now()`. */
  openedAt: number
  /** The time by `performance.now()`. */
  lastMessageAt: number
  /** The service has requested a reconnect, so the end of the stream is not a shutdown of the computer. */
  reconnecting: boolean
  /** Offered in Welcome. Empty if none is due. */
  newCredential: string
  dispatch: Dispatch
  /** The commands of users. */
  commands: Commands
  send(message: MessageInitShape<typeof ConnectResponseSchema>['message']): void
  /** Waits while the agent reads slower than the service writes. */
  drained(): Promise<void>
  /** Ends the stream after the pending messages. */
  end(why: StreamEnd): void
  /**
   * Requests a reconnect after `afterMs` and ends the stream. Agents open a new connection, perhaps to another replica.
   */
  reconnect(why: StreamEnd, afterMs: number): void
  /** Undefined until the service ends the stream. */
  endedBecause: StreamEnd | undefined
  /** Ends the stream because the agent exceeds a limit. It then reconnects. */
  refuse(limit: Limit): void
}

export function createConnection(
  devices: Devices,
  stream: AgentStream,
  hello: Hello,
  organizationId: string,
): Connection {
  const { computerId, epoch, runId, hostname } = hello
  let unreadBytes = 0
  const isRead = (bytes: number) => {
    unreadBytes -= bytes
  }
  const isSmallRead = () => isRead(SMALL_MESSAGE_BYTES)
  const connection: Connection = {
    computerId,
    organizationId,
    epoch,
    runId,
    hostname,
    openedAt: performance.now(),
    lastMessageAt: performance.now(),
    reconnecting: false,
    newCredential: '',
    dispatch: new Dispatch(devices, () => connection),
    commands: new Commands(hello, (message) => connection.send(message)),
    send(message) {
      if (stream.writableEnded || stream.destroyed) return
      const contentBytes = message?.case === 'print' ? (message.value.content?.length ?? 0) : 0
      const bytes = SMALL_MESSAGE_BYTES + contentBytes
      unreadBytes += bytes
      stream.write(create(ConnectResponseSchema, { message }), contentBytes === 0 ? isSmallRead : () => isRead(bytes))
      if (unreadBytes <= STREAM_LIMITS.unreadBytesMax) return
      connection.reconnecting = true
      connection.endedBecause ??= 'limit'
      devices.limitExceeded('unread answers', { computerId })
      resetCall(stream)
    },
    async drained() {
      if (!stream.writableNeedDrain) return
      await new Promise<void>((resolve) => {
        const done = () => {
          stream.off('drain', done).off('cancelled', done)
          resolve()
        }
        stream.once('drain', done).once('cancelled', done)
      })
    },
    end(why) {
      connection.endedBecause ??= why
      stream.end()
    },
    endedBecause: undefined,
    reconnect(why, afterMs) {
      connection.reconnecting = true
      connection.send({ case: 'reconnect', value: { afterMs } })
      connection.end(why)
    },
    refuse(limit) {
      if (stream.writableEnded || stream.destroyed) return
      connection.reconnecting = true
      connection.endedBecause ??= 'limit'
      devices.limitExceeded(limit, { computerId })
      stream.emit('error', new Refusal(status.RESOURCE_EXHAUSTED, 'The agent sends too many messages.'))
    },
  }
  return connection
}
