import { randomBytes } from 'node:crypto'
import { createSecretBox } from '@platen/runtime/secret-box.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { isSignedBy } from '@platen/test/harness/webhook-receiver.ts'
import { WEBHOOK_KEY } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestWebhooks } from '../webhooks-world.ts'

const BATCH = 500
/** The same in all tests, because they share the database. */
const NEWER = randomBytes(32)

async function startRotation() {
  const testing = await startTestWebhooks()
  const { endpoints, webhooks } = testing
  const rollOut = (...keyring: [Buffer, ...Buffer[]]) => {
    webhooks.secretBox = createSecretBox(keyring)
  }
  // Later tests of the worker need both keys.
  onTestFinished(() => rollOut(WEBHOOK_KEY, NEWER))
  rollOut(WEBHOOK_KEY, NEWER)
  return {
    ...testing,
    rollOut,
    async reencryptAll() {
      const encrypted: number[] = []
      let remaining = 0
      for (let afterId = ''; ; ) {
        const batch = await endpoints.reencryptSecrets({ afterId })
        encrypted.push(batch.encrypted)
        remaining += batch.remaining
        afterId = batch.lastId
        if (afterId === '') return { encrypted, remaining }
      }
    },
  }
}

test('deliveries are signed with the same secret before, during and after a change of the key that encrypts it', async () => {
  const { startDelivering, deliver, waitForDelivery, rollOut, reencryptAll } = await startRotation()
  const { id, secret, received } = await startDelivering()
  const others = (await reencryptAll()).remaining
  let count = 0
  const expectDelivered = async () => {
    const [deliveryId] = await deliver(id)
    await waitForDelivery(deliveryId, { status: 'succeeded' })
    count++
    expect(received().map((request) => isSignedBy(request, secret))).toEqual(Array(count).fill(true))
  }
  rollOut(WEBHOOK_KEY, NEWER)
  await expectDelivered()
  rollOut(NEWER, WEBHOOK_KEY)
  await expectDelivered()
  expect((await reencryptAll()).remaining).toBe(others)
  await expectDelivered()
  rollOut(NEWER)
  await expectDelivered()
  expect((await reencryptAll()).encrypted.every((count) => count === 0)).toBe(true)
})

test('a secret that changes while it is encrypted keeps its change', async () => {
  const { makeEndpoint, world, query, rollOut, reencryptAll } = await startRotation()
  const { id } = await makeEndpoint()
  rollOut(NEWER, WEBHOOK_KEY)
  const commit = await holdTransaction(world.pool, (client) =>
    client.query(`UPDATE webhooks.secret SET encrypted = '\\x00' WHERE endpoint_id = $1`, [id]),
  )
  const done = reencryptAll()
  await untilBlocked(world.pool)
  await commit()
  await done
  expect(await query('SELECT encrypted FROM webhooks.secret WHERE endpoint_id = $1', [id])).toEqual([
    { encrypted: Buffer.from([0]) },
  ])
})

test(`secrets are encrypted in batches of ${BATCH}; those that no key decrypts stay as they are and are counted`, async () => {
  const { makeEndpoint, query, rollOut, reencryptAll, webhooks, clock } = await startRotation()
  const others = (await reencryptAll()).remaining
  const { id, secret } = await makeEndpoint()
  const unreadable = await makeEndpoint()
  await query('UPDATE webhooks.secret SET encrypted = sha256(encrypted) WHERE endpoint_id = $1', [unreadable.id])
  await query(
    `INSERT INTO webhooks.secret (id, endpoint_id, encrypted, created_at, expires_at)
     SELECT uuidv7(), endpoint_id, encrypted, created_at, $2::timestamptz + interval '1 day'
     FROM webhooks.secret, generate_series(1, $3) WHERE endpoint_id = $1`,
    [id, clock.now(), BATCH],
  )
  rollOut(NEWER, WEBHOOK_KEY)
  const { encrypted, remaining } = await reencryptAll()
  expect(encrypted.length).toBeGreaterThan(1)
  expect(encrypted.every((ofBatch) => ofBatch <= BATCH)).toBe(true)
  expect(remaining).toBe(others + 1)
  const rows = await query('SELECT encrypted FROM webhooks.secret WHERE endpoint_id = $1', [id])
  expect(rows).toHaveLength(BATCH + 1)
  rollOut(NEWER)
  for (const row of rows) expect(webhooks.secretBox.decrypt(id, row.encrypted)).toBe(secret)
})
