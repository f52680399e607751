/** The delivery engine, with real receivers. One attempt by itself: `edge/send.test.ts`. */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { WEBHOOK_ATTEMPTS_STREAM, WEBHOOK_ATTEMPTS_SUBJECT } from '@platen/proto/subjects.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { isSignedBy } from '@platen/test/harness/webhook-receiver.ts'
import { expect, test } from 'vitest'
import { CONCURRENCY_FAST, CONCURRENCY_SLOW } from '../../delivery/concurrency.ts'
import { recordOutcomes } from '../../delivery/record-outcomes.ts'
import { RETRY_GAPS_MS } from '../../delivery/schedule.ts'
import type { Outcome } from '../../delivery/send.ts'
import { takeDue } from '../../delivery/take-due.ts'
import { INTERVAL_FIRST_MS, INTERVAL_MAX_MS } from '../../delivery/throttle.ts'
import { type Withdrawal, withdraw } from '../../delivery/withdraw.ts'
import { DAY_MS, startTestWebhooks } from '../webhooks-world.ts'

test('a due delivery is attempted at once and has succeeded', async () => {
  proves('retry.first')
  const { startDelivering, deliver, waitForDelivery, readAttempts, clock } = await startTestWebhooks()
  const { id, secret, received } = await startDelivering(() => ({ status: 201, body: 'thank you' }))
  const body = '{"title":"Rechnung für Łukasz ✓"}'
  const [deliveryId] = await deliver(id, { body })
  const delivered = { attempts: 1, next_attempt_at: null, due_at: null, last_status_code: 201, last_error: null }
  const { event_id } = await waitForDelivery(deliveryId, {
    status: 'succeeded',
    delivered_at: clock.now(),
    ...delivered,
  })
  expect(received()).toMatchObject([{ body, headers: { 'webhook-id': event_id } }])
  expect(received().map((request) => isSignedBy(request, secret))).toEqual([true])
  expect(await readAttempts(deliveryId)).toMatchObject([
    { number: 1, trigger: 'scheduled', status_code: 201, error_class: null, response: 'thank you' },
  ])
})

test('deliveries of a suspended organization wait until it is resumed', async () => {
  proves('orgs.suspended.webhooks')
  const { world, tenant, startDelivering, makeEndpoint, deliver, waitForDelivery, readDelivery, stranger } =
    await startTestWebhooks()
  const { id, receiver } = await startDelivering()
  const setSuspended = async (isSuspended: boolean) => {
    await world.accounts.setSuspended({ organizationId: tenant.organizationId, isSuspended })
    await world.sweep('webhooks', 'suspended organizations')
  }
  await setSuspended(true)
  const [deliveryId] = await deliver(id)
  const other = await makeEndpoint({ url: `${receiver.url}/other` }, stranger)
  const [otherId] = await deliver(other.id)
  await waitForDelivery(otherId, { status: 'succeeded' })
  expect(await readDelivery(deliveryId)).toMatchObject({ status: 'pending', publications: 0 })
  await setSuspended(false)
  await waitForDelivery(deliveryId, { status: 'succeeded' })
})

test('attempts whose secret cannot be decrypted fail without a request and are retried by the schedule; other endpoints are served', async () => {
  proves('attempt.errorClass.secret')
  const { startDelivering, deliver, waitForDelivery, query, endpoints } = await startTestWebhooks()
  const broken = await startDelivering()
  const garble = () =>
    query(`UPDATE webhooks.secret SET encrypted = sha256(encrypted) WHERE endpoint_id = $1 AND expires_at IS NULL`, [
      broken.id,
    ])
  await garble()
  const [failing] = await deliver(broken.id, { count: CONCURRENCY_FAST + 1 })
  const healthy = await startDelivering()
  const [delivered] = await deliver(healthy.id)
  await waitForDelivery(delivered, { status: 'succeeded' })
  await waitForDelivery(failing, { status: 'pending', attempts: 1, last_error: 'secret' })
  expect(broken.received()).toEqual([])
  const { secret } = await endpoints.rotateSecret({ ...broken.key, graceSeconds: 60 })
  const [afterRotation] = await deliver(broken.id)
  await waitForDelivery(afterRotation, { status: 'succeeded' })
  expect(broken.received().map((request) => isSignedBy(request, secret))).toEqual([true])
})

test('8 attempts follow the schedule with the same id and bytes, then the delivery is `failed`', async () => {
  proves(
    'retry.schedule',
    'retry.jitter',
    'retry.last',
    'delivery.status.failed',
    'delivery.webhook-id.same',
    'delivery.body.same',
  )
  const { startDelivering, deliver, waitForDelivery, readAttempts, query, clock, world } = await startTestWebhooks()
  const { id, received } = await startDelivering(() => 500)
  const [deliveryId] = await deliver(id)
  for (const [n, gapMs] of RETRY_GAPS_MS.entries()) {
    const row = await waitForDelivery(deliveryId, { status: 'pending', attempts: n + 1, last_error: 'status' })
    const waitMs = Number(row.next_attempt_at) - clock.now().getTime()
    expect(row.due_at).toEqual(row.next_attempt_at)
    expect(waitMs).toBeGreaterThanOrEqual(gapMs * 0.9)
    expect(waitMs).toBeLessThanOrEqual(gapMs * 1.1)
    if (n < 2) {
      world.advance(waitMs - 1)
      expect(received()).toHaveLength(n + 1)
      world.advance(1)
    } else {
      // The clock of the other tests does not move by hours.
      await query('UPDATE webhooks.delivery SET due_at = $2 WHERE id = $1', [deliveryId, clock.now()])
      world.advance(0)
    }
  }
  const { event_id } = await waitForDelivery(deliveryId, { status: 'failed', attempts: 8, next_attempt_at: null })
  expect(new Set(received().map(({ body, headers }) => `${headers['webhook-id']} ${body}`))).toEqual(
    new Set([`${event_id} {"id":"${event_id}","type":"printjob.done"}`]),
  )
  const times = received().map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times).toEqual((await readAttempts(deliveryId)).map(({ at }) => Math.floor(at.getTime() / 1000)))
  expect(times).toHaveLength(8)
})

test('a gap begins at the end of the failed attempt', async () => {
  proves('retry.from-end')
  const { startDelivering, deliver, waitForDelivery, readAttempts, world, clock } = await startTestWebhooks()
  const { id } = await startDelivering(() => {
    // Shorter than a lease.
    world.clock.advance(30_000)
    return 500
  })
  const beganAt = clock.now().getTime()
  const [deliveryId] = await deliver(id)
  const { next_attempt_at } = await waitForDelivery(deliveryId, { attempts: 1 })
  expect((await readAttempts(deliveryId)).map(({ at }) => at.getTime())).toEqual([beganAt])
  expect(next_attempt_at?.getTime()).toBeGreaterThanOrEqual(beganAt + 30_000 + 4_500)
})

test('`Retry-After` extends the gap to the next attempt; a 410 ends the retries and leaves the endpoint enabled', async () => {
  proves('attempt.retry-after.longer', 'attempt.410.ends', 'attempt.410.enabled')
  const { startDelivering, deliver, waitForDelivery, readHealth, clock } = await startTestWebhooks()
  const { id, receiver } = await startDelivering(() => ({ status: 500, headers: { 'retry-after': '8' } }))
  const next_attempt_at = new Date(clock.now().getTime() + 8_000)
  await waitForDelivery((await deliver(id))[0], { attempts: 1, next_attempt_at })
  receiver.answerBy(() => 410)
  await waitForDelivery((await deliver(id))[0], { status: 'failed', attempts: 1, next_attempt_at: null })
  expect(await readHealth(id)).toMatchObject({ enabled: true })
})

test('a throttled attempt is shown and uses no step of the schedule; nothing else is sent to the endpoint until `Retry-After`', async () => {
  proves('attempt.throttled.unused', 'attempt.throttled.paused')
  const { startDelivering, deliver, waitForDelivery, readAttempts, readDelivery, query, clock, world, webhooks } =
    await startTestWebhooks()
  for (const status of [429, 503]) {
    const { id, receiver, received } = await startDelivering(() => ({ status, headers: { 'retry-after': '60' } }))
    const [throttled] = await deliver(id)
    const row = await waitForDelivery(throttled, { status: 'pending', attempts: 1, last_status_code: status })
    expect(row).toMatchObject({ retries: 0, next_attempt_at: new Date(clock.now().getTime() + 60_000) })
    expect(await query('SELECT concurrency FROM webhooks.endpoint WHERE id = $1', [id])).toEqual([
      { concurrency: CONCURRENCY_FAST },
    ])
    receiver.answerBy(() => 204)
    world.advance(59_999)
    const [waiting] = await deliver(id)
    const other = await startDelivering()
    await waitForDelivery((await deliver(other.id))[0], { status: 'succeeded' })
    expect(await readDelivery(waiting)).toMatchObject({ publications: 0 })
    world.advance(1)
    webhooks.deliveriesAdded([id])
    await waitForDelivery(waiting, { status: 'succeeded', attempts: 1 })
    world.advance(60_000)
    await waitForDelivery(throttled, { status: 'succeeded', attempts: 2 })
    expect((await readAttempts(throttled)).map(({ status_code }) => status_code)).toEqual([status, 204])
    expect(received()).toHaveLength(3)
  }
})

test('a 503 without `Retry-After` uses the schedule and pauses nothing', async () => {
  const { startDelivering, deliver, waitForDelivery } = await startTestWebhooks()
  const { id } = await startDelivering((_, earlier) => (earlier === 0 ? 503 : 204))
  const [first] = await deliver(id)
  await waitForDelivery(first, { attempts: 1, retries: 1 })
  await waitForDelivery((await deliver(id))[0], { attempts: 1, retries: 1 })
})

test('an endpoint that answers again gets the waiting deliveries before their schedule, each at another time; a further failure uses no step', async () => {
  proves('retry.resumed')
  const { startDelivering, deliver, waitForDelivery, readDelivery, world, clock } = await startTestWebhooks()
  const { id, receiver } = await startDelivering(() => 500)
  const failed = await deliver(id, { count: 3 })
  for (const each of failed) await waitForDelivery(each, { attempts: 1 })
  world.advance(6_000)
  for (const each of failed) await waitForDelivery(each, { attempts: 2, retries: 2 })
  const { next_attempt_at: scheduledAt } = await readDelivery(failed[0])
  world.advance(30_000)
  receiver.answerBy(() => 204)
  await waitForDelivery((await deliver(id))[0], { status: 'succeeded' })
  // The statement after the one that records the success.
  await waitFor(async () => {
    const resumed = await Promise.all(failed.map(readDelivery))
    const afterMs = resumed.map(({ next_attempt_at: at }) => Number(at) - clock.now().getTime())
    expect(afterMs.toSorted((a, b) => a - b)).toEqual([250, 353, 433])
  })
  receiver.answerBy(({ headers }) => (headers['webhook-id'] === firstEvent ? 500 : 204))
  const { event_id: firstEvent } = await readDelivery(failed[0])
  world.advance(500)
  await waitForDelivery(failed[0], { attempts: 3, retries: 2, next_attempt_at: scheduledAt, due_at: scheduledAt })
  for (const each of failed.slice(1)) await waitForDelivery(each, { status: 'succeeded', attempts: 3 })
})

test('an endpoint that is not reached is tried with one delivery before its schedule, at times that grow with its age', async () => {
  proves('retry.probed')
  const { startDelivering, deliver, waitForDelivery, readDelivery, world, clock } = await startTestWebhooks()
  const { id, receiver } = await startDelivering(() => 'close')
  const [first, ...others] = await deliver(id, { count: 2 })
  const [other = ''] = others
  for (const each of [first, other]) await waitForDelivery(each, { attempts: 1 })
  world.advance(6_000)
  for (const each of [first, other]) await waitForDelivery(each, { attempts: 2 })
  const readCount = async () => (await readDelivery(first)).attempts + (await readDelivery(other)).attempts
  world.advance(9_000)
  await world.sweep('webhooks', 'failing')
  const waiting = await Promise.all([first, other].map(readDelivery))
  expect(waiting.filter(({ next_attempt_at: at }) => at <= clock.now())).toEqual([])
  world.advance(1_100)
  await world.sweep('webhooks', 'failing')
  await waitFor(async () => expect(await readCount()).toBe(5))
  // A quarter of its age has not passed yet.
  await world.sweep('webhooks', 'failing')
  receiver.answerBy(() => 204)
  world.advance(10_100)
  await world.sweep('webhooks', 'failing')
  await waitFor(async () => expect(await readCount()).toBe(6))
  world.advance(1_000)
  for (const each of [first, other]) await waitForDelivery(each, { status: 'succeeded' })
  expect(await readCount()).toBe(7)
})

test('each attempt uses the present URL and the secrets that are valid then', async () => {
  proves('attempt.present-url', 'attempt.present-secrets')
  const { startDelivering, deliver, waitForDelivery, endpoints, world } = await startTestWebhooks()
  const { id, key, secret, url, receiver } = await startDelivering(({ path }) => (path.endsWith('/new') ? 204 : 500))
  const [deliveryId] = await deliver(id)
  await waitForDelivery(deliveryId, { attempts: 1 })
  await endpoints.updateEndpoint({ ...key, url: `${url}/new` })
  const rotated = await endpoints.rotateSecret({ ...key, graceSeconds: 60 })
  world.advance(6_000)
  await waitForDelivery(deliveryId, { status: 'succeeded', attempts: 2 })
  const requests = receiver.received.filter(({ path }) => path.endsWith('/new'))
  expect(requests).toHaveLength(1)
  expect(requests[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
  for (const valid of [secret, rotated.secret])
    expect(requests.map((request) => isSignedBy(request, valid))).toEqual([true])
})

test('`failingSince` is the end of the first failed attempt after a success, until the next success; the failure and the next attempt are shown', async () => {
  proves('failing.set', 'failing.kept', 'failing.cleared')
  const testing = await startTestWebhooks()
  const { startDelivering, deliver, waitForDelivery, readHealth, endpoints, tenant, query, world, clock } = testing
  const { makeEndpoint, addDeliveries } = testing
  const { id, key, endpoint, receiver } = await startDelivering(() => 500)
  const attempt = async () => {
    const [deliveryId] = await deliver(id)
    await waitForDelivery(deliveryId, { attempts: 1 })
    return (await readHealth(id))?.failing_since
  }
  const first = clock.now()
  expect(await attempt()).toEqual(first)
  world.advance(1_000)
  receiver.answerBy(() => 302)
  expect(await attempt()).toEqual(first)
  const soon = new Date(clock.now().getTime() + 1)
  await addDeliveries((await makeEndpoint()).id, { status: 'pending', nextAttemptAt: soon })
  const { endpoint: failing } = await endpoints.getEndpoint(key)
  expect(failing).toMatchObject({ lastStatusCode: 302, lastError: 'redirect' })
  const [next] = await query('SELECT min(next_attempt_at) AS at FROM webhooks.delivery WHERE endpoint_id = $1', [id])
  expect(failing?.nextAttemptAt && timestampDate(failing.nextAttemptAt)).toEqual(next?.at)
  expect((await endpoints.listEndpoints({ ...tenant, page: { limit: 2 } })).endpoints).toContainEqual(failing)
  receiver.answerBy(() => 200)
  expect(await attempt()).toBeNull()
  expect((await endpoints.getEndpoint(key)).endpoint).toEqual(endpoint)
})

test('an endpoint that has failed for 5 days is disabled by its next failed attempt', async () => {
  proves('failing.5-days')
  const { startDelivering, deliver, waitForDelivery, readHealth, query, clock } = await startTestWebhooks()
  const { id } = await startDelivering(() => 500)
  await query('UPDATE webhooks.endpoint SET failing_since = $2 WHERE id = $1', [
    id,
    new Date(clock.now().getTime() - 5 * DAY_MS),
  ])
  const [deliveryId] = await deliver(id)
  await waitForDelivery(deliveryId, { attempts: 1, status: 'missed' })
  expect(await readHealth(id)).toMatchObject({ enabled: false, disabled_reason: 'failures' })
})

test('a due delivery of a disabled endpoint becomes `missed`, and one of a deleted endpoint is deleted', async () => {
  const { startDelivering, addDeliveries, deliver, waitForDelivery, query, webhooks } = await startTestWebhooks()
  const { id, received } = await startDelivering()
  const deleted = await startDelivering()
  // Without the changes of `disableEndpoint`, as for a delivery that is added at the same moment.
  await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'user' WHERE id = $1`, [id])
  const [orphan = ''] = await addDeliveries(deleted.id, { status: 'pending', nextAttemptAt: new Date(8.64e15) })
  await query('DELETE FROM webhooks.endpoint WHERE id = $1', [deleted.id])
  await query('UPDATE webhooks.delivery SET due_at = created_at WHERE id = $1', [orphan])
  webhooks.deliveriesAdded([deleted.id])
  const [missed] = await deliver(id)
  await waitForDelivery(missed, { status: 'missed', attempts: 0, due_at: null })
  await waitFor(async () => expect(await query('SELECT FROM webhooks.delivery WHERE id = $1', [orphan])).toEqual([]))
  expect([received(), deleted.received()]).toEqual([[], []])
})

test('a replay has the id and the bytes of the first attempt, and its own time', async () => {
  proves('delivery.webhook-id.same', 'delivery.body.same')
  const { startDelivering, deliver, deliveries, waitForDelivery, world } = await startTestWebhooks()
  const { id, key, received } = await startDelivering()
  const [deliveryId] = await deliver(id)
  await waitForDelivery(deliveryId, { status: 'succeeded' })
  world.advance(60_000)
  await deliveries.replayDelivery({ ...key, deliveryId })
  await waitForDelivery(deliveryId, { status: 'succeeded', attempts: 2 })
  const [first, replay] = received()
  expect([replay?.body, replay?.headers['webhook-id']]).toEqual([first?.body, first?.headers['webhook-id']])
  expect(Number(replay?.headers['webhook-timestamp'])).toBe(Number(first?.headers['webhook-timestamp']) + 60)
})

test('the outcome of an attempt whose delivery was replayed meanwhile is recorded, and the replay decides', async () => {
  const { startDelivering, deliver, deliveries, waitForDelivery, readAttempts, query, clock } =
    await startTestWebhooks()
  const { id, key, received } = await startDelivering(async (_, earlier) => {
    if (earlier > 0) return 204
    // Past the lease that keeps a replay from a delivery whose attempt is in progress.
    await query('UPDATE webhooks.delivery SET next_attempt_at = $2 WHERE endpoint_id = $1', [
      id,
      new Date(clock.now().getTime() + 1),
    ])
    await deliveries.replayDelivery({ ...key, deliveryId: (await added)[0] })
    return 500
  })
  const added = deliver(id)
  const [deliveryId] = await added
  await waitForDelivery(deliveryId, { attempts: 2, status: 'succeeded' })
  expect(await readAttempts(deliveryId)).toMatchObject([{ trigger: 'scheduled' }, { trigger: 'replay' }])
  expect(received()).toHaveLength(2)
})

test.each([
  ['failure', 'timeout'],
  ['success', null],
] as const)(
  'a late %s of an attempt that another publication has overtaken is recorded, and changes nothing else',
  async (_, errorClass) => {
    const { makeEndpoint, addDeliveries, readDelivery, readAttempts, query, clock, webhooks } =
      await startTestWebhooks()
    const { id: endpointId } = await makeEndpoint()
    const tomorrow = new Date(clock.now().getTime() + DAY_MS)
    const [deliveryId = ''] = await addDeliveries(endpointId, { status: 'pending', nextAttemptAt: tomorrow })
    await query('UPDATE webhooks.delivery SET publications = 2 WHERE id = $1', [deliveryId])
    const before = await readDelivery(deliveryId)
    const shown = { statusCode: errorClass ? null : 204, errorClass, response: null }
    const outcome = { ...shown, at: clock.now(), endedAt: clock.now(), durationMs: 5 } as Outcome
    const endpoint = { failingSince: null, rate: { sendIntervalMs: null, throttledAt: null } }
    const next = { retries: 1, throttledSince: null, scheduledAt: null, nextAttemptAt: null }
    const ended = { deliveryId, endpointId, endpoint, trigger: 'scheduled', outcome, shown, ...next } as const
    await recordOutcomes(webhooks.pool, [{ ...ended, publication: 1 }])
    const { attempts, last_status_code, last_error, ...after } = await readDelivery(deliveryId)
    expect(before).toMatchObject(after)
    expect([attempts, last_status_code, last_error]).toEqual([1, shown.statusCode, errorClass])
    expect(await readAttempts(deliveryId)).toMatchObject([{ number: 1, error_class: errorClass }])
    await recordOutcomes(webhooks.pool, [{ ...ended, publication: 2 }])
    expect(await readDelivery(deliveryId)).toMatchObject({
      ...{ status: errorClass ? 'failed' : 'succeeded', attempts: 2, publications: 3 },
      ...{ next_attempt_at: null, due_at: null, delivered_at: errorClass ? null : clock.now() },
    })
  },
)

/** An attempt that ended now, of the first publication of a pending delivery. */
async function startRecording() {
  const testing = await startTestWebhooks()
  const { clock, webhooks, query } = testing
  const { id: endpointId, key } = await testing.makeEndpoint()
  const nextAttemptAt = new Date(clock.now().getTime() + DAY_MS)
  const [deliveryId = ''] = await testing.addDeliveries(endpointId, { status: 'pending', nextAttemptAt })
  const shown = { statusCode: 429, errorClass: 'status', response: null } as const
  const next = { retries: 1, throttledSince: null, scheduledAt: null, nextAttemptAt }
  return {
    ...testing,
    key,
    deliveryId,
    async record(isThrottled: boolean, statusCode = 429) {
      const result = { ...shown, statusCode, errorClass: statusCode < 300 ? null : shown.errorClass }
      const outcome = { ...result, at: clock.now(), endedAt: clock.now(), durationMs: 5, isThrottled } as Outcome
      const endpoint = { failingSince: null, rate: { sendIntervalMs: null, throttledAt: null } }
      const ended = {
        deliveryId,
        endpointId,
        endpoint,
        publication: 0,
        trigger: 'scheduled',
        outcome,
        ...next,
      } as const
      await recordOutcomes(webhooks.pool, [{ ...ended, shown: result }])
    },
    readEndpoint: async () => (await query('SELECT *, xmin FROM webhooks.endpoint WHERE id = $1', [endpointId]))[0],
    setEndpoint: (changes: string) => query(`UPDATE webhooks.endpoint SET ${changes} WHERE id = $1`, [endpointId]),
  }
}

test(`an endpoint that throttles gets a delivery in ${INTERVAL_MAX_MS / 1000} s at least, and no other endpoint is limited`, async () => {
  const { record, readEndpoint, setEndpoint, makeEndpoint, endpoints } = await startRecording()
  const other = await makeEndpoint()
  await record(true)
  expect(await readEndpoint()).toMatchObject({ send_interval_ms: INTERVAL_FIRST_MS })
  await setEndpoint(`send_interval_ms = ${INTERVAL_MAX_MS - 1}, throttled_at = NULL`)
  await record(true)
  expect(await readEndpoint()).toMatchObject({ send_interval_ms: INTERVAL_MAX_MS })
  expect((await endpoints.getEndpoint(other.key)).endpoint).toEqual(other.endpoint)
})

test('the interval of an endpoint is changed neither by a failure that does not throttle nor by attempts that began before it', async () => {
  const { record, readEndpoint, setEndpoint } = await startRecording()
  await setEndpoint('send_interval_ms = 1000')
  await record(false)
  expect(await readEndpoint()).toMatchObject({ send_interval_ms: 1_000 })
  await setEndpoint("throttled_at = '2026-01-01'")
  await record(true)
  expect(await readEndpoint()).toMatchObject({ send_interval_ms: 1_000 })
})

test('an attempt writes its endpoint only if it changes it, for example the last failure', async () => {
  const { record, readEndpoint } = await startRecording()
  for (const statusCode of [404, 410]) {
    await record(false, statusCode)
    expect(await readEndpoint()).toMatchObject({ last_status_code: statusCode })
  }
  const before = await readEndpoint()
  await record(false, 410)
  expect(await readEndpoint()).toEqual(before)
})

test('a failed attempt that ends after its endpoint was disabled is recorded and does not change the endpoint; a success does', async () => {
  const { record, readEndpoint, endpoints, key, deliveryId, readAttempts } = await startRecording()
  await record(false)
  await endpoints.updateEndpoint({ ...key, enabled: false })
  const before = await readEndpoint()
  await record(false, 500)
  expect(await readAttempts(deliveryId)).toHaveLength(2)
  expect(await readEndpoint()).toEqual(before)
  await record(false, 204)
  expect(await readEndpoint()).toMatchObject({ enabled: false, failing_since: null })
})

const withdrawals: [Withdrawal, string][] = [
  ['delete', 'DELETE FROM webhooks.endpoint'],
  ['missed', 'UPDATE webhooks.endpoint SET enabled = false'],
  ['failed', 'UPDATE webhooks.endpoint SET description = NULL'],
]
test.each(withdrawals)('a withdrawal by `%s` ends one delivery', async (withdrawal, change) => {
  const { makeEndpoint, addDeliveries, query, clock, webhooks, readStatuses } = await startTestWebhooks()
  const { id } = await makeEndpoint()
  const nextAttemptAt = new Date(clock.now().getTime() + DAY_MS)
  const [deliveryId = ''] = await addDeliveries(id, { count: 2, status: 'pending', nextAttemptAt })
  await query(`${change} WHERE id = $1`, [id])
  await withdraw(webhooks.pool, deliveryId, withdrawal)
  expect(await readStatuses(id)).toEqual(withdrawal === 'delete' ? ['pending'] : [withdrawal, 'pending'].toSorted())
})

test('a withdrawal changes no delivery that has ended, or whose endpoint is present or enabled', async () => {
  const { makeEndpoint, addDeliveries, clock, webhooks, readStatuses } = await startTestWebhooks()
  const { id } = await makeEndpoint()
  const nextAttemptAt = new Date(clock.now().getTime() + DAY_MS)
  const [pending = ''] = await addDeliveries(id, { status: 'pending', nextAttemptAt })
  const [succeeded = ''] = await addDeliveries(id, { status: 'succeeded' })
  await makeEndpoint()
  await withdraw(webhooks.pool, pending, 'delete')
  await withdraw(webhooks.pool, pending, 'missed')
  await withdraw(webhooks.pool, succeeded, 'failed')
  expect(await readStatuses(id)).toEqual(['pending', 'succeeded'])
})

test('only deliveries of the requested endpoints are taken; one whose attempt is being recorded is left out and delays no other', async () => {
  const { makeEndpoint, addDeliveries, hold, clock, webhooks } = await startTestWebhooks()
  const [{ id }, { id: otherId }] = [await makeEndpoint(), await makeEndpoint()]
  const nextAttemptAt = new Date(clock.now().getTime() + DAY_MS)
  const [recorded, other] = await addDeliveries(id, { count: 2, status: 'pending', nextAttemptAt })
  const commit = await hold('SELECT FROM webhooks.delivery WHERE id = $1 FOR UPDATE', [recorded])
  const later = { ...webhooks, clock: createTestClock(nextAttemptAt) }
  const take = async (endpointId: string) => (await takeDue(later, [endpointId], 1_000)).map((taken) => taken.id)
  expect(await take(id)).toEqual([other])
  await commit()
  expect(await take(otherId)).toEqual([])
  expect(await take(id)).toEqual([recorded])
})

test('a message that is redelivered after its attempt was recorded makes no other attempt', async () => {
  const { startDelivering, deliver, waitForDelivery, readAttempts, world } = await startTestWebhooks()
  const { id, received } = await startDelivering(() => 500)
  const [deliveryId] = await deliver(id)
  await waitForDelivery(deliveryId, { status: 'pending', attempts: 1 })
  const { jetstream, manager } = world.nats
  await jetstream.publish(WEBHOOK_ATTEMPTS_SUBJECT, JSON.stringify({ deliveryId, publication: 1 }))
  await waitFor(async () => expect((await manager.streams.info(WEBHOOK_ATTEMPTS_STREAM.name)).state.messages).toBe(0))
  expect(received()).toHaveLength(1)
  expect(await readAttempts(deliveryId)).toHaveLength(1)
})

test('an endpoint has at most 32 attempts in progress unless it answers within 50 ms, and 1 after it was not reached; each answer doubles that', async () => {
  const { startDelivering, deliver, waitForDelivery, query } = await startTestWebhooks()
  const { id, receiver, received } = await startDelivering(() => 'close')
  const readConcurrency = async () =>
    (await query('SELECT concurrency FROM webhooks.endpoint WHERE id = $1', [id]))[0]?.concurrency
  expect(await readConcurrency()).toBe(CONCURRENCY_FAST)
  await waitForDelivery((await deliver(id))[0], { attempts: 1, last_error: 'connect' })
  expect(await readConcurrency()).toBe(1)
  receiver.answerBy((_, earlier) => ({ status: earlier === 0 ? 500 : 204, delayMs: 60 }))
  for (const concurrency of [2, 4, 8, 16, CONCURRENCY_FAST, CONCURRENCY_FAST]) {
    await waitForDelivery((await deliver(id))[0], { attempts: 1 })
    expect(await readConcurrency()).toBe(concurrency)
  }
  const before = received().length
  receiver.answerBy(() => 'never')
  await deliver(id, { count: 100 })
  await waitFor(() => expect(received()).toHaveLength(before + CONCURRENCY_FAST))
})

test('deliveries above the concurrency of an endpoint use no attempt, and are delivered when the endpoint answers again', async () => {
  const { startDelivering, deliver, waitForDelivery, query } = await startTestWebhooks()
  const answer = Promise.withResolvers<number>()
  const { id, received } = await startDelivering(() => answer.promise)
  const ids = await deliver(id, { count: CONCURRENCY_FAST + 50 })
  await waitFor(() => expect(received()).toHaveLength(CONCURRENCY_FAST))
  const waiting = 'SELECT FROM webhooks.delivery WHERE endpoint_id = $1 AND publications = 0 AND attempts = 0'
  expect(await query(waiting, [id])).toHaveLength(50)
  answer.resolve(204)
  for (const each of ids) await waitForDelivery(each, { status: 'succeeded', attempts: 1 })
  expect(received()).toHaveLength(ids.length)
})

test('endpoints that never answer or are slow delay no other endpoint', async () => {
  const { startDelivering, deliver, waitForDelivery, readAttempts, query } = await startTestWebhooks()
  const silent = [await startDelivering(() => 'never'), await startDelivering(() => 'never')]
  await query('UPDATE webhooks.endpoint SET concurrency = $2 WHERE id = $1', [silent[1]?.id, CONCURRENCY_SLOW])
  for (const { id } of silent) await deliver(id, { count: 1_000 })
  await waitFor(() =>
    expect(silent.map(({ received }) => received().length)).toEqual([CONCURRENCY_FAST, CONCURRENCY_SLOW]),
  )
  const fast = await startDelivering()
  for (const id of await deliver(fast.id, { count: 100 })) {
    await waitForDelivery(id, { status: 'succeeded' })
    expect(await readAttempts(id)).toMatchObject([{ error_class: null }])
  }
})
