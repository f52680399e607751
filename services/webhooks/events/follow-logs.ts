/** Follows the event logs of jobs and devices, from which it records the events of the feed and their deliveries. */
import { startFollowing } from '@platen/runtime/event-log/consume.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Webhooks } from '../webhooks.ts'
import { recordEvents } from './record-events.ts'

export function followLogs(service: ServiceProcess, webhooks: Webhooks): void {
  const { jobs, devices, nats, pool } = webhooks
  startFollowing(
    service,
    nats,
    Object.entries({ jobs, devices }).map(([log, source]) => ({
      log,
      schema: 'webhooks',
      pool,
      read: (request) => source.readEventLog(request),
      apply: (events, move) => recordEvents(webhooks, events, move),
    })),
  )
}
