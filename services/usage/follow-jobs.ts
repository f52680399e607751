/** Counts live jobs by their first event. A requeued job has another `printjob.queued` event, which is not counted. */
import type { Client } from '@connectrpc/connect'
import type { LogEvent } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import type { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { EventJson } from '@platen/resources/event-schema.ts'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { startFollowing } from '@platen/runtime/event-log/consume.ts'
import type { Nats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { type Print, recordPrints } from './record-prints.ts'
import type { Usage } from './usage.ts'

export function followJobs(
  service: ServiceProcess,
  nats: Nats,
  { pool }: Usage,
  jobs: Pick<Client<typeof JobsService>, 'readEventLog'>,
): void {
  startFollowing(service, nats, [
    {
      log: 'jobs',
      schema: 'usage',
      pool,
      read: (request) => jobs.readEventLog(request),
      mode: 'live',
      type: 'printjob.queued',
      apply: (events, move) => recordPrints(pool, events.flatMap(toPrints), move),
    },
  ])
}

function toPrints({ id, organizationId, body }: LogEvent): Print[] {
  const { sequence, data } = JSON.parse(body) as EventJson & { data: JobJson }
  if (sequence !== 1) return []
  return [{ eventId: id, organizationId, jobId: data.id, jobCreatedAt: new Date(data.createdAt) }]
}
