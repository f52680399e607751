import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { create } from '@bufbuild/protobuf'
import { type ServerWritableStream, status } from '@grpc/grpc-js'
import {
  type DownloadDocumentRequest,
  type DownloadDocumentResponse,
  DownloadDocumentResponseSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'
import { authenticate, Refusal } from './authenticate.ts'

/**
 * Streams a job's document to the computer that it was sent to, in the store's chunks, no faster than the agent reads. The agent compares
 * the SHA-256 before it prints; here it is compared so that somebody hears of a store whose documents are damaged.
 */
export async function downloadDocument(
  devices: Devices,
  call: ServerWritableStream<DownloadDocumentRequest, DownloadDocumentResponse>,
): Promise<void> {
  const cancelled = new AbortController()
  call.once('cancelled', () => cancelled.abort())
  try {
    const { computerId } = await authenticate(devices, call.metadata)
    const { jobId } = call.request
    const { storageKey, content, fileSha256 } = await devices.jobs.getDocument({ computerId, jobId })
    const hash = createHash('sha256')
    const chunks = storageKey === '' ? [content] : await openDocument(devices, { computerId, jobId, storageKey })
    for await (const chunk of chunks) {
      hash.update(chunk)
      if (!call.write(create(DownloadDocumentResponseSchema, { chunk })))
        await once(call, 'drain', { signal: cancelled.signal })
    }
    if (hash.digest('hex') !== fileSha256) throw await endWithoutDocument(devices, { computerId, jobId }, DAMAGED)
    call.end()
  } catch (error) {
    if (!cancelled.signal.aborted) call.emit('error', refusalFor(devices, error))
  }
}

async function openDocument(devices: Devices, job: { computerId: string; jobId: string; storageKey: string }) {
  try {
    return await devices.files.read(job.storageKey)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') throw await endWithoutDocument(devices, job, MISSING)
    throw error
  }
}

const MISSING = { message: 'The stored document is gone. Send the job again.', reasons: ['document-missing'] }
const DAMAGED = { message: 'The stored document is damaged. Send the job again.', reasons: ['document-damaged'] }

/**
 * A document that is not in the store, or not as it was, will not come back: its job ends here, rather than be asked for until it expires.
 *
 * @returns what the agent is told, which then asks no more.
 */
async function endWithoutDocument(
  devices: Devices,
  { computerId, jobId }: { computerId: string; jobId: string },
  why: typeof MISSING,
): Promise<ApiError> {
  devices.log.error({ job_id: jobId, reason: why.reasons[0] }, 'a document cannot be sent')
  await devices.updates.record({ jobId, computerId, trigger: AgentTrigger.DOCUMENT_MISSING, ...why })
  return new ApiError('not_found', why.message)
}

function refusalFor(devices: Devices, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ApiError)
    return new Refusal(error.code === 'not_found' ? status.NOT_FOUND : status.UNAVAILABLE, error.message)
  devices.log.error({ err: error }, 'download failed')
  return new Refusal(status.INTERNAL, 'The document could not be sent. The agent tries again.')
}
