import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type ChannelCredentials,
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js'
import {
  AgentService,
  type ConnectRequest,
  ConnectRequestSchema,
  type ConnectResponse,
  DownloadDocumentRequestSchema,
  type DownloadDocumentResponse,
  type ReportedPrinterSchema,
  type ReportedState,
  type ReportSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Command, CommandResultSchema } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { grpcClientConstructor } from '@platen/proto/grpc.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished } from 'vitest'

export type TestPrinter = MessageInitShape<typeof ReportedPrinterSchema>

export const LASER: TestPrinter = {
  osName: 'laser',
  name: 'Laser',
  description: 'A laser printer',
  isDefault: true,
  state: 'online',
  capabilities: { copies: 99, nup: [1] },
}

const PROGRAM = { agentVersion: '1.0.0', hostname: 'test-host', os: 'linux' }

type Message = ConnectResponse['message']
type Case = NonNullable<Message['case']>
type MessageValue<C extends Case> = Extract<Message, { case: C }>['value']

export type TestAgent = ReturnType<typeof connectTestAgent>

/** An agent whose messages are sent by the test. */
export function connectTestAgent(
  address: string,
  credential: string,
  channel: ChannelCredentials = credentials.createInsecure(),
) {
  const Client = grpcClientConstructor(AgentService)
  // Each agent has a connection of its own.
  const client = new Client(address, channel, { 'grpc.use_local_subchannel_pool': 1 })
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${credential}`)
  const stream: ClientDuplexStream<ConnectRequest, ConnectResponse> = client.connect?.(metadata)
  const messages: Message[] = []
  let ended: ServiceError | 'ended' | undefined
  stream.on('data', (response: ConnectResponse) => messages.push(response.message))
  stream.on('error', (error: ServiceError) => {
    ended = error
  })
  stream.on('end', () => {
    ended ??= 'ended'
  })
  onTestFinished(() => {
    stream.cancel()
    client.close()
  })

  let commands: string[] = []
  const send = (message: MessageInitShape<typeof ConnectRequestSchema>['message']) =>
    void stream.write(create(ConnectRequestSchema, { message }))

  return {
    messages,
    send,
    /** What is on its way to the agent or with it, in order. */
    prints: () => messages.flatMap((message) => (message.case === 'print' ? [message.value.jobId] : [])),
    hello: (printers: TestPrinter[] = [LASER], heldJobIds: string[] = [], runId = '', streamNumber = 0) =>
      send({ case: 'hello', value: { ...PROGRAM, printers: { printers }, heldJobIds, runId, streamNumber, commands } }),
    /** The hello then has these commands. */
    knows(...names: string[]) {
      commands = names
    },
    /** Answers each command from now on. */
    onCommand(answer: (command: Command['command']) => MessageInitShape<typeof CommandResultSchema>['result']) {
      stream.on('data', ({ message: { case: kind, value } }: ConnectResponse) => {
        if (kind !== 'command') return
        send({ case: 'commandResult', value: { commandId: value.commandId, result: answer(value.command) } })
      })
    },
    received: (jobId: string, attempt = 1) => send({ case: 'received', value: { jobId, attempt } }),
    report: (
      jobId: string,
      state: ReportedState,
      reportId: string,
      facts: MessageInitShape<typeof ReportSchema> = {},
    ) => send({ case: 'report', value: { jobId, attempt: 1, state, reportId, ...facts } }),
    heartbeat: () => send({ case: 'heartbeat', value: {} }),
    /** @returns all messages of a kind, once there are `count`. */
    async waitForMessages<C extends Case>(kind: C, count = 1): Promise<MessageValue<C>[]> {
      return await waitFor(() => {
        const found = messages.filter((message) => message.case === kind)
        expect(found.length, `${kind} among ${messages.map((message) => message.case)}`).toBeGreaterThanOrEqual(count)
        return found.map(({ value }) => value as MessageValue<C>)
      })
    },
    async download(jobId: string, offset = 0n): Promise<string> {
      return Buffer.concat(await this.downloadChunks(jobId, offset)).toString()
    },
    async downloadChunks(jobId: string, offset = 0n, echo = new Uint8Array()): Promise<Uint8Array[]> {
      const call: ClientReadableStream<DownloadDocumentResponse> = client.downloadDocument?.(
        create(DownloadDocumentRequestSchema, { jobId, offset, echo }),
        metadata,
      )
      const chunks: Uint8Array[] = []
      for await (const { chunk } of call) chunks.push(chunk)
      return chunks
    },
    /** How the stream ended, once it has. */
    ending: () =>
      waitFor(() => {
        if (!ended) throw new Error('the stream is still open')
        return ended
      }),
    /** Reads no further messages. */
    pause: () => void stream.pause(),
    /** The error that ended the stream, if one did. */
    refusal: () => (ended === 'ended' ? undefined : ended),
    isOver: () => ended !== undefined,
    /** The program is shut down. */
    shutDown: () => void stream.end(),
    /** The cable is pulled. */
    drop: () => stream.cancel(),
  }
}
