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
import { readDeliveries } from '../../delivery/read-deliveries.ts'
import { recordOutcomes } from '../../delivery/record-outcomes.ts'
import { RETRY_GAPS_MS } from '../../delivery/schedule.ts'
import type { Outcome } from '../../delivery/send.ts'
import { findDue, takeDue } from '../../delivery/take-due.ts'
import { toEndedAttempt } from '../../delivery/worker.ts'
import { measureWebhooks } from '../../timers/measure-webhooks.ts'
import { startTestWebhooks } from '../webhooks-world.ts'

const LEASE_MS = 45_000
const POLL_MS = 250

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
    /**
     * Attempts due deliveries every 250 ms, as the service polls them.
     *
     * @returns the numbers of both kinds of requests.
     */
    async deliverFor(seconds: number, endpointId: string, accepts: (at: Date) => boolean) {
      const requests = { accepted: 0, throttled: 0 }
      for (
        const until = clock.now().getTime() + seconds * 1_000;
        clock.now().getTime() < until;
        clock.advance(POLL_MS)
      ) {
        const due = await takeDue({ ...world.contexts.webhooks, pool: world.pool }, [endpointId], LEASE_MS)
        if (due.length === 0) continue
        const at = clock.now()
        const read = await readDeliveries(
          world.pool,
          due.map(({ id }) => id),
          at,
        )
        const ended = [...read.values()].flatMap(({ endpoint, ...delivery }) => {
          if (!endpoint) return []
          const isThrottled = !accepts(at)
          requests[isThrottled ? 'throttled' : 'accepted']++
          const outcome = {
            ...{ at, endedAt: at, durationMs: 5, response: null, isGone: false, isInside: false, isThrottled },
            ...{ statusCode: isThrottled ? 429 : 204, errorClass: isThrottled ? 'status' : null },
            retryAfterMs: isThrottled ? 1_000 : undefined,
          } satisfies Outcome
          const options = { retryGapsMs: RETRY_GAPS_MS, allowedNetworksDetails: true }
          return [toEndedAttempt({ ...delivery, endpoint }, outcome, options)]
        })
        await recordOutcomes(world.pool, ended)
      }
      return requests
    },
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
    `UPDATE webhooks.delivery SET status = 'succeeded', due_at = NULL
     WHERE endpoint_id = $1 AND due_at > next_attempt_at`,
    [slow[0]],
  )
  expect(sum(await take(...slow))).toBe(ofSlow[0])
})

test('endpoints of a kind with more leases than its share get none', async () => {
  const { addEndpoint, take, query } = await startTaking()
  const slowed = [await addEndpoint(100), await addEndpoint(100), await addEndpoint(100)]
  expect(sum(await take(...slowed))).toBe(3 * CONCURRENCY_FAST)
  await query('UPDATE webhooks.endpoint SET concurrency = $1', [CONCURRENCY_UNREACHABLE])
  expect(await take(await addEndpoint(1, CONCURRENCY_UNREACHABLE))).toEqual([0])
})

test('taken deliveries count for the rate of their endpoint alone', async () => {
  const { addEndpoint, take, clock, query } = await startTaking()
  const [id, other] = [await addEndpoint(1), await addEndpoint(1)]
  await query('UPDATE webhooks.endpoint SET send_interval_ms = 1000, send_after = $1', [clock.now()])
  expect([await take(id), await take(id), await take(other)]).toEqual([[1], [0], [1]])
})

test('an endpoint gets the deliveries of the time since its last one, of 250 ms at most, and none before the next one', async () => {
  const { addEndpoint, take, clock, query } = await startTaking()
  const id = await addEndpoint(20)
  await query('UPDATE webhooks.endpoint SET send_interval_ms = 50, send_after = $1', [clock.now()])
  const taken = [await take(id), await take(id)]
  clock.advance(60_000)
  taken.push(await take(id), await take(id))
  expect(taken).toEqual([[1], [0], [6], [0]])
})

test('an endpoint with more leases than its concurrency gets none', async () => {
  const { addEndpoint, take, query } = await startTaking()
  const id = await addEndpoint(100)
  await take(id)
  await query('UPDATE webhooks.endpoint SET concurrency = $1', [CONCURRENCY_SLOW])
  expect(await take(id, await addEndpoint(1, CONCURRENCY_SLOW))).toEqual([0, 1])
})

test('two replicas that take at the same time do not exceed the concurrency of an endpoint', async () => {
  const { addEndpoint, take } = await startTaking()
  const id = await addEndpoint(200)
  const taken = await Promise.all([take(id), take(id), take(id)])
  expect(sum(taken.flat())).toBe(CONCURRENCY_FAST)
})

test('the metrics show how long the oldest delivery has been due, except to endpoints that throttle or do not answer quickly, and how many enabled endpoints fail', async () => {
  const { addEndpoint, clock, world, query } = await startTaking()
  const measure = async () => {
    await measureWebhooks({ pool: world.pool, clock })
    return await Promise.all(
      ['oldest_due_seconds', 'endpoints_failing'].map((name) => readMetric(`platen_webhook_${name}`)),
    )
  }
  await readMetric('platen_webhook_endpoints_failing')
  await addEndpoint(1, CONCURRENCY_SLOW)
  const throttling = await addEndpoint(1)
  await query('UPDATE webhooks.endpoint SET send_interval_ms = 1000 WHERE id = $1', [throttling])
  await addEndpoint(0)
  await query(
    `UPDATE webhooks.endpoint SET failing_since = $1, enabled = false
     WHERE id NOT IN (SELECT endpoint_id FROM webhooks.delivery)`,
    [clock.now()],
  )
  clock.advance(100_000)
  expect(await measure()).toEqual([0, 0])
  await addEndpoint(2)
  clock.advance(200_000)
  await query('UPDATE webhooks.endpoint SET failing_since = $1 WHERE concurrency = $2', [clock.now(), CONCURRENCY_SLOW])
  expect(await measure()).toEqual([200, 1])
})

/** A receiver that takes a number of requests in each second. */
function limitTo(perSecond: number) {
  let second = 0
  let count = 0
  return (at: Date) => {
    const now = Math.floor(at.getTime() / 1_000)
    if (now !== second) [second, count] = [now, 0]
    return ++count <= perSecond
  }
}

test('a receiver that takes 5 requests a second gets 300 deliveries within 90 s and throttles at most a fifth; the next 50 are sent at its rate', async () => {
  const { addEndpoint, addDeliveries, deliverFor } = await startTaking()
  const id = await addEndpoint(300)
  const accepts = limitTo(5)
  const first = await deliverFor(90, id, accepts)
  expect(first.accepted).toBe(300)
  expect(first.throttled).toBeLessThan(300 / 4)
  await addDeliveries(id, { count: 50, status: 'pending' })
  const next = await deliverFor(20, id, accepts)
  expect(next.accepted).toBe(50)
  expect(next.throttled).toBeLessThan(10)
})

test('an endpoint that throttles no more gets more and more, until its rate has no limit', async () => {
  const { addEndpoint, deliverFor, query } = await startTaking()
  const id = await addEndpoint(3_000)
  let isThrottled = true
  await deliverFor(1, id, () => !isThrottled)
  isThrottled = false
  const { accepted } = await deliverFor(60, id, () => !isThrottled)
  expect(accepted).toBe(3_000)
  expect(await query('SELECT send_interval_ms FROM webhooks.endpoint')).toEqual([{ send_interval_ms: null }])
})
