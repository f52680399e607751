import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type JobChanged, JobChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { v7 as uuidv7 } from 'uuid'

/** An event of a job that came into a state. */
export function jobChanged(
  tenant: { organizationId: string; mode: string },
  {
    state = 'done',
    sequence = 5,
    jobId = uuidv7(),
    eventId = uuidv7(),
    now = new Date('2026-01-02T03:04:05.678Z'),
  } = {},
): JobChanged {
  const at = timestampFromDate(now)
  const ids = { ...tenant, printerId: uuidv7(), computerId: uuidv7() }
  return create(JobChangedSchema, {
    ...ids,
    eventId,
    jobId,
    state,
    sequence,
    jobCreatedAt: at,
    occurredAt: at,
    job: {
      ...ids,
      id: jobId,
      title: 'Invoice',
      contentType: 'pdf_base64',
      source: 'shop',
      qty: 1,
      options: { copies: 2 },
      expireAfterSeconds: 3600,
      expiresAt: at,
      fileSizeBytes: 4711n,
      fileSha256: 'a'.repeat(64),
      state,
      createdAt: at,
    },
  })
}
