/** Reference: docs/reference/print-jobs.md#the-job-object and docs/reference/print-jobs.md#job-events. */
import type { Job, JobEvent } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { JobEventJson, JobJson } from './print-job-schema.ts'
import { timestampToJson } from './timestamp-to-json.ts'

export function printJobToJson(job: Job) {
  return {
    id: job.id,
    number: job.number ?? null,
    printerId: job.printerId,
    computerId: job.computerId,
    title: job.title,
    contentType: job.contentType,
    source: job.source,
    qty: job.qty,
    options: job.options ?? {},
    reprintOf: job.reprintOf ?? null,
    retain: !job.discardsDocument,
    expireAfter: job.expireAfterSeconds,
    expiresAt: timestampToJson(job.expiresAt),
    // Null while the document is being fetched, and when its fetch failed.
    fileSize: job.fileSizeBytes === undefined ? null : Number(job.fileSizeBytes),
    fileSha256: job.fileSha256 ?? null,
    mode: job.mode,
    state: job.state,
    stateMessage: job.stateMessage ?? null,
    stateReasons: job.stateReasons,
    createdAt: timestampToJson(job.createdAt),
    sentAt: timestampToJson(job.sentAt),
    receivedAt: timestampToJson(job.receivedAt),
    printingAt: timestampToJson(job.printingAt),
    finishedAt: timestampToJson(job.finishedAt),
  } satisfies Record<keyof JobJson, unknown>
}

export function printJobEventToJson(event: JobEvent) {
  return {
    id: event.id,
    state: event.state,
    message: event.message ?? null,
    actor: event.actor,
    createdAt: timestampToJson(event.createdAt),
  } satisfies Record<keyof JobEventJson, unknown>
}
