/** Reads a job from the services. */

import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { type JobEvent, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { explain } from '@platen/resources/explain/explain.ts'
import { toFacts } from '@platen/resources/explain/to-facts.ts'
import { orMissing } from '@platen/runtime/rpc/or-missing.ts'
import { readJobFacts } from '@platen/runtime/rpc/read-job-facts.ts'
import type { Connect } from '../../launcher/connect-services.ts'

export type InspectedJob = Awaited<ReturnType<typeof readJob>>

/** @throws ApiError `not_found`. */
export async function readJob(connect: Connect, jobId: string) {
  const { details, ...document } = await connect(JobsService).inspectJob({ jobId })
  if (!details?.job) throw new Error('the jobs service has answered without the job')
  const { organizationId, mode } = details.job
  const feed = connect(EventsService)
  /** Webhooks are sent for events of the feed. */
  const findInFeed = async (event: JobEvent) => {
    const inFeed = await orMissing(feed.getEvent({ organizationId, mode, eventId: event.id }))
    return { ...event, isInFeed: inFeed !== undefined }
  }
  const [found, events] = await Promise.all([
    readJobFacts({ devices: connect(DevicesService), events: feed }, details),
    Promise.all(details.events.map(findInFeed)),
  ])
  return { ...document, ...found, job: details.job, events, explanation: explain(toFacts(found, new Date())) }
}
