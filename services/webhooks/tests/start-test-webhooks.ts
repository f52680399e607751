import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toJsonString } from '@bufbuild/protobuf'
import {
  type DeviceChanged,
  DeviceChangedSchema,
  type JobChanged,
  JobChangedSchema,
} from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { DEVICE_EVENTS_STREAM, deviceEventSubject, JOBS_STREAM, jobSubject } from '@platen/proto/subjects.ts'
import { allowedNetworks } from '@platen/runtime/fetch/allowed-networks.ts'
import { createPublicNetwork, type PublicNetworkOptions } from '@platen/runtime/fetch/public-network.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { ensureStream } from '@platen/runtime/messaging/streams.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { WEBHOOKS_DURATIONS } from '@platen/test/harness/durations.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess, type TestProcess } from '@platen/test/harness/test-process.ts'
import { untilSettled } from '@platen/test/harness/until-settled.ts'
import { Pool, type QueryResultRow } from 'pg'
import { onTestFinished } from 'vitest'
import type { Config } from '../config.ts'
import { startWebhooks } from '../service.ts'

const SECRET = 'a secret of the test installation'
const LISTEN = '127.0.0.1'
/** Receivers of tests listen here. */
const LOOPBACK = allowedNetworks.parse('127.0.0.0/8,::1/128')

export type TestWebhooks = Awaited<ReturnType<typeof startTestWebhooks>>

/**
 * The webhooks service on real servers, with a clock that the test moves.
 *
 * @param network what names of hosts stand for, and what else than loopback endpoints may be at.
 */
export async function startTestWebhooks({
  now = new Date(),
  network = {},
  settings = {},
}: {
  now?: Date
  network?: Partial<PublicNetworkOptions>
  settings?: Partial<Config>
} = {}) {
  const [databaseUrl, nats, port] = await Promise.all([createDatabase(), startTestNats(), freePort()])
  const clock = createTestClock(now)
  const mailbox = await mkdtemp(join(tmpdir(), 'platen-mailbox-'))
  onTestFinished(() => rm(mailbox, { recursive: true, force: true }))
  const config: Config = {
    rpc: { listen: { host: LISTEN, port }, secret: SECRET },
    databaseUrl,
    natsUrl: nats.url,
    accountsUrl: `http://${LISTEN}:9`,
    webhookKey: randomBytes(32),
    allowedNetworks: [],
    mail: { from: 'Platen <platen@localhost>', to: { directory: mailbox } },
    ...WEBHOOKS_DURATIONS,
    ...settings,
  }
  const publicNetwork = createPublicNetwork({ allowed: LOOPBACK, ports: 'any', ...network })
  const replicas: TestProcess[] = []
  /** Of all replicas the first alone answers calls. */
  async function startReplica(): Promise<TestProcess> {
    const service = newProcess('webhooks')
    const listen = { host: LISTEN, port: replicas.length === 0 ? port : await freePort() }
    await startWebhooks(service, { ...config, rpc: { ...config.rpc, listen } }, clock, publicNetwork)
    replicas.push(service)
    return service
  }
  const first = await startReplica()

  const client = newProcess('test')
  const pool = new Pool({ connectionString: databaseUrl })
  onTestFinished(() => pool.end())
  const publisher = await connectNats(client, nats.url)
  const server = { url: `http://${LISTEN}:${port}`, secret: SECRET }
  return {
    clock,
    nats,
    databaseUrl,
    config,
    first,
    startReplica,
    /** Until lists that are followed show all that was written. */
    untilSettled: () => untilSettled(pool),
    query: async <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    /** Holds what a statement locks. @returns what lets it go. */
    async hold(sql: string) {
      const holder = await pool.connect()
      await holder.query('BEGIN')
      await holder.query(sql)
      return async () => {
        await holder.query('COMMIT')
        holder.release()
      }
    },
    endpoints: connectRpc(client, EndpointsService, server),
    deliveries: connectRpc(client, DeliveriesService, server),
    events: connectRpc(client, EventsService, server),
    /** As the outbox of jobs does it. */
    async publish(event: JobChanged): Promise<void> {
      await ensureStream(publisher, JOBS_STREAM)
      await publisher.jetstream.publish(jobSubject(event.mode, event.state), toJsonString(JobChangedSchema, event), {
        msgID: event.eventId,
      })
    },
    /** As the outbox of devices does it. */
    async publishOfDevice(event: DeviceChanged): Promise<void> {
      await ensureStream(publisher, DEVICE_EVENTS_STREAM)
      const payload = toJsonString(DeviceChangedSchema, event)
      await publisher.jetstream.publish(deviceEventSubject(event.mode, event.type), payload, { msgID: event.eventId })
    },
  }
}

function newProcess(name: string): TestProcess {
  const service = createTestProcess(name)
  onTestFinished(() => service.stop())
  return service
}
