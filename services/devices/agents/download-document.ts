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

/** Streams a job's document to the computer that it was sent to, in the store's chunks, no faster than the agent reads. */
export async function downloadDocument(
  devices: Devices,
  call: ServerWritableStream<DownloadDocumentRequest, DownloadDocumentResponse>,
): Promise<void> {
  const cancelled = new AbortController()
  call.once('cancelled', () => cancelled.abort())
  try {
    const { computerId } = await authenticate(devices, call.metadata)
    const { jobId } = call.request
    const { storageKey } = await devices.jobs.getDocument({ computerId, jobId })
    for await (const chunk of await openDocument(devices, { computerId, jobId, storageKey })) {
      if (!call.write(create(DownloadDocumentResponseSchema, { chunk })))
        await once(call, 'drain', { signal: cancelled.signal })
    }
    call.end()
  } catch (error) {
    if (!cancelled.signal.aborted) call.emit('error', refusalFor(devices, error))
  }
}

/** A document that is not in the store will not come back: its job ends here, rather than be asked for until it expires. */
async function openDocument(devices: Devices, job: { computerId: string; jobId: string; storageKey: string }) {
  try {
    return await devices.files.read(job.storageKey)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found')
      await devices.updates.record({
        jobId: job.jobId,
        computerId: job.computerId,
        trigger: AgentTrigger.DOCUMENT_MISSING,
        message: 'The stored document is gone. Send the job again.',
        reasons: ['document-missing'],
      })
    throw error
  }
}

function refusalFor(devices: Devices, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof ApiError)
    return new Refusal(error.code === 'not_found' ? status.NOT_FOUND : status.UNAVAILABLE, error.message)
  devices.log.error({ err: error }, 'download failed')
  return new Refusal(status.INTERNAL, 'The document could not be sent. The agent tries again.')
}
