/** The stream of one agent after its hello. */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import {
  type ConnectRequest,
  type ConnectResponse,
  ConnectResponseSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Devices } from '../devices.ts'
import { Dispatch } from './dispatch.ts'
import type { Hello } from './hello.ts'

export type AgentStream = ServerDuplexStream<ConnectRequest, ConnectResponse>

export interface Connection {
  computerId: string
  /** Increases with each hello of the computer. Requests of older streams are refused. */
  epoch: bigint
  /** Of the agent's process. Empty if not sent. */
  runId: string
  /** By `performance.now()`. */
  lastMessageAt: number
  /** The service has requested a reconnect, so the end of the stream is not a shutdown of the computer. */
  reconnecting: boolean
  dispatch: Dispatch
  send(message: MessageInitShape<typeof ConnectResponseSchema>['message'], traceparent?: string): void
  /** Ends the stream after the pending messages. */
  end(): void
}

export function createConnection(
  devices: Devices,
  stream: AgentStream,
  { computerId, epoch, runId }: Hello,
): Connection {
  const connection: Connection = {
    computerId,
    epoch,
    runId,
    lastMessageAt: performance.now(),
    reconnecting: false,
    dispatch: new Dispatch(devices, () => connection),
    send(message, traceparent = '') {
      if (!stream.writableEnded && !stream.destroyed)
        stream.write(create(ConnectResponseSchema, { message, traceparent }))
    },
    end: () => stream.end(),
  }
  return connection
}
