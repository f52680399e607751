/** Follows the event logs of jobs and devices, from which it records the events of the feed and their deliveries. */
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { startFollowing } from '@platen/runtime/event-log/consume.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import type { Config } from '../config.ts'
import type { Webhooks } from '../webhooks.ts'
import { recordEvents } from './record-events.ts'

export function followLogs(service: ServiceProcess, webhooks: Webhooks, config: Config): void {
  const { rpcKey: key } = config
  const logs = {
    jobs: connectRpc(service, JobsService, { url: config.jobsUrl, key }),
    devices: connectRpc(service, DevicesService, { url: config.devicesUrl, key }),
  }
  startFollowing(
    service,
    webhooks.nats,
    Object.entries(logs).map(([log, source]) => ({
      log,
      schema: 'webhooks',
      pool: webhooks.pool,
      read: (request) => source.readEventLog(request),
      apply: (events, move) => recordEvents(webhooks, events, move),
    })),
  )
}
