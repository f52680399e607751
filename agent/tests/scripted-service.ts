/**
 * A service for agents whose behaviour a test sets: a real grpc-js server that records the messages of agents. By
 * default it sends Welcome, grants all jobs and confirms all reports.
 */

import { createHash, randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  Metadata,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js'
import {
  AgentService,
  type ConnectRequest,
  type ConnectResponse,
  ConnectResponseSchema,
  type DownloadDocumentRequest,
  type DownloadDocumentResponse,
  DownloadDocumentResponseSchema,
  type PrintSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AGENT_KEEPALIVE, grpcServiceDefinition, REFUSAL_TRAILER } from '@platen/proto/grpc.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { beforeEach } from 'vitest'

export const CREDENTIAL = 'platen_agent_test'
export const NEW_CREDENTIAL = 'platen_agent_new'

type Message = ConnectRequest['message']
type MessageCase = Exclude<Message['case'], undefined>
type MessageValue<Case extends MessageCase> = Extract<Message, { case: Case }>['value']
type Answer = MessageInitShape<typeof ConnectResponseSchema>['message']
type AgentStream = ServerDuplexStream<ConnectRequest, ConnectResponse>
type Download = ServerWritableStream<DownloadDocumentRequest, DownloadDocumentResponse>

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>

/** The response of the service to each message; undefined for no response. */
export interface Script {
  hello?: (message: MessageValue<'hello'>) => Answer | undefined
  heartbeat?: () => Answer | undefined
  received?: (message: MessageValue<'received'>) => Answer | undefined
  report?: (message: MessageValue<'report'>) => Answer | undefined
}

export async function startScriptedService() {
  const messages: ConnectRequest[] = []
  const streams = new Set<AgentStream>()
  const documents = new Map<string, Buffer>()
  const credentials: string[] = []
  const counts = { downloads: 0, downloadsToCut: 0, downloadsToHold: 0, cleanEnds: 0 }
  const state = { ...counts, script: {} as Script, heartbeatSeconds: 20, accepted: [CREDENTIAL, NEW_CREDENTIAL] }
  const server = new Server(AGENT_KEEPALIVE)

  function send(message: Answer): void {
    for (const stream of streams) stream.write(create(ConnectResponseSchema, { message }))
  }

  const defaults: Script = {
    hello: () => ({ case: 'welcome', value: { computerId: 'computer', heartbeatSeconds: state.heartbeatSeconds } }),
    // The real service sends them without a request at the same interval.
    heartbeat: () => ({ case: 'heartbeat', value: {} }),
    received: ({ jobId, attempt }) => ({ case: 'granted', value: { jobId, attempt } }),
    report: ({ reportId }) => ({ case: 'reportConfirmed', value: { reportId } }),
  }
  const createAnswer = ({ case: kind, value }: Message) => {
    const script = { ...defaults, ...state.script } as Record<string, (value: unknown) => Answer | undefined>
    return script[kind ?? '']?.(value)
  }

  server.addService(grpcServiceDefinition(AgentService), {
    connect(stream: AgentStream) {
      if (!isAuthentic(stream, state.accepted)) return
      credentials.push(String(stream.metadata.get('authorization')[0]).replace('Bearer ', ''))
      streams.add(stream)
      stream.on('data', (request: ConnectRequest) => {
        messages.push(request)
        const answer = createAnswer(request.message)
        if (answer) stream.write(create(ConnectResponseSchema, { message: answer }))
      })
      stream.on('end', () => {
        state.cleanEnds++
        stream.end()
      })
      for (const end of ['close', 'error']) stream.on(end, () => streams.delete(stream))
    },
    /** Acts as a service of a version without offsets, which cuts or holds the first downloads in the middle. */
    downloadDocument(call: Download) {
      state.downloads++
      if (!isAuthentic(call, state.accepted)) return
      const { jobId, echo } = call.request
      if (echo.length > 0) {
        call.write(create(DownloadDocumentResponseSchema, { chunk: echo }))
        return void call.end()
      }
      const document = documents.get(jobId)
      if (!document) return void call.emit('error', { code: status.NOT_FOUND, details: 'no such document' })
      const isCut = state.downloads <= state.downloadsToCut
      const isHeld = state.downloads <= state.downloadsToHold
      const sent = isCut || isHeld ? document.subarray(0, document.length / 2) : document
      for (let offset = 0; offset < sent.length; offset += 16_384)
        call.write(create(DownloadDocumentResponseSchema, { chunk: sent.subarray(offset, offset + 16_384) }))
      if (isCut) call.emit('error', { code: status.UNAVAILABLE, details: 'cut' })
      else if (!isHeld) call.end()
    },
  })
  const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', ServerCredentials.createInsecure())

  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    documents,
    messages,
    /** The credentials of each stream. */
    credentials,
    send,

    /** All messages of this kind from agents, oldest first. */
    getMessages: <Case extends MessageCase>(kind: Case) =>
      messages.flatMap(({ message }) => (message.case === kind ? [message.value as MessageValue<Case>] : [])),

    getReports(jobId: string) {
      return this.getMessages('report').filter((report) => report.jobId === jobId)
    },

    /** Sends a job with this document, or a small one, and returns what was sent. */
    print(facts: MessageInitShape<typeof PrintSchema> = {}, document: Buffer = makePdf(randomUUID())) {
      const print = {
        jobId: randomUUID() as string,
        attempt: 1,
        printerOsName: 'Test A4 Laser',
        title: 'Invoice',
        contentType: 'pdf_base64',
        qty: 1,
        fileSizeBytes: BigInt(document.length),
        fileSha256: createHash('sha256').update(document).digest('hex'),
        secondsUntilExpiry: 3600,
        ...facts,
      }
      documents.set(print.jobId, documents.get(print.jobId) ?? document)
      send({ case: 'print', value: print })
      return print
    },

    /** Ends all streams like a network failure. */
    failStreams(): void {
      for (const stream of streams) stream.emit('error', { code: status.UNAVAILABLE, details: 'cut' })
    },

    stop: () => server.forceShutdown(),
  })
}

/** A service for each test of the file. */
export function useService(): ScriptedService {
  let service: ScriptedService | undefined
  beforeEach(async () => {
    service = await startScriptedService()
    return service.stop
  })
  return new Proxy({} as ScriptedService, {
    get: (_, name) => Reflect.get(service ?? {}, name),
    set: (_, name, value) => Reflect.set(service ?? {}, name, value),
  })
}

function isAuthentic(call: AgentStream | Download, accepted: string[]): boolean {
  const [header] = call.metadata.get('authorization')
  if (accepted.some((credential) => header === `Bearer ${credential}`)) return true
  const metadata = new Metadata()
  metadata.set(REFUSAL_TRAILER, 'credential')
  call.emit('error', {
    code: status.UNAUTHENTICATED,
    details: 'The credential is not valid. Enrol this computer again.',
    metadata,
  })
  return false
}
