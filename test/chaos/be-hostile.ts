/**
 * Three agents in hostile hands, as a process of its own: fields at and over their bounds, floods, repeated hellos,
 * invented job ids and credentials, compressed messages, and answers and documents that are not read. Runs until it is
 * killed.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import {
  AgentService,
  ConnectRequestSchema,
  ConnectResponseSchema,
  DownloadDocumentRequestSchema,
  ReportedState,
  type ReportSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'

export interface HostileOptions {
  address: string
  /** One for each of the three agents. */
  credentials: string[]
}

type Message = MessageInitShape<typeof ConnectRequestSchema>['message']

const PATH = `/${AgentService.typeName}/`
const FRAME_HEAD_BYTES = 5
const BOMB = gzipSync(Buffer.alloc(32 * 1024 * 1024))

const { address, credentials } = JSON.parse(process.argv[2] ?? '') as HostileOptions
const [fields = '', flood = '', connections = ''] = credentials
// In reality their computers are elsewhere, so they must not take CPU time from the services.
setPriority(19)
process.once('disconnect', () => process.exit())

function openSession(): ClientHttp2Session {
  return connectHttp2(`http://${address}`).on('error', () => undefined)
}

function call(
  session: ClientHttp2Session,
  credential: string,
  method = 'Connect',
  headers: Record<string, string> = {},
) {
  return session
    .request({
      ':method': 'POST',
      ':path': PATH + method,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${credential}`,
      ...headers,
    })
    .on('error', () => undefined)
}

function frame(bytes: Uint8Array, isCompressed = false): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES)
  head.writeUInt8(isCompressed ? 1 : 0)
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

const encode = (message: Message) => frame(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { message })))

const HELLO = { agentVersion: 'hostile', printers: { printers: [{ osName: 'bench', name: 'Bench', state: 'online' }] } }

/** Sends on one stream after another, as fast as the service reads. @param next the next message. */
async function sendForEver(credential: string, hello: Message, isRead: boolean, next: (held: string[]) => Buffer) {
  for (;;) {
    const session = openSession()
    const stream = call(session, credential)
    const held: string[] = []
    const ended = once(stream, 'close').catch(() => undefined)
    if (isRead) stream.on('data', readPrints(held))
    stream.write(encode(hello))
    while (!stream.closed && !stream.destroyed) {
      if (!stream.write(next(held))) await Promise.race([once(stream, 'drain').catch(() => undefined), ended])
      // Messages of others must be read as well.
      await new Promise((resolve) => setImmediate(resolve))
    }
    session.destroy()
    await sleep(200)
  }
}

/** Collects the jobs of the stream. Frames that are split are skipped. */
function readPrints(held: string[]) {
  return (chunk: Buffer) => {
    for (let at = 0; at + FRAME_HEAD_BYTES <= chunk.length; ) {
      const end = at + FRAME_HEAD_BYTES + chunk.readUInt32BE(at + 1)
      if (end > chunk.length) return
      const { message } = fromBinary(ConnectResponseSchema, chunk.subarray(at + FRAME_HEAD_BYTES, end))
      if (message.case === 'print') held.push(message.value.jobId)
      at = end
    }
  }
}

const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)]

function overBounds(held: string[]): Buffer {
  const text =
    pick(['x'.repeat(1_000), 'x'.repeat(1_001), '\u0001'.repeat(50_000), '😀'.repeat(1_000), '"'.repeat(9_000)]) ?? ''
  const report: MessageInitShape<typeof ReportSchema> = {
    reportId: pick(['r'.repeat(128), 'r'.repeat(129), '']),
    jobId: pick([...held, randomUUID(), '', '\0']),
    attempt: 1,
    state: pick([ReportedState.PRINTING, ReportedState.UNSPECIFIED, 99 as ReportedState]),
    message: text + Math.random(),
    reasons: Array.from({ length: 50 }, () => pick(['media-empty', text.slice(0, 65)]) ?? ''),
    warnings: Array.from({ length: 50 }, () => text),
  }
  const printers = Array.from({ length: 510 }, (_, n) => ({
    osName: `${randomUUID()} ${n}`,
    name: text.slice(0, 300),
    capabilities: n > 5 ? {} : { papers: Array.from({ length: 200 }, () => ({ name: text.slice(0, 255) })) },
  }))
  const messages: Message[] = [
    { case: 'report', value: report },
    { case: 'received', value: { jobId: report.jobId, attempt: 1 } },
    { case: 'removed', value: { jobId: report.jobId } },
    { case: 'printers', value: { printers } },
    { case: 'hello', value: HELLO },
  ]
  return encode(pick(messages))
}

const inventedJobs = () =>
  encode(
    Math.random() < 0.5
      ? { case: 'received', value: { jobId: randomUUID(), attempt: 1 } }
      : { case: 'report', value: { reportId: 'r', jobId: randomUUID(), attempt: 1, state: ReportedState.DONE } },
  )

/** Repeated hellos, invented credentials, compressed messages, and documents that are not read. */
async function connectForEver(credential: string) {
  const download = frame(
    toBinary(DownloadDocumentRequestSchema, create(DownloadDocumentRequestSchema, { jobId: randomUUID() })),
  )
  for (;;) {
    const session = openSession()
    call(session, credential).write(encode({ case: 'hello', value: HELLO }))
    for (let n = 0; n < 5; n++)
      call(session, `platen_agent_${randomBytes(32).toString('base64url')}`).write(
        encode({ case: 'hello', value: HELLO }),
      )
    call(session, credential, 'Connect', { 'grpc-encoding': 'gzip' }).write(frame(BOMB, true))
    for (let n = 0; n < 5; n++) call(session, credential, 'DownloadDocument').end(download)
    await sleep(50)
    session.destroy()
  }
}

await Promise.all([
  sendForEver(fields, { case: 'hello', value: HELLO }, true, overBounds),
  sendForEver(flood, { case: 'hello', value: HELLO }, false, inventedJobs),
  connectForEver(connections),
])
