import { createHash } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { type ServerWritableStream, status } from '@grpc/grpc-js'
import { ECHO_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import {
  type DownloadDocumentRequest,
  type DownloadDocumentResponse,
  DownloadDocumentResponseSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'
import { authenticate, Refusal } from './authenticate.ts'
import type { Download } from './downloads.ts'
import { resetCall } from './reset-call.ts'

type DownloadCall = ServerWritableStream<DownloadDocumentRequest, DownloadDocumentResponse>

/**
 * The agent keeps only complete chunks of a connection that fails. One takes 16 s if four downloads share a line of 32
 * kbit/s.
 */
const CHUNK_MAX_BYTES = 16 * 1024
/**
 * Chunks that wait for HTTP/2, whose window of 64 KiB has as many: a fast line is never idle, and a slow one shows its
 * progress.
 */
const CHUNKS_AHEAD = 4

/**
 * Streams the document of a job to its computer in small chunks and with backpressure. The agent verifies the SHA-256
 * before it prints. The service verifies it too, so that a damaged store is logged and the job ends. A download that
 * continues an earlier one is verified by its size only; if the SHA-256 differs, the agent downloads the document from
 * its first byte.
 */
export async function downloadDocument(devices: Devices, call: DownloadCall): Promise<void> {
  let download: Download | undefined
  try {
    const identity = await authenticate(devices, call)
    download = devices.downloads.start(identity)
    call.once('cancelled', download.end)
    if (call.cancelled) return
    const { jobId, echo } = call.request
    if (echo.length > 0) await sendEcho(call, echo, download)
    else await send(devices, call, { ...identity, jobId }, download)
  } catch (error) {
    if (call.cancelled) return
    const refusal = toRefusal(devices, download?.signal.reason instanceof Refusal ? download.signal.reason : error)
    if (refusal.code === status.RESOURCE_EXHAUSTED || refusal.code === status.DEADLINE_EXCEEDED)
      devices.limitExceeded('downloads', { reason: refusal.details })
    if (call.writableLength > 0) resetCall(call)
    else call.emit('error', refusal)
  } finally {
    download?.end()
  }
}

async function sendEcho(call: DownloadCall, echo: Uint8Array, { signal }: Download): Promise<void> {
  if (echo.length > ECHO_MAX_BYTES) throw new Refusal(status.INVALID_ARGUMENT, 'The echo is too long.')
  await write(call, create(DownloadDocumentResponseSchema, { chunk: echo }), signal)
  call.end()
}

async function send(
  devices: Devices,
  call: DownloadCall,
  job: JobKey,
  { signal, progressed }: Download,
): Promise<void> {
  const { storageKey, content, fileSha256, fileSizeBytes } = await devices.jobs.getDocument(job)
  const { offset: requested } = call.request
  const start = requested > 0n && requested < fileSizeBytes ? Number(requested) : 0
  const hash = createHash('sha256')
  let position = start
  const ahead: Promise<void>[] = []
  const sendAhead = async (response: DownloadDocumentResponse) => {
    if (ahead.length === CHUNKS_AHEAD) {
      await ahead.shift()
      progressed()
    }
    const sent = write(call, response, signal)
    // It can fail before it is awaited.
    sent.catch(() => undefined)
    ahead.push(sent)
  }
  const chunks = storageKey === '' ? [content.subarray(start)] : await openDocument(devices, job, storageKey, start)
  for await (const chunk of chunks) {
    hash.update(chunk)
    for (let at = 0; at < chunk.length; at += CHUNK_MAX_BYTES) {
      const part = chunk.subarray(at, at + CHUNK_MAX_BYTES)
      const offset = position === start ? BigInt(start) : 0n
      await sendAhead(create(DownloadDocumentResponseSchema, { chunk: part, offset }))
      position += part.length
    }
  }
  await Promise.all(ahead)
  progressed()
  const isIntact = start === 0 ? hash.digest('hex') === fileSha256 : BigInt(position) === fileSizeBytes
  if (!isIntact) throw await failJob(devices, job, DAMAGED)
  call.end()
}

/**
 * Resolves when HTTP/2 has sent the response, for which the agent has read earlier ones.
 *
 * @throws the reason of the signal.
 */
async function write(call: DownloadCall, response: DownloadDocumentResponse, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const sent = Promise.withResolvers<void>()
  const abort = () => sent.reject(signal.reason)
  signal.addEventListener('abort', abort)
  call.write(response, () => sent.resolve())
  await sent.promise.finally(() => signal.removeEventListener('abort', abort))
}

interface JobKey {
  computerId: string
  organizationId: string
  jobId: string
}

async function openDocument(devices: Devices, job: JobKey, storageKey: string, offset: number) {
  try {
    return await devices.files.read(storageKey, offset)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw await failJob(devices, job, MISSING)
    throw error
  }
}

const MISSING = { message: 'The stored document is missing. Create the job again.', reasons: ['document-missing'] }
const DAMAGED = { message: 'The stored document is damaged. Create the job again.', reasons: ['document-damaged'] }

/**
 * Ends a job whose document is missing or damaged, because the agent would otherwise repeat the download until the job
 * expires.
 *
 * @returns the error for the agent, which stops its attempts.
 */
async function failJob(devices: Devices, job: JobKey, failure: typeof MISSING): Promise<ApiError> {
  devices.log.error({ job_id: job.jobId, reason: failure.reasons[0] }, 'document is missing or damaged, ending the job')
  await devices.updates.record({ ...job, trigger: AgentTrigger.DOCUMENT_MISSING, ...failure })
  return new ApiError('not_found', failure.message)
}

function toRefusal(devices: Devices, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ApiError)
    return new Refusal(error.code === 'not_found' ? status.NOT_FOUND : status.UNAVAILABLE, error.message)
  devices.log.error({ err: error }, 'document download failed')
  return new Refusal(status.INTERNAL, 'The download failed. Retry it.')
}
