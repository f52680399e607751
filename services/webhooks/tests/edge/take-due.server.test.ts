/** The statements that take deliveries. */
import { readMetric } from '@platen/test/harness/metrics.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import {
  CONCURRENCY_FAST,
  CONCURRENCY_SHARED,
  CONCURRENCY_SLOW,
  CONCURRENCY_UNREACHABLE,
} from '../../delivery/concurrency.ts'
import { findDue, takeDue } from '../../delivery/take-due.ts'
import { measureWebhooks } from '../../timers/measure-webhooks.ts'
import { startTestWebhooks } from '../webhooks-world.ts'

const LEASE_MS = 45_000

async function startTaking() {
  const testing = await startTestWebhooks(await startOwnWorld())
  const { world, query, addDeliveries, clock } = testing
  // Only the test takes deliveries.
  await world.processes.webhooks.stop()
  return {
    ...testing,
    async addEndpoint(due: number, concurrency = CONCURRENCY_FAST) {
      const id = uuidv7()
      await query(
        `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, concurrency, created_at)
         VALUES ($1, $1, 'live', 'https://user.example.com', '{printjob.done}', $2, $3)`,
        [id, concurrency, clock.now()],
      )
      await addDeliveries(id, { count: due, status: 'pending' })
      return id
    },
    find: () => findDue(world.pool, clock.now()),
    /** @returns how many of each endpoint. */
    async take(...endpointIds: string[]) {
      const due = await takeDue({ ...world.contexts.webhooks, pool: world.pool }, endpointIds, LEASE_MS)
      return endpointIds.map((id) => due.filter(({ endpointId }) => endpointId === id).length)
    },
  }
}

const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

test('the endpoints with something due are found, whatever else is pending', async () => {
  const { addEndpoint, addDeliveries, find, clock, query } = await startTaking()
  const due = [await addEndpoint(1), await addEndpoint(100), await addEndpoint(2)]
  const later = await addEndpoint(0)
  await addDeliveries(later, { status: 'pending', nextAttemptAt: new Date(clock.now().getTime() + 1) })
  await addDeliveries(await addEndpoint(0), { status: 'failed' })
  expect((await find()).toSorted()).toEqual(due.toSorted())
  clock.advance(1)
  expect(await find()).toContain(later)
  await query(`UPDATE webhooks.delivery SET status = 'missed', next_attempt_at = NULL, due_at = NULL`)
  expect(await find()).toEqual([])
})

test('the oldest deliveries of an endpoint are leased, up to its concurrency; those whose lease has ended do not count and are taken again', async () => {
  const { addEndpoint, take, clock, query } = await startTaking()
  const id = await addEndpoint(CONCURRENCY_FAST + 10)
  const oldest = (await query('SELECT id FROM webhooks.delivery ORDER BY id LIMIT 5')).map((row) => row.id)
  await query(`UPDATE webhooks.delivery SET due_at = due_at - interval '1 second' WHERE id = ANY($1)`, [oldest])
  expect(await take(id)).toEqual([CONCURRENCY_FAST])
  const leased = (await query('SELECT id FROM webhooks.delivery WHERE due_at > next_attempt_at')).map((row) => row.id)
  expect(leased).toEqual(expect.arrayContaining(oldest))
  expect(await take(id)).toEqual([0])
  await query(`UPDATE webhooks.delivery SET status = 'succeeded', due_at = NULL WHERE id = ANY($1)`, [oldest])
  expect(await take(id)).toEqual([5])
  clock.advance(LEASE_MS)
  expect(await take(id)).toEqual([CONCURRENCY_FAST])
})

test('a delivery that waits for its retry has no lease', async () => {
  const { addEndpoint, addDeliveries, take, clock } = await startTaking()
  const id = await addEndpoint(10, 2)
  await addDeliveries(id, { count: 5, status: 'pending', nextAttemptAt: new Date(clock.now().getTime() + 5_000) })
  expect(await take(id)).toEqual([2])
})

test('all slow endpoints share a concurrency of 64, all unreachable ones another 64; other endpoints are not affected', async () => {
  const { addEndpoint, take, query } = await startTaking()
  const slow: string[] = []
  const unreachable: string[] = []
  for (let n = 0; n < CONCURRENCY_SHARED + 6; n++) unreachable.push(await addEndpoint(2, CONCURRENCY_UNREACHABLE))
  expect(sum(await take(...unreachable))).toBe(CONCURRENCY_SHARED)
  for (let n = 0; n < 10; n++) slow.push(await addEndpoint(10, CONCURRENCY_SLOW))
  const fast = await addEndpoint(10)
  const [ofFast, ...ofSlow] = await take(fast, ...slow)
  expect(ofFast).toBe(10)
  expect(sum(ofSlow)).toBe(CONCURRENCY_SHARED)
  for (const taken of ofSlow) expect([6, 7]).toContain(taken)
  expect(sum(await take(...slow))).toBe(0)
  await query(
    `UPDATE webhooks.delivery SET status = 'succeeded', due_at = NULL WHERE endpoint_id = $1 AND due_at > next_attempt_at`,
    [slow[0]],
  )
  expect(sum(await take(...slow))).toBe(ofSlow[0])
})

test('two replicas that take at the same time do not exceed the concurrency of an endpoint', async () => {
  const { addEndpoint, take } = await startTaking()
  const id = await addEndpoint(200)
  const taken = await Promise.all([take(id), take(id), take(id)])
  expect(sum(taken.flat())).toBe(CONCURRENCY_FAST)
})

test('the metrics show how long the oldest delivery has been due, except to endpoints that do not answer quickly', async () => {
  const { addEndpoint, clock, world, query } = await startTaking()
  const measure = async () => {
    await measureWebhooks({ pool: world.pool, clock })
    return await Promise.all(
      ['oldest_due_seconds', 'endpoints_failing'].map((name) => readMetric(`platen_webhook_${name}`)),
    )
  }
  await readMetric('platen_webhook_endpoints_failing')
  await addEndpoint(1, CONCURRENCY_SLOW)
  clock.advance(100_000)
  expect(await measure()).toEqual([0, 0])
  await addEndpoint(2)
  clock.advance(200_000)
  await query('UPDATE webhooks.endpoint SET failing_since = $1 WHERE concurrency = $2', [clock.now(), CONCURRENCY_SLOW])
  expect(await measure()).toEqual([200, 1])
})
