/**
 * Counts live jobs by their first event. A requeued job has another `printjob.queued` event, which is not counted. Reads the event log by RPC
 * instead of the stream, because it needs one event of five, and none of test jobs.
 */
import type { Client } from '@connectrpc/connect'
import type { LogEvent } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import type { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { EventJson } from '@platen/resources/event-schema.ts'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { createFollower, withSpans } from '@platen/runtime/event-log/follow.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import { type Print, recordPrints } from './record-prints.ts'
import type { Usage } from './usage.ts'

const READ_EVERY_MS = 1_000

export function followJobs(
  service: ServiceProcess,
  { pool }: Usage,
  jobs: Pick<Client<typeof JobsService>, 'readEventLog'>,
): void {
  const follower = createFollower(service, {
    log: 'jobs',
    schema: 'usage',
    pool,
    read: (request) => jobs.readEventLog(request),
    mode: 'live',
    type: 'printjob.queued',
    apply: (events, move) => withSpans(events, () => recordPrints(pool, events.flatMap(toPrints), move)),
  })
  startTimer(service, 'event logs', READ_EVERY_MS, follower.catchUp)
}

function toPrints({ id, organizationId, body }: LogEvent): Print[] {
  const { sequence, data } = JSON.parse(body) as EventJson & { data: JobJson }
  if (sequence !== 1) return []
  return [{ eventId: id, organizationId, jobId: data.id, jobCreatedAt: new Date(data.createdAt) }]
}
