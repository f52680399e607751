/** One agent's stream after its hello: what is known of it, and how to speak to it. */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { ServerDuplexStream } from '@grpc/grpc-js'
import {
  type ConnectRequest,
  type ConnectResponse,
  ConnectResponseSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Devices } from '../devices.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import type { Hello } from './hello.ts'

export type AgentStream = ServerDuplexStream<ConnectRequest, ConnectResponse>

export interface Connection {
  computerId: string
  /** Grows with each hello of the computer; what an older stream asks for is refused. */
  epoch: bigint
  /** Of the agent's process; empty when it does not say. */
  runId: string
  /** By `performance.now()`: when the agent was last heard. */
  heardAt: number
  /** We asked the agent to come back: its closing the stream is then no shutdown of the computer. */
  reconnecting: boolean
  dispatch: Dispatch
  send(message: MessageInitShape<typeof ConnectResponseSchema>['message'], traceparent?: string): void
  /** Ends the stream, after what was sent has gone out. */
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
    heardAt: performance.now(),
    reconnecting: false,
    dispatch: createDispatch(devices, () => connection),
    send(message, traceparent = '') {
      if (!stream.writableEnded && !stream.destroyed)
        stream.write(create(ConnectResponseSchema, { message, traceparent }))
    },
    end: () => stream.end(),
  }
  return connection
}
