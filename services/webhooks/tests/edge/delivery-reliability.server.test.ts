/** Deliveries when processes are killed or stopped, and when NATS loses its store. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '@platen/deploy/launcher/start-process.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { RPC_CALLERS_SETTING } from '@platen/test/harness/rpc-key.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { Script } from '@platen/test/harness/webhook-receiver.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestWebhooks, type TestWebhooks } from '../webhooks-world.ts'

const KEY = Buffer.alloc(32, 'key')

async function startDelivering(script: Script) {
  const testing = await startTestWebhooks(
    await startOwnWorld({ webhooks: { webhookKey: [KEY], webhookLeaseMs: 30_000 } }),
  )
  return { ...testing, endpoint: await testing.startDelivering(script) }
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
      PLATEN_RPC_CALLERS: RPC_CALLERS_SETTING,
      PLATEN_RPC_KEY: world.rpc.key,
      PLATEN_DATABASE_URL: world.databaseUrl,
      PLATEN_NATS_URL: world.natsServer.servicesUrl,
      PLATEN_ACCOUNTS_URL: world.rpc.url,
      PLATEN_JOBS_URL: world.rpc.url,
      PLATEN_DEVICES_URL: world.rpc.url,
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

test('an attempt in progress is recorded when its process stops; if the process is killed, another one makes it within seconds', async () => {
  let killedEvent: string | undefined
  const testing = await startDelivering(async ({ headers }, earlier) => {
    await realWait('nothing comes')
    return headers['webhook-id'] === killedEvent && earlier === 0 ? 'never' : 204
  })
  const { world, endpoint, deliver, readDelivery, waitForDelivery, addDeliveries, query } = testing
  const [stopped] = await deliver(endpoint.id)
  await waitFor(() => expect(endpoint.received()).toHaveLength(1))
  await world.processes.webhooks.stop()
  expect(await readDelivery(stopped)).toMatchObject({ status: 'succeeded', attempts: 1 })

  const replica = await startReplicaProcess(testing)
  const [id = ''] = await addDeliveries(endpoint.id, { status: 'pending', nextAttemptAt: new Date(8.64e15) })
  killedEvent = (await readDelivery(id)).event_id
  await query('UPDATE webhooks.delivery SET next_attempt_at = created_at, due_at = created_at WHERE id = $1', [id])
  await waitFor(() => expect(endpoint.received()).toHaveLength(2))
  await world.addReplica.webhooks()
  process.kill(replica.pid, 'SIGKILL')
  // The clock stands still, so that the lease does not end.
  await waitForDelivery(id, { status: 'succeeded', attempts: 1 })
  const [, first, second, ...more] = endpoint.received()
  expect(more).toEqual([])
  expect(second?.body).toBe(first?.body)
}, 120_000)

test('a NATS server that loses its store while deliveries are made costs none of them: their leases end', async () => {
  const { world, query, endpoint, deliver } = await startDelivering(() => ({ status: 204, delayMs: 50 }))
  const ids = await deliver(endpoint.id, { count: 100 })
  await waitFor(() => expect(endpoint.received().length).toBeGreaterThan(10))
  await world.natsServer.kill()
  await world.natsServer.wipe()
  await world.natsServer.start()
  await waitFor(async () => {
    // In steps: no lease may end while its attempt is in progress.
    world.advance(500)
    expect(await query(`SELECT FROM webhooks.delivery WHERE status = 'succeeded'`)).toHaveLength(ids.length)
  }, 40_000)
  expect(new Set(endpoint.received().map(({ headers }) => headers['webhook-id'])).size).toBe(ids.length)
})
