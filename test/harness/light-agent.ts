/**
 * An agent that prints instantly: it answers each message at once and downloads nothing, so that measurements cover
 * only the services. Writes gRPC frames over plain HTTP/2, which takes half the CPU time of a gRPC client.
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

const PRINTER = { state: 'online', capabilities: { copies: 1 } }
/** A printer of IPP needs a known format. */
export const WITH_PDF = { ...PRINTER.capabilities, formats: { names: ['pdf', 'raw'] } }

const CONNECT_PATH = `/${AgentService.typeName}/${AgentService.method.connect.name}`

/** One byte for no compression, four bytes for the message length. */
const FRAME_HEAD_BYTES = 5

export interface LightAgent {
  close(): void
  /** Sends `received` again for jobs that were held at the call before: a service without a database loses reports. */
  repeat(): void
}

interface Hears {
  /** Names of the printers. */
  printers?: string[]
  /** Default: a printer without papers and known formats. */
  capabilities?: typeof WITH_PDF
  /** A job arrived, including resends. */
  onPrint?: (jobId: string) => void
  /** The last report of a job was confirmed. */
  onDone?: (jobId: string) => void
  /** The connection is open, and Hello is sent. */
  onHello?: () => void
  /** The connection has ended. `afterMs`: the server asked for a new one after this time; otherwise 0. */
  onEnd?: (afterMs: number) => void
  /** The journal: unfinished jobs with their attempt. A new agent with this journal continues them. */
  held?: Map<string, number>
}

/**
 * @param address `host:port`.
 * @param ca the authority of a proxy with TLS at `address`. Without it the connection has no TLS.
 * @returns after the Welcome of the server.
 */
export async function connectLightAgent(
  address: string,
  credential: string,
  hears: Hears = {},
  ca?: string,
): Promise<LightAgent> {
  const { held = new Map<string, number>(), printers = ['Bench'] } = hears
  const printer = hears.capabilities ? { ...PRINTER, capabilities: hears.capabilities } : PRINTER
  const { promise: welcome, resolve, reject } = Promise.withResolvers<void>()
  let reconnectAfterMs = 0
  // One TCP connection per agent, like real agents.
  const session = connectHttp2(`${ca ? 'https' : 'http'}://${address}`, { ca }).on('error', reject)
  session.once('connect', () => hears.onHello?.())
  session.once('close', () => {
    reject(new Error('the connection has ended'))
    hears.onEnd?.(reconnectAfterMs)
  })
  const stream = session.request({
    ':method': 'POST',
    ':path': CONNECT_PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${credential}`,
  })
  const send = (message: MessageInitShape<typeof ConnectRequestSchema>['message']) =>
    stream.write(frame(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { message }))))

  function hear({ message }: ConnectResponse): void {
    const report = (jobId: string, attempt: number, state: ReportedState, step: string) =>
      send({ case: 'report', value: { reportId: `${jobId} ${attempt} ${step}`, jobId, attempt, state } })
    switch (message.case) {
      case 'welcome':
        for (const [jobId, attempt] of held) send({ case: 'received', value: { jobId, attempt } })
        resolve()
        break
      case 'print': {
        const { jobId, attempt } = message.value
        hears.onPrint?.(jobId)
        held.set(jobId, attempt)
        send({ case: 'received', value: { jobId, attempt } })
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
      // The server already has the messages from before the stream broke.
      case 'refused': {
        const { jobId, attempt, state } = message.value
        if (state === 'printing') report(jobId, attempt, ReportedState.DONE, 'done')
        else if (state !== 'sent' && state !== 'queued' && held.delete(jobId)) hears.onDone?.(jobId)
        break
      }
      case 'heartbeat':
        send({ case: 'heartbeat', value: {} })
        break
      case 'reconnect':
        reconnectAfterMs = message.value.afterMs
    }
  }
  stream.on('data', readMessages(hear))
  stream.on('error', reject)
  // The server has ended the stream.
  stream.on('close', () => session.destroy())
  // A refusal sends its status in the headers.
  const refuse = (headers: IncomingHttpHeaders) =>
    headers['grpc-status'] && reject(new Error(`${status[Number(headers['grpc-status'])]}: ${headers['grpc-message']}`))
  stream.on('response', refuse)
  stream.on('trailers', refuse)
  send({
    case: 'hello',
    value: {
      agentVersion: 'bench',
      printers: { printers: printers.map((name) => ({ ...printer, osName: name, name })) },
      heldJobIds: [...held.keys()],
    },
  })
  await welcome
  let seen: string[] = []
  return {
    close: () => session.destroy(),
    repeat() {
      for (const jobId of seen) {
        const attempt = held.get(jobId)
        if (attempt !== undefined) send({ case: 'received', value: { jobId, attempt } })
      }
      seen = [...held.keys()]
    },
  }
}

function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(FRAME_HEAD_BYTES + message.length)
  framed.writeUInt8(0, 0)
  framed.writeUInt32BE(message.length, 1)
  framed.set(message, FRAME_HEAD_BYTES)
  return framed
}

/** @returns a parser for consecutive chunks. Frames can be split anywhere. */
function readMessages(hear: (message: ConnectResponse) => void): (chunk: Buffer) => void {
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
