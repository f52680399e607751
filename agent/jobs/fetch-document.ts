/** Downloads the document of an incoming job, with retries until the job expires. */
import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { DownloadDocumentRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { LimitFunction } from 'p-limit'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'
import { getMsLeft, hasExpired } from '../expiry.ts'
import { type AgentClient, authorization } from '../uplink/client.ts'
import type { Incoming } from './incoming.ts'

/** The largest document, 25 MB, at 350 kbit/s. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60 * 1000

/**
 * @param limitDownloads limits the number of concurrent downloads.
 * @returns whether the document is complete. If not, the job has expired or no longer belongs to this computer.
 * @throws when the agent stops.
 */
export async function fetchDocument(agent: Agent, limitDownloads: LimitFunction, incoming: Incoming): Promise<boolean> {
  const log = agent.log.child({ job_id: incoming.facts.id })
  const isExpired = () => hasExpired(agent.clock, incoming.facts)
  for (let failures = 0; !isExpired(); failures++) {
    try {
      if (!(await agent.documents.isComplete(incoming.facts.id, incoming.facts)))
        await (failures === 0 && incoming.content.length > 0
          ? agent.documents.write(incoming.facts.id, [incoming.content], incoming.facts)
          : limitDownloads(() => download(agent, incoming)))
      if (!isExpired()) return true
      break
    } catch (error) {
      agent.stopping.throwIfAborted()
      if (isNotFound(error)) {
        log.info('job dropped: it no longer belongs to this computer')
        return false
      }
      log.warn({ err: error, failures: failures + 1 }, 'document download failed, retrying')
    }
    incoming.slot?.release()
    incoming.slot = undefined
    await sleep(pauseMs(failures, agent.timings.backoff), undefined, { signal: agent.stopping })
  }
  log.info('job dropped: it expired before its document was downloaded')
  await agent.documents.remove(incoming.facts.id)
  return false
}

async function download(agent: Agent, incoming: Incoming): Promise<void> {
  const { client } = await agent.uplink.stream()
  await agent.documents.write(incoming.facts.id, downloadChunks(client, agent, incoming), incoming.facts)
}

/**
 * The call starts when the first chunk is requested, because gRPC reports failures as an `error` event, which ends the process
 * without a listener.
 */
async function* downloadChunks(
  client: AgentClient,
  { config, clock, stopping }: Agent,
  { facts }: Incoming,
): AsyncIterable<Uint8Array> {
  const timeoutMs = Math.min(DOWNLOAD_TIMEOUT_MS, getMsLeft(clock, facts))
  const responses = client.downloadDocument(
    create(DownloadDocumentRequestSchema, { jobId: facts.id }),
    authorization(config.credential),
    { deadline: new Date(Date.now() + timeoutMs) },
  )
  const cancel = () => responses.cancel()
  stopping.addEventListener('abort', cancel)
  try {
    for await (const { chunk } of responses) yield chunk
  } finally {
    stopping.removeEventListener('abort', cancel)
    cancel()
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === status.NOT_FOUND
}
