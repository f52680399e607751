import { timestampDate } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { AT } from './start-test-services.ts'
import { DELIVERY_ID, PAYLOAD } from './test-deliveries.ts'
import { ENDPOINT_ID } from './test-endpoints.ts'

const DELIVERIES = `/v1/webhooks/${ENDPOINT_ID}/deliveries`
const DELIVERY = `${DELIVERIES}/${DELIVERY_ID}`
const REPLAY = `/v1/webhooks/${ENDPOINT_ID}/replay`

const SHOWN = {
  id: DELIVERY_ID,
  webhookId: ENDPOINT_ID,
  eventId: PAYLOAD.id,
  eventType: 'printjob.done',
  status: 'failed',
  attempts: 8,
  nextAttemptAt: null,
  lastStatusCode: 503,
  lastError: 'status',
  createdAt: AT.toISOString(),
  deliveredAt: null,
}

test('deliveries are listed in pages, each with its fields', async () => {
  const { api } = await startTestGateway()
  const { status, body } = await api.get(DELIVERIES)
  expect([status, body]).toEqual([200, { data: [SHOWN], hasMore: false, nextCursor: expect.any(String) }])
  const next = await api.get(`${DELIVERIES}?after=${body.nextCursor}`)
  expect(next.body).toEqual({ data: [], hasMore: false, nextCursor: body.nextCursor })
})

test('deliveries are asked for by status and by type, each once or several times', async () => {
  const { api, services } = await startTestGateway()
  await api.get(DELIVERIES)
  await api.get(`${DELIVERIES}?status=failed&type=printjob.done`)
  await api.get(`${DELIVERIES}?status=missed&status=failed&status=missed&type=printer.added&type=printjob.done&dir=asc`)
  expect(services.listedDeliveries).toMatchObject([
    { statuses: [], eventTypes: [], page: { ascending: false, limit: 25 } },
    { statuses: ['failed'], eventTypes: ['printjob.done'] },
    { statuses: ['failed', 'missed'], eventTypes: ['printer.added', 'printjob.done'], page: { ascending: true } },
  ])
})

test.each([
  ['status=done', /`status`: must be one of `pending`, `succeeded`, `failed`, `missed`/],
  ['status=', /`status`/],
  ['type=printjob.started', /`type`: must be one of `printjob.queued`/],
  ['type=printjob.*', /`type`/],
  ['state=failed', /`state`: not known here/],
  ['limit=101', /`limit`/],
])('deliveries by `%s` are a 400', async (query, message) => {
  const { api } = await startTestGateway()
  expectError(await api.get(`${DELIVERIES}?${query}`), 400, 'invalid_request', message)
})

test('a delivery is read with its payload and its attempt log', async () => {
  const { api, services } = await startTestGateway()
  const attempt = { trigger: 'scheduled', at: AT.toISOString(), statusCode: null, response: null }
  const attemptLog = [
    { ...attempt, number: 1, durationMs: 15_000, errorClass: 'timeout' },
    {
      ...attempt,
      number: 2,
      trigger: 'replay',
      durationMs: 12,
      statusCode: 503,
      errorClass: 'status',
      response: 'busy',
    },
  ]
  const { status, body } = await api.get(DELIVERY)
  expect([status, body]).toEqual([200, { ...SHOWN, payload: PAYLOAD, attemptLog }])
  services.hasPayload = false
  expect((await api.get(DELIVERY)).body).toEqual({ ...SHOWN, payload: null, attemptLog })
})

test('a replay answers 202 with the delivery, which is pending', async () => {
  const { api } = await startTestGateway()
  const { status, body } = await api.post(`${DELIVERY}/replay`, {})
  expect([status, body]).toEqual([202, { ...SHOWN, status: 'pending', nextAttemptAt: AT.toISOString() }])
})

test('a replay of a range answers 202 with how many there were; by default it has what failed or was missed', async () => {
  const { api, services } = await startTestGateway()
  const since = '2026-01-02T03:04:05.678Z'
  const { status, body } = await api.post(REPLAY, { since })
  expect([status, body]).toEqual([202, { replayed: 42 }])
  await api.post(REPLAY, { since, until: since, status: 'succeeded' })
  await api.post(REPLAY, { since, until: '2026-01-02T04:04:05.679+01:00', status: ['missed', 'pending', 'missed'] })
  const times = services.rangeReplays.map(({ since, until, statuses }) => [
    since && timestampDate(since).toISOString(),
    until && timestampDate(until).toISOString(),
    statuses,
  ])
  expect(times).toEqual([
    [since, undefined, ['failed', 'missed']],
    [since, since, ['succeeded']],
    [since, '2026-01-02T03:04:05.679Z', ['missed', 'pending']],
  ])
})

test.each([
  ['no `since`', {}, /`since`: must be a time/],
  [
    '`until` before `since`',
    { since: '2026-01-02T00:00:00.001Z', until: '2026-01-02T00:00:00Z' },
    /`until`: must not be before `since`/,
  ],
  ['a time without a zone', { since: '2026-01-02T00:00:00' }, /`since`: must be an ISO 8601 time with a time zone/],
  ['a time as a number', { since: 1 }, /`since`/],
  ['`until` null', { since: '2026-01-02T00:00:00Z', until: null }, /`until`/],
  ['a status that is none', { since: '2026-01-02T00:00:00Z', status: 'done' }, /`status`: must be one of `pending`/],
  ['no status at all', { since: '2026-01-02T00:00:00Z', status: [] }, /`status`/],
  ['an unknown field', { since: '2026-01-02T00:00:00Z', type: 'printjob.done' }, /`type`: not known here/],
  ['no object', [], /must be a JSON object/],
])('the replay of a range with %s is a 400', async (_, body, message) => {
  const { api, services } = await startTestGateway()
  expectError(await api.post(REPLAY, body), 400, 'invalid_request', message)
  expect(services.rangeReplays).toEqual([])
})

test('a disabled endpoint answers 409 to both replays', async () => {
  const { api, services } = await startTestGateway()
  services.replayError = 'endpoint_disabled'
  expectError(await api.post(`${DELIVERY}/replay`, {}), 409, 'endpoint_disabled')
  expectError(await api.post(REPLAY, { since: AT.toISOString() }), 409, 'endpoint_disabled')
})

test('what is no id of a delivery, and a delivery of nobody, is a 404', async () => {
  const { api } = await startTestGateway()
  for (const id of ['1', `${DELIVERY_ID}0`, ENDPOINT_ID]) {
    expectError(await api.get(`${DELIVERIES}/${id}`), 404, 'not_found')
    expectError(await api.post(`${DELIVERIES}/${id}/replay`, {}), 404, 'not_found')
  }
})

test('the replay of one delivery takes no body', async () => {
  const { api } = await startTestGateway()
  expectError(await api.post(`${DELIVERY}/replay`, { since: AT.toISOString() }), 400, 'invalid_request')
})

test('a key without `admin` may not even read deliveries', async () => {
  const { api, services } = await startTestGateway()
  const authorization = `Bearer ${services.makeKey('test', ['read', 'print'])}`
  for (const path of [DELIVERIES, DELIVERY])
    expectError(await api.get(path, { authorization }), 403, 'insufficient_scope')
  for (const path of [`${DELIVERY}/replay`, REPLAY])
    expectError(await api.post(path, {}, { authorization }), 403, 'insufficient_scope')
})
