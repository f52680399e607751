import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '@platen/deploy/start-process.ts'
import { WEBHOOK_ATTEMPTS_STREAM, webhookAttemptSubject } from '@platen/proto/subjects.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { addDelivery, readAttempts, readDelivery } from './delivery-rows.ts'
import { startDelivering } from './start-delivering.ts'
import type { TestWebhooks } from './start-test-webhooks.ts'

/** Another replica, a process of its own. */
async function startProcessOf({ config }: TestWebhooks) {
  const directory = await mkdtemp(join(tmpdir(), 'platen-webhooks-'))
  const replica = await startProcess({
    name: 'webhooks',
    script: 'services/main.ts',
    args: ['webhooks'],
    env: {
      PLATEN_RPC_LISTEN: `127.0.0.1:${await freePort()}`,
      PLATEN_RPC_SECRET: config.rpc.secret,
      PLATEN_DATABASE_URL: config.databaseUrl,
      PLATEN_NATS_URL: config.natsUrl,
      PLATEN_ACCOUNTS_URL: config.accountsUrl,
      PLATEN_WEBHOOK_KEY: config.webhookKey.toString('base64url'),
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

test('an attempt whose process is killed in its middle is made by another one within seconds', async () => {
  const { webhooks, endpoint, received } = await startDelivering({
    script: (_request, earlier) => (earlier === 0 ? 'never' : 204),
  })
  await webhooks.first.stop()
  const doomed = await startProcessOf(webhooks)
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(() => expect(received).toHaveLength(1))
  await webhooks.startReplica()

  process.kill(doomed.pid, 'SIGKILL')

  // Not by the lease, which never ends by the clock of the test.
  await waitFor(async () =>
    expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'succeeded', attempts: 1 }),
  )
  expect(received).toHaveLength(2)
  expect(received[1]?.body).toBe(received[0]?.body)
}, 120_000)

test('what NATS has lost is published again when its lease is over', async () => {
  const { webhooks, endpoint, received } = await startDelivering({ settings: { webhookLeaseMs: 30_000 } })
  const { nats, clock } = webhooks
  await nats.kill()
  const deliveries = await Promise.all(Array.from({ length: 50 }, () => addDelivery(webhooks, endpoint)))
  // As if they had been published before: nobody has them now.
  await webhooks.query('UPDATE webhooks.delivery SET due_at = $1, publications = 1', [
    new Date(clock.now().getTime() + 30_000),
  ])
  await nats.wipe()
  await nats.start()
  clock.advanceSeconds(29.999)
  expect(received).toHaveLength(0)
  clock.advanceSeconds(0.001)
  await waitFor(async () => {
    clock.advanceSeconds(0.1)
    const rows = await webhooks.query(`SELECT FROM webhooks.delivery WHERE status = 'succeeded'`)
    expect(rows).toHaveLength(deliveries.length)
  }, 40_000)
}, 60_000)

test('a NATS that is wiped while deliveries go on costs none of them', async () => {
  const { webhooks, endpoint, received } = await startDelivering({
    script: () => ({ status: 204, delayMs: 100 }),
    settings: { webhookLeaseMs: 30_000 },
  })
  const { nats, clock } = webhooks
  const deliveries = await Promise.all(Array.from({ length: 200 }, () => addDelivery(webhooks, endpoint)))
  await waitFor(() => expect(received.length).toBeGreaterThan(10))
  await nats.kill()
  await nats.wipe()
  await nats.start()
  await waitFor(async () => {
    clock.advanceSeconds(0.5)
    const rows = await webhooks.query(`SELECT FROM webhooks.delivery WHERE status = 'succeeded'`)
    expect(rows).toHaveLength(deliveries.length)
  }, 40_000)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(deliveries.length)
}, 60_000)

test('a message that comes again after its attempt was recorded makes no other attempt', async () => {
  const { webhooks, endpoint, received } = await startDelivering({ script: () => 500 })
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'pending', attempts: 1 }))

  const client = createTestProcess('test')
  onTestFinished(() => client.stop())
  const { jetstream, manager } = await connectNats(client, webhooks.nats.url)
  await jetstream.publish(webhookAttemptSubject('fast'), JSON.stringify({ deliveryId: id, publication: 1 }))
  await waitFor(async () => expect((await manager.streams.info(WEBHOOK_ATTEMPTS_STREAM.name)).state.messages).toBe(0))

  expect(received).toHaveLength(1)
  expect(await readAttempts(webhooks, id)).toHaveLength(1)
})

test('an attempt that goes on when the process stops is ended and recorded', async () => {
  const { webhooks, endpoint, received } = await startDelivering({ script: () => ({ status: 204, delayMs: 500 }) })
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(() => expect(received).toHaveLength(1))
  await webhooks.first.stop()
  expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'succeeded', attempts: 1 })
})

test('an outcome is recorded although somebody replayed its delivery meanwhile, and decides nothing', async () => {
  const { webhooks, endpoint, receiver, received } = await startDelivering({
    script: (_request, earlier) => ({ status: earlier === 0 ? 500 : 204, delayMs: earlier === 0 ? 500 : 0 }),
  })
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(() => expect(received).toHaveLength(1))
  await webhooks.query(
    `UPDATE webhooks.delivery SET due_at = $2, next_attempt_at = $2, retries = 0, trigger = 'replay', publications = publications + 1
     WHERE id = $1`,
    [id, webhooks.clock.now()],
  )
  await waitFor(async () =>
    expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 2, status: 'succeeded' }),
  )
  expect(await readAttempts(webhooks, id)).toMatchObject([{ trigger: 'scheduled' }, { trigger: 'replay' }])
  expect(receiver.received).toHaveLength(2)
})
