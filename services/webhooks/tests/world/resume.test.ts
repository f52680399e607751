/** Times of deliveries that are attempted before their schedule. With attempts: `delivery.test.ts`. */
import { expect, test } from 'vitest'
import type { EndedAttempt } from '../../delivery/record-outcomes.ts'
import { probeUnreachable, resumeRetries } from '../../delivery/resume.ts'
import { startTestWebhooks } from '../webhooks-world.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Times in milliseconds from now. */
interface Waiting {
  createdAt: number
  /** The end of the last attempt, which took a second. */
  endedAt: number
  nextAttemptAt?: number
  leasedUntil?: number
}

async function startResuming() {
  const testing = await startTestWebhooks()
  const { clock, query, webhooks, addDeliveries } = testing
  const now = clock.now()
  const at = (ms: number) => new Date(now.getTime() + ms)
  return {
    ...testing,
    at,
    /** The endpoint has the concurrency 0, so that the service attempts none of its due deliveries. */
    async addEndpoint(changes: string) {
      const { id } = await testing.makeEndpoint()
      await query(`UPDATE webhooks.endpoint SET concurrency = 0, ${changes} WHERE id = $1`, [id])
      return id
    },
    async addWaiting(endpointId: string, { createdAt, endedAt, nextAttemptAt = HOUR_MS, leasedUntil }: Waiting) {
      const times = { createdAt: at(createdAt), nextAttemptAt: at(nextAttemptAt) }
      const lease = leasedUntil === undefined ? {} : { leasedUntil: at(leasedUntil) }
      const [id = ''] = await addDeliveries(endpointId, { status: 'pending', ...times, ...lease })
      await query(
        `WITH attempt AS (
           INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms)
           VALUES ($1, 1, 'scheduled', $2, 1000)
         )
         UPDATE webhooks.delivery SET attempts = 1 WHERE id = $1`,
        [id, at(endedAt - SECOND_MS)],
      )
      return id
    },
    /** The endpoint has answered after an hour. */
    resume: (endpointId: string) =>
      resumeRetries(
        webhooks,
        [
          { endpointId, endpoint: { failingSince: at(-HOUR_MS) }, outcome: { endedAt: now, errorClass: null } },
        ] as EndedAttempt[],
        [5 * SECOND_MS],
      ),
    probe: () => probeUnreachable(webhooks),
    /** @returns the time from now until the next attempt of each. */
    readWaits: async (ids: string[]) =>
      await Promise.all(
        ids.map(async (id) => {
          const { next_attempt_at, due_at } = await testing.readDelivery(id)
          return [next_attempt_at, due_at].map((time) => time.getTime() - now.getTime())
        }),
      ),
  }
}

test('when an endpoint answers again, its waiting deliveries follow one after the other, none earlier than the first gap and a quarter of its age after its last attempt', async () => {
  const { addEndpoint, addWaiting, resume, readWaits } = await startResuming()
  const [id, other] = [await addEndpoint('failing_since = NULL'), await addEndpoint('failing_since = NULL')]
  const minuteOld = { createdAt: -MINUTE_MS, endedAt: -30 * SECOND_MS }
  const ids = [
    await addWaiting(id, { ...minuteOld, nextAttemptAt: -2 }),
    await addWaiting(id, { ...minuteOld, nextAttemptAt: -1, leasedUntil: 1 }),
    await addWaiting(id, { ...minuteOld, nextAttemptAt: 10 * MINUTE_MS }),
    await addWaiting(id, { ...minuteOld, endedAt: 0 }),
    await addWaiting(id, { createdAt: -4 * SECOND_MS, endedAt: 0 }),
    await addWaiting(id, { createdAt: -HOUR_MS, endedAt: -MINUTE_MS, nextAttemptAt: 13 * MINUTE_MS }),
    await addWaiting(other, minuteOld),
  ]
  await resume(id)
  const twice = (ms: number) => [ms, ms]
  expect(await readWaits(ids)).toEqual([
    twice(-2),
    [-1, 1],
    twice(250),
    twice(15 * SECOND_MS),
    twice(5 * SECOND_MS),
    twice(13 * MINUTE_MS),
    twice(HOUR_MS),
  ])
})

test('an endpoint is probed with its first waiting delivery if its last attempt did not reach it', async () => {
  const { addEndpoint, addWaiting, probe, readWaits } = await startResuming()
  const failing = "failing_since = '2026-01-01'"
  const waiting = { createdAt: -HOUR_MS, endedAt: -30 * MINUTE_MS }
  const first = await addEndpoint(`${failing}, last_error = 'timeout'`)
  const probed = [
    await addWaiting(first, { ...waiting, nextAttemptAt: MINUTE_MS }),
    await addWaiting(await addEndpoint(`${failing}, last_error = 'status', last_status_code = 503`), waiting),
  ]
  const leasedTo = await addEndpoint(`${failing}, last_error = 'connect'`)
  const unchanged = [
    await addWaiting(first, waiting),
    await addWaiting(await addEndpoint(`${failing}, last_error = 'status', last_status_code = 500`), waiting),
    await addWaiting(await addEndpoint(`failing_since = NULL, last_error = 'timeout'`), waiting),
    await addWaiting(await addEndpoint(`${failing}, last_error = 'timeout', enabled = false`), waiting),
    await addWaiting(await addEndpoint(`${failing}, last_error = 'timeout'`), {
      ...waiting,
      endedAt: -15 * MINUTE_MS + 1,
    }),
    // Its attempt is in progress.
    await addWaiting(leasedTo, { ...waiting, nextAttemptAt: -1, leasedUntil: SECOND_MS }),
    await addWaiting(leasedTo, waiting),
  ]
  const before = await readWaits(unchanged)
  await probe()
  expect(await readWaits(probed)).toEqual([
    [0, 0],
    [0, 0],
  ])
  expect(await readWaits(unchanged)).toEqual(before)
})

test('a delivery whose attempt is being recorded is neither resumed nor probed, and delays no other one', async () => {
  const { addEndpoint, addWaiting, resume, probe, readWaits, hold } = await startResuming()
  const id = await addEndpoint("failing_since = '2026-01-01', last_error = 'timeout'")
  const waiting = { createdAt: -HOUR_MS, endedAt: -30 * MINUTE_MS }
  const recorded = await addWaiting(id, { ...waiting, nextAttemptAt: MINUTE_MS })
  const others = [await addWaiting(id, waiting), await addWaiting(id, waiting)]
  const commit = await hold('SELECT FROM webhooks.delivery WHERE id = $1 FOR UPDATE', [recorded])
  await probe()
  expect((await readWaits(others)).flat().filter((wait) => wait === 0)).toHaveLength(2)
  await resume(id)
  await commit()
  expect((await readWaits([recorded, ...others])).flat().toSorted((a, b) => b - a)).toEqual([
    ...[MINUTE_MS, MINUTE_MS],
    ...[250, 250],
    ...[0, 0],
  ])
})
