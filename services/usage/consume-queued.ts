/**
 * Counts a live job when it was accepted. Idempotent by the event's id. A job that is given back to `queued` is told of again, by
 * another event, and was counted by its first one. Nobody waits for a count, so many events share one statement.
 */
import { fromJson, type JsonValue } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { type JobChanged, JobChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { JOBS_STREAM, jobSubject, USAGE_CONSUMER } from '@platen/proto/subjects.ts'
import { createWriteBatches } from '@platen/runtime/batches.ts'
import { startConsumer } from '@platen/runtime/messaging/consume.ts'
import type { Nats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { type Print, recordPrints } from './record-prints.ts'
import type { Usage } from './usage.ts'

const REST_MS = 50
/** As many as a consumer works on at a time. */
const BATCH_PRINTS = 64

export function consumeQueued(service: ServiceProcess, nats: Nats, { pool }: Usage): void {
  const record = createWriteBatches<Print>({
    restMs: () => REST_MS,
    maxItems: BATCH_PRINTS,
    keyOf: ({ eventId }) => eventId,
    write: (prints) => recordPrints(pool, prints),
  })
  const config = {
    name: USAGE_CONSUMER,
    stream: JOBS_STREAM,
    filterSubject: jobSubject('live', 'queued'),
    outbox: 'jobs',
  }
  startConsumer(service, nats, config, async ({ json }) => {
    const event = fromJson(JobChangedSchema, json as JsonValue)
    if (event.sequence === 1) await record(printOf(event))
  })
}

/** @throws Error for an event without a time, which no release that has this consumer writes. */
function printOf({ eventId, organizationId, jobId, jobCreatedAt }: JobChanged): Print {
  if (!jobCreatedAt) throw new Error(`the event ${eventId} does not say when its job was created`)
  return { eventId, organizationId, jobId, jobCreatedAt: timestampDate(jobCreatedAt) }
}
