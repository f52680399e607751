import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import type { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { JobDetails } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { DeviceEvent, Found } from '@platen/resources/explain/facts.ts'
import { orMissing } from './or-missing.ts'

const DEVICE_EVENTS_MAX = 100

interface EventsQuery {
  organizationId: string
  mode: string
  resourceIds: string[]
  occurredBefore: Timestamp | undefined
  page: { limit: number }
}

/** Newest events first. */
export interface Feed {
  listEvents(query: EventsQuery): Promise<{ events: string[] }>
}

interface Services {
  devices: Pick<Client<typeof DevicesService>, 'getPrinter' | 'getComputer' | 'getDestination'>
  events: Feed
}

/**
 * Reads what the explanation of a job is made of: its printer, its computer, its destination and the events of both
 * devices until the end of the job, at once.
 */
export async function readJobFacts({ devices, events }: Services, details: JobDetails): Promise<Found> {
  if (!details.job) throw new Error('the jobs service has answered without the job')
  const { organizationId, mode, printerId, computerId, destinationId, finishedAt } = details.job
  const tenant = { organizationId, mode }
  const [printer, computer, destination, feed] = await Promise.all([
    orMissing(devices.getPrinter({ ...tenant, printerId })),
    orMissing(devices.getComputer({ ...tenant, computerId })),
    destinationId === undefined ? undefined : orMissing(devices.getDestination({ ...tenant, destinationId })),
    events.listEvents({
      ...tenant,
      resourceIds: [printerId, computerId],
      occurredBefore: finishedAt,
      page: { limit: DEVICE_EVENTS_MAX },
    }),
  ])
  return {
    details,
    printer: printer?.printer,
    computer: computer?.computer,
    destination: destination?.destination,
    deviceEvents: feed.events.map((body) => JSON.parse(body) as DeviceEvent).toReversed(),
  }
}
