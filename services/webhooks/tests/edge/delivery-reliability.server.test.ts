/** Deliveries when processes are killed or stopped, and when NATS loses its store. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '@platen/deploy/start-process.ts'
import { WEBHOOK_ATTEMPTS_STREAM, webhookAttemptSubject } from '@platen/proto/subjects.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { Script } from '@platen/test/harness/webhook-receiver.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestWebhooks, type TestWebhooks } from '../webhooks-world.ts'

const KEY = Buffer.alloc(32, 'key')

async function startDelivering(script?: Script) {
  const testing = await startTestWebhooks(
    await startOwnWorld({ webhooks: { webhookKey: KEY, webhookLeaseMs: 30_000 } }),
  )
  const { world, query } = testing
  return {
    ...testing,
    endpoint: await testing.startDelivering(script),
    async loseNats(): Promise<void> {
      await world.natsServer.kill()
      await world.natsServer.wipe()
      await world.natsServer.start()
    },
    /** In steps: no lease may end while its attempt is in progress. */
    waitUntilAllSucceeded: (count: number, stepMs: number) =>
      waitFor(async () => {
        world.advance(stepMs)
        expect(await query(`SELECT FROM webhooks.delivery WHERE status = 'succeeded'`)).toHaveLength(count)
      }, 40_000),
  }
}

/** Another replica, as a process of its own. */
async function startReplicaProcess({ world }: TestWebhooks) {
  const directory = await mkdtemp(join(tmpdir(), 'platen-webhooks-'))
  const replica = await startProcess({
    name: 'webhooks',
    script: 'services/main.ts',
    args: ['webhooks'],
    env: {
      PLATEN_RPC_LISTEN: `127.0.0.1:${await freePort()}`,
      PLATEN_RPC_SECRET: world.rpc.secret,
      PLATEN_DATABASE_URL: world.databaseUrl,
      PLATEN_NATS_URL: world.natsServer.url,
      PLATEN_ACCOUNTS_URL: world.rpc.url,
      PLATEN_WEBHOOK_KEY: KEY.toString('base64url'),
      PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8',
      PLATEN_MAILBOX_DIR: directory,
    },
    logFile: join(directory, 'log'),
  })
  onTestFinished(async () => {
    await replica.stop()
    await rm(directory, { recursive: true })
  })
  return replica
}

test('an attempt whose process is killed is made by another process within seconds', async () => {
  const testing = await startDelivering((_request, earlier) => (earlier === 0 ? 'never' : 204))
  const { world, endpoint, deliver, waitForDelivery } = testing
  await world.processes.webhooks.stop()
  const killed = await startReplicaProcess(testing)
  const [id] = await deliver(endpoint.id)
  await waitFor(() => expect(endpoint.received()).toHaveLength(1))
  await world.addReplica.webhooks()
  process.kill(killed.pid, 'SIGKILL')
  // The clock stands still, so that the lease does not end.
  await waitForDelivery(id, { status: 'succeeded', attempts: 1 })
  const [first, second, ...more] = endpoint.received()
  expect(more).toEqual([])
  expect(second?.body).toBe(first?.body)
}, 120_000)

test('deliveries that NATS loses are published again at the end of their lease', async () => {
  const { world, endpoint, addDeliveries, query, clock, waitUntilAllSucceeded } = await startDelivering()
  await world.natsServer.kill()
  const inThirtySeconds = new Date(clock.now().getTime() + 30_000)
  const ids = await addDeliveries(endpoint.id, { count: 20, status: 'pending', leasedUntil: inThirtySeconds })
  await query('UPDATE webhooks.delivery SET publications = 1')
  await world.natsServer.wipe()
  await world.natsServer.start()
  world.advance(29_999)
  expect(endpoint.received()).toHaveLength(0)
  world.advance(1)
  await waitUntilAllSucceeded(ids.length, 100)
})

test('a NATS server that loses its store while deliveries are made costs none of them', async () => {
  const { endpoint, deliver, loseNats, waitUntilAllSucceeded } = await startDelivering(() => ({
    status: 204,
    delayMs: 50,
  }))
  const ids = await deliver(endpoint.id, { count: 100 })
  await waitFor(() => expect(endpoint.received().length).toBeGreaterThan(10))
  await loseNats()
  await waitUntilAllSucceeded(ids.length, 500)
  expect(new Set(endpoint.received().map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length)
})

test('a message that comes again after its attempt was recorded makes no other attempt', async () => {
  const { world, endpoint, deliver, waitForDelivery, readAttempts } = await startDelivering(() => 500)
  const [id] = await deliver(endpoint.id)
  await waitForDelivery(id, { status: 'pending', attempts: 1 })
  const { jetstream, manager } = world.nats
  await jetstream.publish(webhookAttemptSubject('fast'), JSON.stringify({ deliveryId: id, publication: 1 }))
  await waitFor(async () => expect((await manager.streams.info(WEBHOOK_ATTEMPTS_STREAM.name)).state.messages).toBe(0))
  expect(endpoint.received()).toHaveLength(1)
  expect(await readAttempts(id)).toHaveLength(1)
})

test('an attempt in progress is completed and recorded when its process stops', async () => {
  const { world, endpoint, deliver, readDelivery } = await startDelivering(async () => {
    await realWait('nothing comes')
    return 204
  })
  const [id] = await deliver(endpoint.id)
  await waitFor(() => expect(endpoint.received()).toHaveLength(1))
  await world.processes.webhooks.stop()
  expect(await readDelivery(id)).toMatchObject({ status: 'succeeded', attempts: 1 })
})
