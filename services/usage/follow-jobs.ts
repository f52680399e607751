/**
 * Counts jobs by the events of their creation and their end. A requeued job has another `printjob.queued` event, which
 * is not counted. Reads the event log by RPC instead of the stream, because it needs two events of five.
 */
import type { Client } from '@connectrpc/connect'
import type { LogEvent } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import type { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { EventJson } from '@platen/resources/event-schema.ts'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { createFollower, type Move, withSpans } from '@platen/runtime/event-log/follow.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import type { Pool } from 'pg'
import type { CountedEvent } from './count-jobs.ts'
import { type Print, recordPrints } from './record-prints.ts'
import type { Usage } from './usage.ts'

const READ_EVERY_MS = 1_000
const TYPES = ['printjob.queued', 'printjob.done', 'printjob.error', 'printjob.cancelled', 'printjob.expired']

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
    types: TYPES,
    apply: (events, move) => withSpans(events, () => record(pool, events, move)),
  })
  startTimer(service, 'event logs', READ_EVERY_MS, follower.catchUp)
}

async function record(pool: Pool, events: LogEvent[], move: Move): Promise<boolean> {
  const prints: Print[] = []
  const counted: CountedEvent[] = []
  for (const { id, organizationId, mode, createdBy, body } of events) {
    const { sequence, timestamp, data: job } = JSON.parse(body) as EventJson & { data: JobJson }
    if (job.state === 'queued' && sequence !== 1) continue
    counted.push({ organizationId, mode, createdBy, at: timestamp, job })
    if (sequence === 1 && mode === 'live')
      prints.push({ eventId: id, organizationId, jobId: job.id, jobCreatedAt: new Date(job.createdAt) })
  }
  return await recordPrints(pool, prints, counted, move)
}
