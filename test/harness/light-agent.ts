/** An agent that prints in no time: it answers each message at once and downloads nothing, so that the services are what is measured. */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js'
import {
  AgentService,
  type ConnectRequest,
  ConnectRequestSchema,
  type ConnectResponse,
  ReportedState,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { grpcClientConstructor } from '@platen/proto/grpc.ts'

const PRINTER = { osName: 'bench', name: 'Bench', state: 'online', capabilities: { copies: 1 } }

const AgentClient = grpcClientConstructor(AgentService)

export interface LightAgent {
  close(): void
}

/**
 * @param onPrint hears each job when it arrives, and `onDone` when its last report is confirmed.
 * @returns once the server has said Welcome.
 */
export async function connectLightAgent(
  address: string,
  credential: string,
  hears: { onPrint?: (jobId: string) => void; onDone?: (jobId: string) => void } = {},
): Promise<LightAgent> {
  // One TCP connection for each agent, as in the field.
  const client = new AgentClient(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 })
  const metadata = new Metadata()
  metadata.set('authorization', `Bearer ${credential}`)
  const stream: ClientDuplexStream<ConnectRequest, ConnectResponse> = client.connect?.(metadata)
  const say = (message: MessageInitShape<typeof ConnectRequestSchema>['message'], traceparent = '') =>
    stream.write(create(ConnectRequestSchema, { message, traceparent }))

  const { promise: welcome, resolve, reject } = Promise.withResolvers<void>()
  stream.on('error', reject)
  stream.on('data', ({ message, traceparent }: ConnectResponse) => {
    const report = (jobId: string, attempt: number, state: ReportedState, step: string) =>
      say({ case: 'report', value: { reportId: `${jobId} ${attempt} ${step}`, jobId, attempt, state } }, traceparent)
    switch (message.case) {
      case 'welcome':
        resolve()
        break
      case 'print': {
        const { jobId, attempt } = message.value
        hears.onPrint?.(jobId)
        say({ case: 'received', value: { jobId, attempt } }, traceparent)
        break
      }
      case 'granted':
        report(message.value.jobId, message.value.attempt, ReportedState.PRINTING, 'printing')
        break
      case 'reportConfirmed': {
        const [jobId = '', attempt, step] = message.value.reportId.split(' ')
        if (step === 'printing') report(jobId, Number(attempt), ReportedState.DONE, 'done')
        else hears.onDone?.(jobId)
        break
      }
      case 'heartbeat':
        say({ case: 'heartbeat', value: {} })
    }
  })
  say({ case: 'hello', value: { agentVersion: 'bench', printers: { printers: [PRINTER] } } })
  await welcome
  return {
    close() {
      stream.removeListener('error', reject)
      stream.on('error', () => client.close())
      stream.cancel()
    },
  }
}
