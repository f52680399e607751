import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { AT, COMPUTER_ID } from './start-test-services.ts'
import { ENDPOINT_ID, makeEndpoint, SECRET } from './test-endpoints.ts'

const WANTED = { url: 'https://hooks.example.com/in', events: ['printjob.done'] }
const ENDPOINT = `/v1/webhooks/${ENDPOINT_ID}`

const SHOWN = {
  id: ENDPOINT_ID,
  url: 'https://hooks.example.com/',
  events: ['printjob.done'],
  description: null,
  enabled: true,
  disabledReason: null,
  failingSince: null,
  mode: 'test',
  createdAt: AT.toISOString(),
}

async function start(mode: 'live' | 'test' = 'test') {
  const { api, services } = await startTestGateway()
  const headers = { authorization: `Bearer ${services.makeKey(mode, ['admin'])}` }
  return {
    services,
    get: (path: string) => api.get(path, headers),
    post: (path: string, body: unknown) => api.post(path, body, headers),
    send: (method: string, path: string, body?: unknown) =>
      api.request(method, path, {
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
  }
}

test('the endpoint that is made is answered with 201, of the mode of the key, and with its secret', async () => {
  for (const mode of ['live', 'test'] as const) {
    const { post } = await start(mode)
    const { status, body } = await post('/v1/webhooks', WANTED)
    expect([status, body]).toEqual([201, { ...SHOWN, ...WANTED, mode, secret: SECRET }])
  }
})

test('only the answers of a creation and of a rotation have a secret', async () => {
  const { get, send } = await start()
  expect((await get(ENDPOINT)).body).toEqual(SHOWN)
  expect((await get('/v1/webhooks')).body).toMatchObject({ data: [SHOWN], hasMore: false })
  expect((await send('PATCH', ENDPOINT, {})).body).toEqual(SHOWN)
  expect((await send('POST', `${ENDPOINT}/rotate-secret`, {})).body).toEqual({ ...SHOWN, secret: SECRET })
})

test.each([
  ['one type', { events: ['printer.added'] }],
  ['all 15 types', { events: EVENT_TYPES }],
  ['a description of 256 characters', { description: '🖨'.repeat(256) }],
  ['an empty description', { description: '' }],
  ['no description', { description: null }],
  ['a URL of 2048 characters', { url: WANTED.url.padEnd(2048, 'x') }],
])('%s: an endpoint is made, and changed', async (_, fields) => {
  const { post, send } = await start()
  const made = await post('/v1/webhooks', { ...WANTED, ...fields })
  expect([made.status, made.body]).toEqual([201, { ...SHOWN, ...WANTED, ...fields, secret: SECRET }])
  const changed = await send('PATCH', ENDPOINT, fields)
  expect([changed.status, changed.body]).toEqual([200, { ...SHOWN, ...fields }])
})

test.each([
  ['a missing url', { url: undefined }, /^`url`: /],
  ['missing events', { events: undefined }, /^`events`: must be an array/],
])('%s is a 400 of a creation', async (_, fields, message) => {
  const { post } = await start()
  expectError(await post('/v1/webhooks', { ...WANTED, ...fields }), 400, 'invalid_request', message)
})

test.each([
  ['a URL of 2049 characters', { url: WANTED.url.padEnd(2049, 'x') }, /^`url`: must have 1 to 2048 characters/],
  ['an empty URL', { url: '' }, /^`url`: must have 1 to 2048 characters/],
  ['a URL that is null', { url: null }, /^`url`: must be a string/],
  ['no events', { events: [] }, /^`events`: must have at least 1 entry/],
  ['an unknown type', { events: ['printjob.eaten'] }, /^`events.0`: must be a type of events/],
  ['a wildcard', { events: ['printjob.*'] }, /^`events.0`: must be a type of events/],
  ['a type twice', { events: ['printjob.done', 'printjob.done'] }, /^`events`: must not have a type twice/],
  ['events as a text', { events: 'printjob.done' }, /^`events`: must be an array/],
  ['events that are null', { events: null }, /^`events`: must be an array/],
  ['a description of 257 characters', { description: '🖨'.repeat(257) }, /^`description`: must have 0 to 256 char/],
  ['a description with NUL', { description: '\0' }, /^`description`: must not contain NUL/],
  ['an unknown field', { secret: SECRET }, /^`secret`: not known here/],
])('%s is a 400 of a creation and of a change', async (_, fields, message) => {
  const { post, send } = await start()
  expectError(await post('/v1/webhooks', { ...WANTED, ...fields }), 400, 'invalid_request', message)
  expectError(await send('PATCH', ENDPOINT, fields), 400, 'invalid_request', message)
})

test.each([
  ['enabled as a text', { enabled: 'true' }],
  ['enabled null', { enabled: null }],
])('%s is a 400 of a change', async (_, fields) => {
  const { send } = await start()
  expectError(await send('PATCH', ENDPOINT, fields), 400, 'invalid_request', /^`enabled`: must be true or false/)
})

test('a change of nothing but `enabled` disables the endpoint and enables it', async () => {
  const { send } = await start()
  const disabled = await send('PATCH', ENDPOINT, { enabled: false })
  expect(disabled.body).toEqual({ ...SHOWN, enabled: false, disabledReason: 'user' })
  expect((await send('PATCH', ENDPOINT, { enabled: true })).body).toEqual(SHOWN)
})

test.each(['invalid_url', 'invalid_request'] as const)('a URL that the service refuses is `%s`', async (code) => {
  const { post, send, services } = await start()
  services.endpointError = code
  const status = code === 'invalid_url' ? 422 : 400
  expectError(await post('/v1/webhooks', WANTED), status, code)
  expectError(await send('PATCH', ENDPOINT, { url: WANTED.url }), status, code)
})

test('one endpoint too many is 409 `limit_reached`', async () => {
  const { post, services } = await start()
  services.endpointError = 'limit_reached'
  expectError(await post('/v1/webhooks', WANTED), 409, 'limit_reached')
})

test('a deletion is answered with 204', async () => {
  const { send } = await start()
  const { status, body } = await send('DELETE', ENDPOINT)
  expect([status, body]).toEqual([204, null])
})

test.each([
  ['without a body', undefined, 86_400],
  ['with an empty object', {}, 86_400],
  ['with 0', { graceSeconds: 0 }, 0],
  ['with 604800', { graceSeconds: 604_800 }, 604_800],
])('a rotation %s has its time of grace', async (_, sent, graceSeconds) => {
  const { send, services } = await start()
  expect((await send('POST', `${ENDPOINT}/rotate-secret`, sent)).status).toBe(200)
  expect(services.rotations).toMatchObject([{ endpointId: ENDPOINT_ID, mode: 'test', graceSeconds }])
})

test.each([-1, 604_801, 1.5, '60', null])('a time of grace of %j is a 400', async (graceSeconds) => {
  const { post, services } = await start()
  const answer = await post(`${ENDPOINT}/rotate-secret`, { graceSeconds })
  expectError(answer, 400, 'invalid_request', /^`graceSeconds`: must be an integer from 0 to 604800/)
  expect(services.rotations).toEqual([])
})

test.each([
  ['without a body', undefined, ''],
  ['with an empty object', {}, ''],
  ['with a type that the endpoint has not subscribed to', { type: 'printer.added' }, 'printer.added'],
])('a test %s is answered with 202 and the delivery', async (_, sent, type) => {
  const { send, services } = await start()
  const { status, body } = await send('POST', `${ENDPOINT}/test`, sent)
  expect(status).toBe(202)
  expect(body).toMatchObject({ webhookId: ENDPOINT_ID, eventType: type || 'printjob.done', status: 'pending' })
  expect(body).toMatchObject({ attempts: 0, nextAttemptAt: AT.toISOString(), lastStatusCode: null, deliveredAt: null })
  expect(services.endpointTests).toMatchObject([{ endpointId: ENDPOINT_ID, mode: 'test', type }])
})

test.each(['printjob.eaten', 'printjob.*', '', null])('a test of the type %j is a 400', async (type) => {
  const { post } = await start()
  expectError(await post(`${ENDPOINT}/test`, { type }), 400, 'invalid_request', /^`type`: must be a type of events/)
})

test('a test of a disabled endpoint is 409 `endpoint_disabled`', async () => {
  const { post, services } = await start()
  services.endpointError = 'endpoint_disabled'
  expectError(await post(`${ENDPOINT}/test`, {}), 409, 'endpoint_disabled')
})

test('an endpoint of the other mode, of another organization, or with an id that is none, is a 404', async () => {
  const { send, services } = await start()
  const [live, foreign] = ['01890a5d-0000-7000-8000-000000000013', '01890a5d-0000-7000-8000-000000000014']
  services.endpoints.push(makeEndpoint({ id: live, mode: 'live' }))
  services.endpoints.push(makeEndpoint({ id: foreign, organizationId: COMPUTER_ID }))
  for (const id of [live, foreign, 'nothing'])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
    ] as const)
      expectError(
        await send(method, `/v1/webhooks/${id}${path}`, method === 'PATCH' || method === 'POST' ? {} : undefined),
        404,
        'not_found',
        /^There is no webhook endpoint with this id/,
      )
})
