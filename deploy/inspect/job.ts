/** Reads a job from the services. */
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { type JobEvent, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Connect } from '../connect-services.ts'

export type InspectedJob = Awaited<ReturnType<typeof readJob>>

/** @throws ApiError `not_found`. */
export async function readJob(connect: Connect, jobId: string) {
  const found = await connect(JobsService).inspectJob({ jobId })
  const { organizationId, mode, printerId, computerId } = found.job ?? {}
  const devices = connect(DevicesService)
  const feed = connect(EventsService)
  /** Webhooks are sent for events of the feed. */
  const findInFeed = async (event: JobEvent) => {
    const inFeed = await orMissing(feed.getEvent({ organizationId, mode, eventId: event.id }))
    return { ...event, isInFeed: inFeed !== undefined }
  }
  const [printer, computer, events] = await Promise.all([
    orMissing(devices.getPrinter({ organizationId, mode, printerId })),
    orMissing(devices.getComputer({ organizationId, mode, computerId })),
    Promise.all(found.events.map(findInFeed)),
  ])
  return { ...found, events, printer: printer?.printer, computer: computer?.computer }
}

async function orMissing<T>(found: Promise<T>): Promise<T | undefined> {
  return await found.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  })
}
