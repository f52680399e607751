/**
 * Downloads the document of a job, with retries until the job expires: before the job is received, or after it is
 * granted if it had too little space. A download that was cut continues behind the bytes that have arrived.
 */
import { existsSync } from 'node:fs'
import { create } from '@bufbuild/protobuf'
import { status } from '@grpc/grpc-js'
import { DownloadDocumentRequestSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { LimitFunction } from 'p-limit'
import type { Agent } from '../agent.ts'
import { pauseMs } from '../backoff.ts'
import { DISK_FULL } from '../disk.ts'
import { type Claim, isTooLarge } from '../documents.ts'
import { getMsLeft, hasExpired } from '../expiry.ts'
import type { Outcome, PrintFacts } from '../journal/entry.ts'
import { hidePaths } from '../spoolers/hide-paths.ts'
import { type AgentClient, authorization } from '../uplink/client.ts'
import { explainStream } from '../uplink/explain-stream.ts'
import type { Incoming } from './incoming.ts'
import type { Reports } from './reports.ts'

/** The largest document, 25 MB, at 350 kbit/s. */
const DOWNLOAD_TIMEOUT_MS = 10 * 60 * 1000

/** Shorter interruptions of the network need no person. */
const REPORT_AFTER_MS = 60_000

const NO_SPACE: Record<Exclude<Claim, 'claimed'>, Outcome> = {
  'disk full': { message: 'The computer has too little free space for the document.', reasons: [DISK_FULL] },
  'limit reached': {
    message: 'Documents of earlier jobs use the space for documents. The job is printed after them.',
    reasons: ['documents-limit'],
  },
}

/**
 * A job whose document is too large or does not fit on the disk is accepted without it, because only a received job can
 * have a reason.
 *
 * @param limitDownloads limits the number of concurrent downloads.
 * @returns whether the job can be received. If not, the job has expired or no longer belongs to this computer.
 * @throws when the agent stops.
 */
export async function fetchDocument(
  agent: Agent,
  limitDownloads: LimitFunction,
  reports: Reports,
  incoming: Incoming,
): Promise<boolean> {
  const log = agent.log.child({ job_id: incoming.facts.id })
  const isExpired = () => hasExpired(agent.clock, incoming.facts)
  if (isTooLarge(incoming.facts)) return true
  const failures = createFailures(agent, incoming.facts.id)
  let reported: string | null = null
  while (!isExpired()) {
    let cause: Outcome | undefined
    try {
      if (!(await agent.documents.isComplete(incoming.facts.id, incoming.facts))) {
        const claim = await agent.documents.claim(incoming.facts.id, incoming.facts.fileSizeBytes)
        if (claim !== 'claimed') return true
        await (failures.count() === 0 && incoming.content.length > 0
          ? agent.documents.write(incoming.facts.id, (offset) => [incoming.content.subarray(offset)], incoming.facts)
          : limitDownloads(() => download(agent, incoming.facts)))
      }
      if (!isExpired()) return true
      break
    } catch (error) {
      agent.stopping.throwIfAborted()
      if (isNotFound(error)) {
        log.info('job dropped: it no longer belongs to this computer')
        await agent.documents.remove(incoming.facts.id)
        return false
      }
      cause = await failures.add(error)
    }
    incoming.slot?.release()
    incoming.slot = undefined
    if (cause && cause.message !== reported) await reports.waiting(incoming.facts, cause)
    reported = cause?.message ?? reported
    await failures.pause()
  }
  log.info('job dropped: it expired before its document was downloaded')
  await agent.documents.remove(incoming.facts.id)
  return false
}

/**
 * Fetches the document of a granted job that has none, as soon as the disk has space. Ends without it if the job
 * expires, is removed or is unknown to the service, or if the agent is superseded.
 *
 * @throws when the agent stops.
 */
export async function fetchGranted(
  agent: Agent,
  limitDownloads: LimitFunction,
  reports: Reports,
  jobId: string,
): Promise<void> {
  const { journal, documents, clock, stopping } = agent
  const wait = (reason: Outcome) => {
    journal.progress(jobId, 'waiting', reason)
    reports.deliver(jobId)
  }
  const failures = createFailures(agent, jobId)
  for (;;) {
    const job = journal.get(jobId)
    const isWanted = job?.phase === 'granted' && !isTooLarge(job) && !hasExpired(clock, job)
    if (!isWanted || agent.isSuperseded || existsSync(documents.getPath(jobId))) return
    try {
      const claim = await documents.claim(jobId, job.fileSizeBytes)
      if (claim === 'claimed') {
        await limitDownloads(() => download(agent, job))
        if (journal.get(jobId)?.phase === 'granted') wait({ message: null, reasons: [] })
        return
      }
      wait(NO_SPACE[claim])
    } catch (error) {
      stopping.throwIfAborted()
      if (isNotFound(error)) return await documents.remove(jobId)
      const cause = await failures.add(error)
      if (cause) wait(cause)
    }
    await failures.pause()
  }
}

/** The failed downloads of a document since its last progress. */
function createFailures({ documents, config, clock, log, stopping, timings }: Agent, jobId: string) {
  let count = 0
  let sinceMs = 0
  let lastBytes = 0
  return {
    count: () => count,

    /** @returns the cause, after a minute without progress. */
    async add(error: unknown): Promise<Outcome | undefined> {
      const bytes = await documents.getPartBytes(jobId)
      if (bytes > lastBytes) count = 0
      lastBytes = bytes
      if (count++ === 0) sinceMs = clock.uptimeMs()
      const reason = explainStream(error, new URL(config.agentUrl).host)
      log.warn({ err: error, reason, job_id: jobId, failures: count }, 'document download failed, retrying')
      if (clock.uptimeMs() - sinceMs < REPORT_AFTER_MS) return undefined
      return { message: hidePaths(reason), reasons: ['document-not-downloaded'] }
    },

    /** @throws when the agent stops. */
    pause: () => clock.sleep(pauseMs(Math.max(0, count - 1), timings.backoff), stopping),
  }
}

async function download(agent: Agent, facts: PrintFacts): Promise<void> {
  const { client } = await agent.uplink.stream()
  await agent.documents.write(facts.id, (offset) => downloadChunks(client, agent, facts, offset), facts)
}

/**
 * Drops the bytes before `offset` of a server that sends the document from its first byte.
 *
 * The call starts when the first chunk is requested, because gRPC reports failures as an `error` event, which ends the
 * process without a listener.
 */
async function* downloadChunks(
  client: AgentClient,
  { config, clock, stopping }: Agent,
  facts: PrintFacts,
  offset: number,
): AsyncIterable<Uint8Array> {
  const timeoutMs = Math.min(DOWNLOAD_TIMEOUT_MS, getMsLeft(clock, facts))
  const responses = client.downloadDocument(
    create(DownloadDocumentRequestSchema, { jobId: facts.id, offset: BigInt(offset) }),
    authorization(config.credential),
    { deadline: new Date(Date.now() + timeoutMs) },
  )
  const cancel = () => responses.cancel()
  stopping.addEventListener('abort', cancel)
  try {
    let skipBytes: number | undefined
    for await (const { chunk, offset: first } of responses) {
      skipBytes ??= offset - Number(first)
      if (skipBytes < chunk.length) yield chunk.subarray(skipBytes)
      skipBytes = Math.max(0, skipBytes - chunk.length)
    }
  } finally {
    stopping.removeEventListener('abort', cancel)
    cancel()
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === status.NOT_FOUND
}
