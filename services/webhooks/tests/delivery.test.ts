import { CERTIFICATE, CERTIFICATE_KEY } from '@platen/runtime/tests/certificate.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { type Script, startWebhookReceiver, verify } from '@platen/test/harness/webhook-receiver.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  addDelivery,
  addEndpoint,
  addSecret,
  failingSince,
  newSecret,
  readAttempts,
  readDelivery,
} from './delivery-rows.ts'
import { startDelivering } from './start-delivering.ts'

test('a delivery that is due goes out at once, signed by Standard Webhooks, and has succeeded by any 2xx', async () => {
  const { webhooks, endpoint, received } = await startDelivering({
    script: () => ({ status: 299, body: 'thank you', headers: { 'content-type': 'text/plain' } }),
  })

  const { id, eventId, body } = await addDelivery(webhooks, endpoint)

  await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'succeeded' }))
  expect(received).toHaveLength(1)
  const [request] = received
  if (!request) throw new Error('nothing came')
  expect(request.path).toBe('/hook?token=1')
  expect(request.body).toBe(body)
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(webhooks.clock.now().getTime() / 1000)),
  })
  expect(request.headers['user-agent']).toMatch(/^Platen-Webhooks\/\d/)
  expect(verify(request, endpoint.secret)).toEqual(JSON.parse(body))
  expect(await readDelivery(webhooks, id)).toMatchObject({
    attempts: 1,
    next_attempt_at: null,
    due_at: null,
    last_status_code: 299,
    last_error: null,
    delivered_at: webhooks.clock.now(),
  })
  expect(await readAttempts(webhooks, id)).toMatchObject([
    { number: 1, trigger: 'scheduled', status_code: 299, error_class: null, response: 'thank you' },
  ])
})

test('all 8 attempts come at their times, with the same id and bytes, and then the delivery is failed', async () => {
  const { webhooks, endpoint, received } = await startDelivering({ script: () => 500 })
  const gaps = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
  const { id, eventId, body } = await addDelivery(webhooks, endpoint)
  const startedAt = webhooks.clock.now().getTime()

  for (const [n, gap] of gaps.entries()) {
    const next = await waitFor(async () => {
      const row = await readDelivery(webhooks, id)
      expect(row).toMatchObject({ status: 'pending', attempts: n + 1, last_status_code: 500, last_error: 'status' })
      return row.next_attempt_at?.getTime() ?? Number.NaN
    })
    const waitMs = next - webhooks.clock.now().getTime()
    expect(waitMs).toBeGreaterThanOrEqual(gap * 900)
    expect(waitMs).toBeLessThanOrEqual(gap * 1100)
    webhooks.clock.advanceSeconds(waitMs / 1000)
  }

  await waitFor(async () =>
    expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'failed', attempts: 8, next_attempt_at: null }),
  )
  const hours = (webhooks.clock.now().getTime() - startedAt) / 3_600_000
  expect(hours).toBeGreaterThan(27.59 * 0.9)
  expect(hours).toBeLessThan(27.59 * 1.1)
  expect(received).toHaveLength(8)
  for (const request of received) {
    expect(request.body).toBe(body)
    expect(request.headers['webhook-id']).toBe(eventId)
  }
  const times = received.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(times).toEqual((await readAttempts(webhooks, id)).map(({ at }) => Math.floor(at.getTime() / 1000)))
})

describe('an attempt has failed, as its class says, when the endpoint', () => {
  test.each<[string, ReturnType<Script>, object]>([
    ['answers 400', { status: 400, body: 'no' }, { status_code: 400, error_class: 'status', response: 'no' }],
    ['answers 503', 503, { status_code: 503, error_class: 'status' }],
    [
      'redirects, which is not followed',
      { status: 307, headers: { location: '/other' } },
      { status_code: 307, error_class: 'redirect' },
    ],
    ['closes the connection', 'close', { status_code: null, error_class: 'connect', response: null }],
    ['does not answer in time', 'never', { status_code: null, error_class: 'timeout', response: null }],
  ])('%s', async (_what, answer, attempt) => {
    const { webhooks, endpoint, received } = await startDelivering({
      script: () => answer,
      settings: { webhookTimeoutMs: 5_000 },
    })
    const { id } = await addDelivery(webhooks, endpoint)
    await waitFor(async () =>
      expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'pending', attempts: 1 }),
    )
    expect(await readAttempts(webhooks, id)).toMatchObject([attempt])
    expect(received).toHaveLength(1)
  })
})

test('410 ends the retries of its delivery and leaves the endpoint enabled', async () => {
  const { webhooks, endpoint } = await startDelivering({ script: () => 410 })
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'failed', attempts: 1 }))
  expect(await webhooks.query('SELECT enabled FROM webhooks.endpoint')).toEqual([{ enabled: true }])
})

test('each attempt uses the present URL and secrets, and those of a rotation until they expire', async () => {
  const { webhooks, endpoint, receiver } = await startDelivering({
    script: ({ path }) => (path === '/new' ? 204 : 500),
  })
  const { clock, query } = webhooks
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 1 }))

  const secret = newSecret()
  await query('UPDATE webhooks.secret SET expires_at = $1', [new Date(clock.now().getTime() + 60_000)])
  await addSecret(webhooks, endpoint.id, secret)
  await query('UPDATE webhooks.endpoint SET url = $1', [`${receiver.url}/new`])
  clock.advanceSeconds(6)
  await waitFor(() => expect(receiver.at('/new')).toHaveLength(1))
  const [rotated] = receiver.at('/new')
  if (!rotated) throw new Error('nothing came')
  expect(rotated.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
  verify(rotated, endpoint.secret)
  verify(rotated, secret)
  // Else its lease ends before its outcome is recorded, and it comes again.
  await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'succeeded' }))

  clock.advanceSeconds(60)
  await addDelivery(webhooks, endpoint)
  await waitFor(() => expect(receiver.at('/new')).toHaveLength(2))
  const [, later] = receiver.at('/new')
  expect(later?.headers['webhook-signature']).toMatch(/^v1,\S+$/)
  if (later) verify(later, secret)
})

test('`failing_since` is the end of the first failed attempt after a success, until the next success', async () => {
  let status = 500
  const { webhooks, endpoint } = await startDelivering({ script: () => status })
  const attempted = async () => {
    const { id } = await addDelivery(webhooks, endpoint)
    await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 1 }))
    return await failingSince(webhooks, endpoint.id)
  }
  const first = webhooks.clock.now()
  expect(await attempted()).toEqual(first)
  webhooks.clock.advanceSeconds(1)
  expect(await attempted()).toEqual(first)
  status = 200
  expect(await attempted()).toBeNull()
})

describe('an attempt has failed without a request when the endpoint', () => {
  test.each<[string, object, string, string, string]>([
    ['is at a private address', { allowed: [] }, 'http://127.0.0.1:1/', 'test', 'blocked_address'],
    ['has no address', { resolve: async () => [] }, 'http://nowhere.example/', 'test', 'dns'],
    ['has a URL without TLS in live mode', {}, 'http://127.0.0.1:1/', 'live', 'blocked_address'],
    ['refuses the connection', {}, 'http://127.0.0.1:1/', 'test', 'connect'],
  ])('%s', async (_what, network, url, mode, errorClass) => {
    const { webhooks } = await startDelivering({ network })
    const { id } = await addDelivery(webhooks, await addEndpoint(webhooks, { url, mode }))
    await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 1 }))
    expect(await readAttempts(webhooks, id)).toMatchObject([{ status_code: null, error_class: errorClass }])
  })

  test('has a certificate that nobody vouches for', async () => {
    const { webhooks } = await startDelivering()
    const receiver = await startWebhookReceiver({ tls: { key: CERTIFICATE_KEY, cert: CERTIFICATE } })
    onTestFinished(() => receiver.stop())
    const endpoint = await addEndpoint(webhooks, { url: receiver.url, mode: 'live' })
    const { id } = await addDelivery(webhooks, endpoint)
    await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 1 }))
    expect(await readAttempts(webhooks, id)).toMatchObject([{ error_class: 'tls' }])
    expect(receiver.received).toEqual([])
  })
})

test('a receiver that answers after 14 s has received, and one that has not answered after 15 s has not', async () => {
  const { webhooks, receiver } = await startDelivering({
    script: ({ path }) => ({ status: 200, delayMs: path === '/in-time' ? 14_000 : 16_000 }),
  })
  const deliver = async (path: string) =>
    await addDelivery(webhooks, await addEndpoint(webhooks, { url: receiver.url + path }))
  const [inTime, late] = [await deliver('/in-time'), await deliver('/late')]
  await waitFor(async () => expect(await readDelivery(webhooks, late.id)).toMatchObject({ attempts: 1 }), 40_000)
  await waitFor(async () => expect(await readDelivery(webhooks, inTime.id)).toMatchObject({ attempts: 1 }))
  expect(await readDelivery(webhooks, inTime.id)).toMatchObject({ status: 'succeeded' })
  const [attempt] = await readAttempts(webhooks, late.id)
  expect(attempt).toMatchObject({ error_class: 'timeout', status_code: null })
  expect(attempt?.duration_ms).toBeGreaterThanOrEqual(14_990)
  // As soon as a busy machine gets to it.
  expect(attempt?.duration_ms).toBeLessThan(21_000)
}, 90_000)

test.each([
  ['lengthens the gap', '8', 8_000, 8_000],
  ['lengthens it up to twice', '3600', 9_000, 11_000],
  ['does not shorten it', '1', 4_500, 5_500],
])('`Retry-After` %s', async (_what, seconds, fromMs, toMs) => {
  const { webhooks, endpoint } = await startDelivering({
    script: () => ({ status: 503, headers: { 'retry-after': seconds } }),
  })
  const { id } = await addDelivery(webhooks, endpoint)
  const next = await waitFor(async () => {
    const row = await readDelivery(webhooks, id)
    expect(row.attempts).toBe(1)
    return row.next_attempt_at?.getTime() ?? Number.NaN
  })
  const waitMs = next - webhooks.clock.now().getTime()
  expect(waitMs).toBeGreaterThanOrEqual(fromMs)
  expect(waitMs).toBeLessThanOrEqual(toMs)
})

test('a gap is counted from the end of the failed attempt', async () => {
  const { webhooks, endpoint } = await startDelivering({
    settings: { webhookLeaseMs: 3_600_000 },
    script: () => {
      // Ten minutes pass while the receiver thinks.
      webhooks.clock.advanceSeconds(600)
      return 500
    },
  })
  const begun = webhooks.clock.now().getTime()
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(async () => expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 1 }))
  const [attempt] = await readAttempts(webhooks, id)
  expect(attempt?.at.getTime()).toBe(begun)
  const { next_attempt_at: next } = await readDelivery(webhooks, id)
  expect(next?.getTime()).toBeGreaterThanOrEqual(begun + 604_500)
})

test('what is pending at an endpoint that was disabled becomes missed, and at one that was deleted goes away', async () => {
  const { webhooks, endpoint, receiver, received } = await startDelivering({ script: () => 500 })
  const other = await addEndpoint(webhooks, { url: `${receiver.url}/other` })
  const [disabled, deleted] = [await addDelivery(webhooks, endpoint), await addDelivery(webhooks, other)]
  await waitFor(() => expect(received).toHaveLength(2))
  await waitFor(async () => expect(await readDelivery(webhooks, deleted.id)).toMatchObject({ attempts: 1 }))
  // Without a word to the deliveries, as when they were made at that moment.
  await webhooks.query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'user' WHERE id = $1`, [
    endpoint.id,
  ])
  await webhooks.query('DELETE FROM webhooks.endpoint WHERE id = $1', [other.id])
  webhooks.clock.advanceSeconds(6)
  await waitFor(async () =>
    expect(await readDelivery(webhooks, disabled.id)).toMatchObject({ status: 'missed', attempts: 1, due_at: null }),
  )
  await waitFor(async () => expect(await webhooks.query('SELECT FROM webhooks.delivery')).toHaveLength(1))
  expect(received).toHaveLength(2)
})

test('a replay has the id and the bytes of the first attempt, and the time of its own', async () => {
  const { webhooks, endpoint, received } = await startDelivering()
  const { id: deliveryId } = await addDelivery(webhooks, endpoint)
  await waitFor(async () => expect(await readDelivery(webhooks, deliveryId)).toMatchObject({ status: 'succeeded' }))
  webhooks.clock.advanceSeconds(3_600)

  const { id: endpointId, organizationId, mode } = endpoint
  await webhooks.deliveries.replayDelivery({ organizationId, mode, endpointId, deliveryId })

  await waitFor(() => expect(received).toHaveLength(2))
  const [first, replay] = received
  expect(replay?.body).toBe(first?.body)
  expect(replay?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(Number(replay?.headers['webhook-timestamp'])).toBe(Number(first?.headers['webhook-timestamp']) + 3_600)
  // The test's clock stands an hour ahead of the library's.
  expect(replay?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
})

test('an endpoint that has been failing for 5 days is disabled by the next attempt that fails', async () => {
  const { webhooks, receiver, endpoint } = await startDelivering()
  let stopped: Promise<void> | undefined
  // Not before the attempt is under way, which the service still brings to its end when nothing sweeps any more.
  receiver.answerBy(async () => {
    stopped = webhooks.first.stop()
    const failingSince = new Date(webhooks.clock.now().getTime() - 5 * 24 * 60 * 60 * 1000)
    await webhooks.query('UPDATE webhooks.endpoint SET failing_since = $1', [failingSince])
    return 500
  })
  const { id } = await addDelivery(webhooks, endpoint)
  await waitFor(() => expect(stopped).toBeDefined())
  await stopped
  expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 1, status: 'missed' })
  expect(await webhooks.query('SELECT enabled, disabled_reason FROM webhooks.endpoint')).toEqual([
    { enabled: false, disabled_reason: 'failures' },
  ])
})
