/** Entity to proto: the only mapping of jobs on this side. */
import { create } from '@bufbuild/protobuf'
import { JobEventSchema, JobSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import type { Job, JobEvent } from './entities.ts'
import { toShownState } from './shown-state.ts'

export function jobToProto(job: Job) {
  return create(JobSchema, {
    id: job.id,
    number: job.number ?? undefined,
    organizationId: job.organizationId,
    mode: job.mode,
    printerId: job.printerId,
    computerId: job.computerId,
    title: job.title,
    contentType: job.contentType,
    source: job.source,
    qty: job.qty,
    options: job.options,
    reprintOf: job.reprintOf ?? undefined,
    discardsDocument: !job.retain,
    expireAfterSeconds: job.expireAfterSeconds,
    expiresAt: timestampOrNone(job.expiresAt),
    fileSizeBytes: typeof job.fileSizeBytes === 'number' && job.fileSha256 ? BigInt(job.fileSizeBytes) : undefined,
    fileSha256: job.fileSha256 ?? undefined,
    state: job.state,
    ...toShownState(job),
    createdAt: timestampOrNone(job.createdAt),
    sentAt: timestampOrNone(job.sentAt),
    receivedAt: timestampOrNone(job.receivedAt),
    printingAt: timestampOrNone(job.printingAt),
    finishedAt: timestampOrNone(job.finishedAt),
    createdBy: job.createdBy ?? undefined,
    interface: job.interface ?? undefined,
    cancelledBy: job.cancelledBy ?? undefined,
  })
}

export function jobEventToProto(event: JobEvent) {
  return create(JobEventSchema, {
    id: event.id,
    state: event.state,
    message: event.message ?? undefined,
    actor: event.actor,
    createdAt: timestampOrNone(event.createdAt),
  })
}
