/** What the benchmarks of webhooks run on: PostgreSQL, NATS, the webhooks service and a receiver, a process each. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { toJsonString } from '@bufbuild/protobuf'
import { separateServices } from '@platen/deploy/services.ts'
import { startProcess } from '@platen/deploy/start-process.ts'
import { JobChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { JOBS_STREAM, jobSubject } from '@platen/proto/subjects.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { createPublisher } from '@platen/runtime/messaging/publisher.ts'
import { ensureStream } from '@platen/runtime/messaging/streams.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { v7 as uuidv7 } from 'uuid'
import { beginInstallation } from '../harness/begin-installation.ts'
import { jobChanged } from '../harness/job-changed.ts'
import { createTestProcess } from '../harness/test-process.ts'
import { pace } from './report.ts'
import type { Receipts } from './webhook-receiver.ts'

export type WebhookInstallation = Awaited<ReturnType<typeof startWebhookInstallation>>

export async function startWebhookInstallation() {
  const { installation, postgres, nats, started, stop } = await beginInstallation('bench')
  const { secrets, ports } = installation
  const webhooks = separateServices(installation, { databaseUrl: postgres.url, natsUrl: nats.url }, ports).find(
    ({ name }) => name === 'webhooks',
  )
  if (!webhooks) throw new Error('the installation has no webhooks service')
  const env = { ...webhooks.env, PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const service = await started(startProcess({ ...webhooks, env }))

  const receiver = fork(new URL('webhook-receiver.ts', import.meta.url))
  const [{ port }] = (await once(receiver, 'message')) as [Receipts]
  let received = 0
  let onArrival: (arrival: Receipts['arrivals'][number]) => void = () => undefined
  receiver.on('message', ({ count, arrivals }: Receipts) => {
    received += count
    for (const arrival of arrivals) onArrival(arrival)
  })

  const client = createTestProcess('bench')
  const connection = await connectNats(client, nats.url)
  await ensureStream(connection, JOBS_STREAM)
  const publisher = createPublisher(client, connection.connection)
  const endpoints = connectRpc(client, EndpointsService, {
    url: `http://127.0.0.1:${ports.webhooks}`,
    secret: secrets.rpcSecret,
  })
  return {
    databaseUrl: postgres.url,
    receiverUrl: `http://127.0.0.1:${port}`,
    pids: { webhooks: service.pid, postgres: postgres.pid, nats: nats.pid, receiver: receiver.pid ?? 0 },
    /** Requests that came, as far as the receiver has told. */
    received: () => received,
    /** Told of each request from now on; without it, of none. */
    watch(told?: typeof onArrival) {
      onArrival = told ?? (() => undefined)
      receiver.send(told !== undefined)
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
    /** As the outbox of jobs does it. @returns the event's id. */
    async publish(organizationId: string): Promise<string> {
      const eventId = uuidv7()
      const payload = eventOf(organizationId, eventId)
      await publisher.publish({ subject: jobSubject('test', 'done'), payload, messageId: eventId, headers: {} })
      return eventId
    },
    /** Publishes at a steady rate, to the organizations in turns. @returns when each event was published, in milliseconds since 1970. */
    async publishPaced(organizationIds: string[], perSecond: number, seconds: number): Promise<Map<string, number>> {
      const events = await pace(perSecond, perSecond * seconds, async (_, n) => {
        const at = performance.timeOrigin + performance.now()
        return [await this.publish(organizationIds[n % organizationIds.length] ?? ''), at] as const
      })
      return new Map(events)
    },
    async stop(): Promise<void> {
      receiver.kill()
      await client.stop()
      await stop()
    },
  }
}

const ORGANIZATION = '11111111-1111-7111-8111-111111111111'
const EVENT = '22222222-2222-7222-8222-222222222222'

/** Made once: what the load computes is missing to the service. */
const TEMPLATE = toJsonString(
  JobChangedSchema,
  jobChanged({ organizationId: ORGANIZATION, mode: 'test' }, { eventId: EVENT, now: new Date() }),
)

const eventOf = (organizationId: string, eventId: string): string =>
  TEMPLATE.replaceAll(ORGANIZATION, organizationId).replace(EVENT, eventId)
