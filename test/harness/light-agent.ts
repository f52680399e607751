/**
 * An agent that prints in no time: it answers each message at once and downloads nothing, so that the services are what is measured.
 * Speaks gRPC's frames over plain HTTP/2, at half of what a gRPC client computes: that, too, would be missing to the services.
 */
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import {
  AgentService,
  ConnectRequestSchema,
  type ConnectResponse,
  ConnectResponseSchema,
  ReportedState,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'

const PRINTER = { osName: 'bench', name: 'Bench', state: 'online', capabilities: { copies: 1 } }

const CONNECT_PATH = `/${AgentService.typeName}/${AgentService.method.connect.name}`

/** One byte that says that nothing is compressed, four with the message's length. */
const FRAME_HEAD_BYTES = 5

export interface LightAgent {
  close(): void
}

interface Hears {
  /** A job arrived; also when it arrives again. */
  onPrint?: (jobId: string) => void
  /** Its last report was confirmed. */
  onDone?: (jobId: string) => void
  /** The agent's journal: the jobs that arrived and are not done, with their attempt. Given to the next agent it goes on with them. */
  held?: Map<string, number>
}

/**
 * @returns once the server has said Welcome.
 */
export async function connectLightAgent(address: string, credential: string, hears: Hears = {}): Promise<LightAgent> {
  const { held = new Map<string, number>() } = hears
  const { promise: welcome, resolve, reject } = Promise.withResolvers<void>()
  // One TCP connection for each agent, as in the field.
  const session = connectHttp2(`http://${address}`).on('error', reject)
  const stream = session.request({
    ':method': 'POST',
    ':path': CONNECT_PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${credential}`,
  })
  const say = (message: MessageInitShape<typeof ConnectRequestSchema>['message'], traceparent = '') =>
    stream.write(frame(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { message, traceparent }))))

  function hear({ message, traceparent }: ConnectResponse): void {
    const report = (jobId: string, attempt: number, state: ReportedState, step: string) =>
      say({ case: 'report', value: { reportId: `${jobId} ${attempt} ${step}`, jobId, attempt, state } }, traceparent)
    switch (message.case) {
      case 'welcome':
        for (const [jobId, attempt] of held) say({ case: 'received', value: { jobId, attempt } })
        resolve()
        break
      case 'print': {
        const { jobId, attempt } = message.value
        hears.onPrint?.(jobId)
        held.set(jobId, attempt)
        say({ case: 'received', value: { jobId, attempt } }, traceparent)
        break
      }
      case 'granted':
        report(message.value.jobId, message.value.attempt, ReportedState.PRINTING, 'printing')
        break
      case 'reportConfirmed': {
        const [jobId = '', attempt, step] = message.value.reportId.split(' ')
        if (step === 'printing') report(jobId, Number(attempt), ReportedState.DONE, 'done')
        else {
          held.delete(jobId)
          hears.onDone?.(jobId)
        }
        break
      }
      // What it had said before its stream broke is known already.
      case 'refused': {
        const { jobId, attempt, state } = message.value
        if (state === 'printing') report(jobId, attempt, ReportedState.DONE, 'done')
        else if (state !== 'sent' && state !== 'queued' && held.delete(jobId)) hears.onDone?.(jobId)
        break
      }
      case 'heartbeat':
        say({ case: 'heartbeat', value: {} })
    }
  }
  stream.on('data', messagesOf(hear))
  stream.on('error', reject)
  // A refusal has its status in what would be the headers of an answer.
  const refuse = (headers: IncomingHttpHeaders) =>
    headers['grpc-status'] && reject(new Error(`${status[Number(headers['grpc-status'])]}: ${headers['grpc-message']}`))
  stream.on('response', refuse)
  stream.on('trailers', refuse)
  say({
    case: 'hello',
    value: { agentVersion: 'bench', printers: { printers: [PRINTER] }, heldJobIds: [...held.keys()] },
  })
  await welcome
  return { close: () => session.destroy() }
}

function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(FRAME_HEAD_BYTES + message.length)
  framed.writeUInt8(0, 0)
  framed.writeUInt32BE(message.length, 1)
  framed.set(message, FRAME_HEAD_BYTES)
  return framed
}

/** @returns a function to be called with one chunk after the other; frames may be cut anywhere. */
function messagesOf(hear: (message: ConnectResponse) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= FRAME_HEAD_BYTES) {
      const end = FRAME_HEAD_BYTES + rest.readUInt32BE(1)
      if (rest.length < end) return
      hear(fromBinary(ConnectResponseSchema, rest.subarray(FRAME_HEAD_BYTES, end)))
      rest = rest.subarray(end)
    }
  }
}
