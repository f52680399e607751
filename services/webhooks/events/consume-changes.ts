/**
 * Hears of all changes of jobs, computers and printers, and makes events of them. Idempotent by their ids. A change stays in the outbox
 * of its service until its event is committed here. Many share one statement: a commit costs more than an event.
 */
import { fromJson, type JsonValue } from '@bufbuild/protobuf'
import { DeviceChangedSchema, JobChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import {
  DEVICE_EVENTS_STREAM,
  deviceEventSubject,
  JOBS_STREAM,
  jobSubject,
  WEBHOOKS_DEVICES_CONSUMER,
  WEBHOOKS_JOBS_CONSUMER,
} from '@platen/proto/subjects.ts'
import { createWriteBatches } from '@platen/runtime/batches.ts'
import { startConsumer } from '@platen/runtime/messaging/consume.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Webhooks } from '../webhooks.ts'
import { eventOfDevice, eventOfJob } from './event-of.ts'
import { type NewEvent, recordEvents } from './record-events.ts'

/** Nobody waits for an event by so much, and at 100 jobs a second twelve events are written at once. */
const REST_MS = 25
const BATCH_EVENTS = 200
/** So many are at hand when a batch begins while another one is being written. */
const CONCURRENT_EVENTS = 2 * BATCH_EVENTS

export function consumeChanges(service: ServiceProcess, webhooks: Webhooks): void {
  const record = createWriteBatches<NewEvent>({
    restMs: () => REST_MS,
    maxItems: BATCH_EVENTS,
    keyOf: ({ id }) => id,
    write: (events) => recordEvents(webhooks, events),
  })

  let told = false
  const jobs = {
    name: WEBHOOKS_JOBS_CONSUMER,
    stream: JOBS_STREAM,
    filterSubject: jobSubject('*', '*'),
    outbox: 'jobs',
    concurrentEvents: CONCURRENT_EVENTS,
  }
  startConsumer(service, webhooks.nats, jobs, async ({ json }) => {
    const changed = fromJson(JobChangedSchema, json as JsonValue)
    const event = eventOfJob(changed)
    if (event) await record(event)
    else if (!told) {
      told = true
      service.log.warn({ event_id: changed.eventId }, 'changes of an older release of jobs are in no feed')
    }
  })

  const devices = {
    name: WEBHOOKS_DEVICES_CONSUMER,
    stream: DEVICE_EVENTS_STREAM,
    filterSubject: deviceEventSubject('*', '>'),
    outbox: 'devices',
    concurrentEvents: CONCURRENT_EVENTS,
  }
  startConsumer(service, webhooks.nats, devices, async ({ json }) => {
    await record(eventOfDevice(fromJson(DeviceChangedSchema, json as JsonValue)))
  })
}
