/** What becomes of a change that jobs or devices tell of: the event as it is delivered and listed. Source: decisions, "Webhooks and events". */
import type { Timestamp } from '@bufbuild/protobuf/wkt'
import type { DeviceChanged, JobChanged } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { computerToJson } from '@platen/resources/computer-to-json.ts'
import type { EventJson } from '@platen/resources/event-schema.ts'
import type { EventType } from '@platen/resources/event-types.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import type { NewEvent } from './record-events.ts'

interface Changed {
  eventId: string
  organizationId: string
  mode: string
  sequence: number
  occurredAt?: Timestamp | undefined
}

/** @returns undefined for what a release wrote that did not tell how the job was: nothing can be made of it. */
export function eventOfJob(changed: JobChanged): NewEvent | undefined {
  if (!changed.job) return undefined
  return eventOf(changed, `printjob.${changed.state}` as EventType, printJobToJson(changed.job))
}

/** @throws Error for one without its resource, which no release writes. */
export function eventOfDevice(changed: DeviceChanged): NewEvent {
  const { type, resource } = changed
  if (resource.case === 'computer') return eventOf(changed, type as EventType, computerToJson(resource.value))
  if (resource.case !== 'printer') throw new Error(`the event ${changed.eventId} does not say what it happened to`)
  const { capabilities, ...printer } = printerToJson(resource.value)
  return eventOf(changed, type as EventType, printer)
}

function eventOf(changed: Changed, type: EventType, data: object): NewEvent {
  const { eventId: id, organizationId, mode, sequence } = changed
  const timestamp = timestampToJson(changed.occurredAt)
  if (timestamp === null) throw new Error(`the event ${id} does not say when it happened`)
  const event: EventJson = { id, type, timestamp, mode: mode as EventJson['mode'], sequence, data }
  // From here on these bytes are the event: each delivery and each page of the feed has them.
  return { id, organizationId, mode, type, occurredAt: timestamp, body: JSON.stringify(event) }
}
