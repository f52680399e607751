import { once } from 'node:events'
import { create } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { DownloadDocumentRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { AgentConfig } from '../config.ts'
import { authorization, openClient } from '../uplink/client.ts'
import { explainStream } from '../uplink/explain-stream.ts'
import { type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 10_000
const NO_JOB = '00000000-0000-0000-0000-000000000000'

/**
 * Requests the document of a job that does not exist, with the connection settings and the credential of the stream. A second stream
 * would supersede that of the running agent.
 */
export async function examineStream(config: AgentConfig): Promise<Finding[]> {
  const { host } = new URL(config.agentUrl)
  const client = openClient(config)
  try {
    const call = client.downloadDocument(
      create(DownloadDocumentRequestSchema, { jobId: NO_JOB }),
      authorization(config.credential),
      { deadline: new Date(Date.now() + TIMEOUT_MS) },
    )
    call.on('data', () => undefined)
    const [error] = await once(call, 'error').catch((error: unknown) => [error])
    return [toFinding(host, error)]
  } finally {
    client.close()
  }
}

function toFinding(host: string, error: unknown): Finding {
  if (error instanceof Error && 'code' in error && error.code === status.NOT_FOUND)
    return ok('stream', `The agent endpoint ${host} accepts the credential of this computer.`)
  return problem('stream', explainStream(error, host))
}
