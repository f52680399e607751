/** Jobs that are pushed down a stream, as a claim returns them. */
import type { JsonObject } from '@bufbuild/protobuf'
import type { ChangedJob } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'

/** Columns of a claimed job in addition to those of `ChangedJob`. */
export const CLAIMED_COLUMNS = [
  'printer_id',
  'title',
  'content_type',
  'qty',
  'COALESCE(effective_options, options) AS options',
  'file_size_bytes',
  'file_sha256',
  'expires_at',
  'traceparent',
  'accepted_order',
]

export interface ClaimedRow extends ChangedJob {
  printer_id: string
  title: string
  content_type: string
  qty: number
  options: JsonObject
  file_size_bytes: number
  file_sha256: string
  expires_at: Date
  traceparent: string
  /** A bigint, as text. */
  accepted_order: string
  /** Missing for a resend. */
  queued_at?: Date
}

/** Contents of one response: half of the limit of a message. */
const CONTENTS_MAX_BYTES = 512 * 1024

/** Adds cached small documents up to `CONTENTS_MAX_BYTES`. */
export function withContents(jobs: Pick<Jobs, 'recentDocuments'>, claimed: ReturnType<typeof toClaimedJob>[]) {
  let bytes = 0
  return claimed.map((job) => {
    if (bytes + Number(job.fileSizeBytes) > CONTENTS_MAX_BYTES) return job
    const content = jobs.recentDocuments.take(job.jobId)
    if (!content) return job
    bytes += content.length
    return { ...job, content }
  })
}

export function toClaimedJob(row: ClaimedRow, now: Date) {
  return {
    jobId: row.id,
    attempt: row.attempt,
    computerId: row.computer_id,
    printerId: row.printer_id,
    title: row.title,
    // Images are converted before.
    contentType: row.content_type.replace(/^image_/, 'pdf_'),
    qty: row.qty,
    options: row.options,
    fileSizeBytes: BigInt(row.file_size_bytes),
    fileSha256: row.file_sha256,
    // Rounded up, so that no agent ends a job before it expires.
    secondsUntilExpiry: Math.max(0, Math.ceil((row.expires_at.getTime() - now.getTime()) / 1000)),
    traceparent: row.traceparent,
    ...(row.queued_at && !isFetched(row) && { queuedMs: Math.max(0, now.getTime() - row.queued_at.getTime()) }),
  }
}

const isFetched = ({ content_type }: ClaimedRow) => content_type.endsWith('_uri') || content_type.startsWith('image_')
