import type { Client } from '@connectrpc/connect'
import type { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { JobDetails } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import type { DeviceEvent, Found } from '@platen/resources/explain/facts.ts'
import { orMissing } from '@platen/runtime/rpc/or-missing.ts'
import { required } from '../required.ts'

const DEVICE_EVENTS_MAX = 100

interface Services {
  devices: Pick<Client<typeof DevicesService>, 'getPrinter' | 'getComputer'>
  events: Pick<Client<typeof EventsService>, 'listEvents'>
}

/** Reads the printer, the computer and their events until the end of the job, at once. */
export async function readFound({ devices, events }: Services, details: JobDetails): Promise<Found> {
  const { organizationId, mode, printerId, computerId, finishedAt } = required(details.job)
  const tenant = { organizationId, mode }
  const [printer, computer, feed] = await Promise.all([
    orMissing(devices.getPrinter({ ...tenant, printerId })),
    orMissing(devices.getComputer({ ...tenant, computerId })),
    events.listEvents({
      ...tenant,
      resourceIds: [printerId, computerId],
      page: { limit: DEVICE_EVENTS_MAX },
      occurredBefore: finishedAt,
    }),
  ])
  return {
    details,
    printer: printer?.printer,
    computer: computer?.computer,
    deviceEvents: feed.events.map((body) => JSON.parse(body) as DeviceEvent).toReversed(),
  }
}
