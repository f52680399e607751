/**
 * Starts dispatch when a job is queued and the wake of its creation got lost. Idempotent: it only wakes, and a claim takes what is
 * `queued` at that time. No replica holds the computer's stream: the job stays `queued`, and the next hello claims it.
 */

import type { JsonValue } from '@bufbuild/protobuf'
import { fromJson } from '@bufbuild/protobuf'
import { JobChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { computerWakeSubject, DISPATCH_CONSUMER, JOBS_STREAM, jobSubject } from '@platen/proto/subjects.ts'
import { startConsumer } from '@platen/runtime/messaging/consume.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Devices } from './devices.ts'

export function consumeQueued(service: ServiceProcess, devices: Devices): void {
  const config = {
    name: DISPATCH_CONSUMER,
    stream: JOBS_STREAM,
    filterSubject: jobSubject('*', 'queued'),
    outbox: 'jobs',
  }
  startConsumer(service, devices.nats, config, async ({ json }) => {
    const { computerId, jobId } = fromJson(JobChangedSchema, json as JsonValue)
    const held = devices.connections.get(computerId)
    if (held) held.dispatch.queued(jobId)
    else devices.nats.connection.publish(computerWakeSubject(computerId), jobId)
  })
}
