import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { DownloadDocumentRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { AgentConfig } from '../config.ts'
import { LARGE_PACKETS } from '../transport/explain-error.ts'
import { type AgentClient, authorization, openClient } from '../uplink/client.ts'
import { explainStream, isLate } from '../uplink/explain-stream.ts'
import { type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 10_000
const NO_JOB = '00000000-0000-0000-0000-000000000000'

/** Six packets of an Ethernet. */
const ECHO_BYTES = 8 * 1024

/**
 * Requests the document of a job that does not exist, with the connection settings and the credential of the stream. A
 * second stream would supersede that of the running agent. Then sends and receives packets of the largest size.
 */
export async function examineStream(config: AgentConfig): Promise<Finding[]> {
  const { host } = new URL(config.agentUrl)
  const client = openClient(config)
  try {
    const error = await request(client, config, {})
    if (!isFromService(error)) return [problem('stream', explainStream(client.toCause(error, isLate(error)), host))]
    const largeError = await request(client, config, { echo: new Uint8Array(ECHO_BYTES) })
    if (largeError === undefined || isFromService(largeError))
      return [ok('stream', `The agent endpoint ${host} accepts the credential of this computer.`)]
    if (!isLate(largeError)) return [problem('stream', explainStream(largeError, host))]
    return [problem('stream', `Small messages reach ${host}, but no answer follows one of 8 KiB. ${LARGE_PACKETS}`)]
  } finally {
    client.close()
  }
}

/** @returns why there is no document; undefined if there is one. */
async function request(
  client: AgentClient,
  { credential }: AgentConfig,
  more: MessageInitShape<typeof DownloadDocumentRequestSchema>,
): Promise<unknown> {
  const message = create(DownloadDocumentRequestSchema, { jobId: NO_JOB, ...more })
  const deadline = new Date(Date.now() + TIMEOUT_MS)
  const call = client.downloadDocument(message, authorization(credential), { deadline })
  try {
    await call.toArray()
    return undefined
  } catch (error) {
    return error
  }
}

/** The answer of a service that has looked for the job. */
const isFromService = (error: unknown) => error instanceof Error && 'code' in error && error.code === status.NOT_FOUND
