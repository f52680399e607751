/** What the benchmarks of webhooks run on: PostgreSQL, NATS, the webhooks service and a receiver, a process each. This process serves the logs. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { create, toBinary } from '@bufbuild/protobuf'
import { timestampNow } from '@bufbuild/protobuf/wkt'
import { loopbackUrl } from '@platen/deploy/services.ts'
import { startProcess } from '@platen/deploy/start-process.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import {
  EventBatchSchema,
  type LogEvent,
  LogEventSchema,
  type ReadEventLogRequest,
  ReadEventLogResponseSchema,
} from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EVENTS_STREAM, eventsSubject } from '@platen/proto/subjects.ts'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { secretKeyring } from '@platen/runtime/keyring.ts'
import { connectNats, ensureStream } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { v7 as uuidv7 } from 'uuid'
import { beginInstallation } from '../harness/begin-installation.ts'
import { separateServices } from '../harness/separate-services.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { runSteadily } from './report.ts'
import type { Receipts } from './webhook-receiver.ts'

export type WebhookInstallation = Awaited<ReturnType<typeof startWebhookInstallation>>

export async function startWebhookInstallation() {
  const { installation, stores, postgres, nats, started, stop } = await beginInstallation('bench')
  const { secrets, ports } = installation
  const webhooks = separateServices(installation, stores, ports).find(({ name }) => name === 'webhooks')
  if (!webhooks) throw new Error('the installation has no webhooks service')
  const client = createTestProcess('bench')
  const secret = secretKeyring.parse(secrets.rpcSecret)
  const log = createLog()
  await serveRpc(client, {
    listen: { host: '127.0.0.1', port: ports.jobs },
    secret,
    routes: (router) => {
      router.service(JobsService, { readEventLog: log.read })
      router.service(DevicesService, { readEventLog: () => ({}) })
    },
  })
  const env = {
    ...webhooks.env,
    PLATEN_DEVICES_URL: loopbackUrl(ports.jobs),
    PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  const service = await started(startProcess({ ...webhooks, env }))

  const receiver = fork(new URL('webhook-receiver.ts', import.meta.url))
  const [{ port }] = (await once(receiver, 'message')) as [Receipts]
  let received = 0
  let onArrival: (arrival: Receipts['arrivals'][number]) => void = () => undefined
  receiver.on('message', ({ count, arrivals }: Receipts) => {
    received += count
    for (const arrival of arrivals) onArrival(arrival)
  })

  const events = await connectNats(client, parseNatsUrl(stores.natsUrl))
  await ensureStream(events, EVENTS_STREAM)
  const publishing = setInterval(() => {
    const batch = log.takeBatch()
    if (batch) void events.jetstream.publish(eventsSubject('jobs'), batch)
  }, BATCH_EVERY_MS)
  const endpoints = connectRpc(client, EndpointsService, { url: loopbackUrl(ports.webhooks), secret })
  return {
    databaseUrl: postgres.url,
    receiverUrl: `http://127.0.0.1:${port}`,
    pids: { webhooks: service.pid, postgres: postgres.pid, nats: nats.pid, receiver: receiver.pid ?? 0 },
    /** Number of received requests that the receiver has reported. */
    received: () => received,
    /** Calls `listener` for each request from now on. Without a listener, reports only the number. */
    watch(listener?: typeof onArrival) {
      onArrival = listener ?? (() => undefined)
      receiver.send(listener !== undefined)
    },
    /** @returns its id. */
    addEndpoint: async (organizationId: string, path: string): Promise<string> => {
      const url = `http://127.0.0.1:${port}${path}`
      const { endpoint } = await endpoints.createEndpoint({
        organizationId,
        mode: 'test',
        url,
        events: ['printjob.done'],
      })
      return endpoint?.id ?? ''
    },
    /** Logs an event, which is published with the next batch. @returns its id. */
    publish: (organizationId: string): string => log.add(organizationId),
    /** Publishes at a steady rate, to the organizations in turns. @returns when each event was published, in milliseconds since 1970. */
    async publishSteadily(organizationIds: string[], perSecond: number, seconds: number): Promise<Map<string, number>> {
      const events = await runSteadily(perSecond, perSecond * seconds, async (_, n) => {
        const at = performance.timeOrigin + performance.now()
        return [this.publish(organizationIds[n % organizationIds.length] ?? ''), at] as const
      })
      return new Map(events)
    },
    async stop(): Promise<void> {
      clearInterval(publishing)
      receiver.kill()
      await client.stop()
      await stop()
    },
  }
}

/** Of `readEventLog`. */
const EVENTS_MAX = 500

/** As `startPublishing`. */
const BATCH_EVERY_MS = 20

const EXAMPLE = exampleEvent('printjob.done', 'test')
/** Made once: the load must leave the machine to the service. */
const TEMPLATE = JSON.stringify(EXAMPLE)

/** The event log of jobs, in memory, for one reader. */
function createLog() {
  let commitSeq = 0n
  /** Those that the reader may still ask for. */
  let events: LogEvent[] = []
  const published: LogEvent[] = []
  let from = { commitSeq: 0n, number: 0n }
  return {
    /** @returns the event's id. */
    add(organizationId: string): string {
      const id = uuidv7()
      const position = { commitSeq: ++commitSeq, number: 0n }
      const body = TEMPLATE.replace(EXAMPLE.id, id)
      const facts = {
        position,
        id,
        organizationId,
        mode: 'test',
        type: 'printjob.done',
        occurredAt: timestampNow(),
        body,
      }
      const event = create(LogEventSchema, facts)
      events.push(event)
      published.push(event)
      return id
    },
    /** @returns the events since the last call, at most as many as the jobs service publishes at once. */
    takeBatch(): Uint8Array | undefined {
      const batch = published.splice(0, EVENTS_MAX)
      const end = batch.at(-1)?.position
      if (!end) return undefined
      const message = create(EventBatchSchema, { from, events: batch, end })
      from = end
      return toBinary(EventBatchSchema, message)
    },
    read({ after }: ReadEventLogRequest) {
      events = events.slice(Number((after?.commitSeq ?? 0n) - commitSeq) + events.length)
      const read = events.slice(0, EVENTS_MAX)
      return create(ReadEventLogResponseSchema, {
        events: read,
        end: read.at(-1)?.position ?? after,
        more: read.length < events.length,
      })
    },
  }
}
