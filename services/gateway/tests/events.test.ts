import { once } from 'node:events'
import { connect } from 'node:net'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { DOCUMENT } from '../../../test/harness/documented-answers.ts'
import { expectError } from './expect-error.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { ORGANIZATION_ID } from './start-test-services.ts'
import { EVENT } from './test-events.ts'

const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const JOB_TYPES = EVENT_TYPES.filter((type) => type.startsWith('printjob.')).toSorted()

describe('GET /v1/events', () => {
  test('answers a page of events as they are delivered', async () => {
    const { api } = await startTestGateway()
    const { status, body } = await api.get('/v1/events')
    expect([status, body]).toEqual([200, { data: [EVENT], hasMore: false, nextCursor: expect.any(String) }])
  })

  test.each<[string, object]>([
    ['', { types: [], waitMs: 0, page: expect.objectContaining({ limit: 25, ascending: false }) }],
    ['?dir=asc&limit=100', { page: expect.objectContaining({ limit: 100, ascending: true }) }],
    ['?type=printer.added', { types: ['printer.added'] }],
    ['?type=printjob.*', { types: JOB_TYPES }],
    ['?type=printer.*', { types: EVENT_TYPES.filter((type) => type.startsWith('printer.')).toSorted() }],
    ['?type=computer.*', { types: ['computer.offline', 'computer.online'] }],
    [
      '?type=printjob.done&type=computer.*&type=printjob.done',
      { types: ['computer.offline', 'computer.online', 'printjob.done'] },
    ],
    ['?wait=1', { waitMs: 1_000, page: expect.objectContaining({ ascending: true }) }],
    ['?wait=30', { waitMs: 30_000 }],
    ['?wait=30&dir=asc', { page: expect.objectContaining({ ascending: true }) }],
  ])('"%s" is passed on', async (query, expected) => {
    const { api, services } = await startTestGateway()
    expect((await api.get(`/v1/events${query}`)).status).toBe(200)
    expect(services.events.listed).toEqual([
      expect.objectContaining({ organizationId: ORGANIZATION_ID, mode: 'test', ...expected }),
    ])
  })

  test.each([
    ['type=printjob.gone', /`type`: must be one of `printjob.queued`, /],
    ['type=', /`type`/],
    ['type=*', /`type`/],
    ['type=print*', /`type`/],
    ['type=printjob.done&type=Printjob.*', /`type/],
    ['wait=0', /`wait`: must be an integer from 1 to 30/],
    ['wait=31', /`wait`: must be an integer from 1 to 30/],
    ['wait=1.5', /`wait`/],
    ['wait=', /`wait`/],
    ['wait=1&wait=2', /`wait`/],
    ['wait=1&dir=desc', /`dir`: must be `asc` with `wait`/],
    ['since=yesterday', /`since`: not known here/],
  ])('"%s" is refused by name', async (query, message) => {
    const { api, services } = await startTestGateway()
    expectError(await api.get(`/v1/events?${query}`), 400, 'invalid_request', message)
    expect(services.events.listed).toEqual([])
  })

  test('a cursor goes on with the same types, however they are spelled and however long one waits, and with no others', async () => {
    const { api } = await startTestGateway()
    const all = JOB_TYPES.map((type) => `type=${type}`).join('&')
    const { nextCursor } = (await api.get('/v1/events?type=printjob.*&dir=asc')).body
    for (const right of [
      'type=printjob.*&dir=asc',
      `${all}&dir=asc`,
      'type=printjob.*&wait=5',
      `${all}&wait=30&dir=asc`,
    ])
      expect((await api.get(`/v1/events?${right}&after=${nextCursor}`)).status, right).toBe(200)
    for (const wrong of ['dir=asc', 'type=printjob.*', 'type=printjob.done&wait=5'])
      expectError(await api.get(`/v1/events?${wrong}&after=${nextCursor}`), 400, 'invalid_request', /`after`/)
  })

  test('an empty page has the cursor that was sent', async () => {
    const { api } = await startTestGateway()
    const { nextCursor } = (await api.get('/v1/events?wait=1')).body
    const empty = await api.get(`/v1/events?wait=1&after=${nextCursor}`)
    expect(empty.body).toEqual({ data: [], hasMore: false, nextCursor })
  })

  test('who waits is answered with an empty page at once when the gateway is about to stop', async () => {
    const { api, services, gateway } = await startTestGateway()
    services.events.held = true
    const waiting = api.get('/v1/events?wait=30')
    await waitFor(() => expect(services.events.listed).toHaveLength(1))
    const stoppedAt = performance.now()

    const [answer] = await Promise.all([waiting, gateway.stop()])

    expect([answer.status, answer.body]).toEqual([200, { data: [], hasMore: false, nextCursor: null }])
    expect(answer.headers.get('connection')).toBe('close')
    // What a service is given to drain; the wait would take 30 s.
    expect(performance.now() - stoppedAt).toBeLessThan(8_000)
  })

  test('nobody goes on waiting for a client that has gone away', async () => {
    const { api, services } = await startTestGateway()
    services.events.held = true
    const leaving = new AbortController()
    const waiting = fetchEvents(api, leaving.signal)
    await waitFor(() => expect(services.events.listed).toHaveLength(1))

    leaving.abort()

    await waitFor(() => expect(services.events.calledOff).toBe(1))
    await waiting
  })

  test('who waits longer than slow clients may is not cut off, and the call behind it has the time that it needs', async () => {
    const { api, services, port } = await startTestGateway({
      httpLimits: {
        headersTimeout: 100,
        bodyPauseMs: 100,
        bodyTotalMs: 100,
        answerMs: 100,
        connectionsCheckingInterval: 50,
      },
    })
    services.events.held = true
    // On the connection of another request, whose headers cannot be late: a new one has 100 ms for them.
    await waitFor(async () => expect((await api.get('/healthz')).status).toBe(200))
    const leaving = new AbortController()
    let over = false
    const waiting = fetchEvents(api, leaving.signal).then(() => {
      over = true
    })
    await waitFor(() => expect(services.events.listed).toHaveLength(1))

    await untilSlowClientIsCut(port)

    expect([over, services.events.calledOff]).toEqual([false, 0])
    expect(services.events.timeoutMs).toBeGreaterThan(30_000)
    leaving.abort()
    await waiting
  })

  test('a wait is one request to the rate limit, however long it takes', async () => {
    const { api } = await startTestGateway({ config: { rateLimitPerSecond: 3 }, now: () => 0 })
    expect((await api.get('/v1/events?wait=30')).headers.get('ratelimit-remaining')).toBe('2')
    expect((await api.get('/v1/events?wait=30')).headers.get('ratelimit-remaining')).toBe('1')
  })
})

test('GET /v1/events/{id} answers the event, also to capital letters, and 404 where there is none', async () => {
  const { api } = await startTestGateway()
  expect((await api.get(`/v1/events/${EVENT.id.toUpperCase()}`)).body).toEqual(EVENT)
  expectError(await api.get(`/v1/events/${UNKNOWN_ID}`), 404, 'not_found')
  expectError(await api.get('/v1/events/event-1'), 404, 'not_found')
  expectError(await api.get(`/v1/events/${EVENT.id}?a=1`), 400, 'invalid_request', /`a`/)
})

describe('GET /v1/event-types', () => {
  test('lists all 15 types, each with a schema that its example keeps and no other type does', async () => {
    const { api } = await startTestGateway()
    const { status, body } = await api.get('/v1/event-types')
    expect(status).toBe(200)
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(EVENT_TYPES)
    for (const { type, description, schema, example } of body.data) {
      expect(description).toMatch(/\w.*\.$/)
      expect(example).toEqual(exampleEvent(type, 'live'))
      const validate = addFormats.default(new Ajv2020()).compile(schema)
      const right = EVENT_TYPES.filter((other: EventType) => validate(exampleEvent(other, 'live')))
      expect(right).toEqual([type])
      for (const field of ['id', 'timestamp', 'mode', 'sequence', 'data'])
        expect(validate({ ...example, [field]: undefined }), `${type} without ${field}`).toBe(false)
    }
  })

  test('needs the scope read, and takes no query', async () => {
    const { api, services, baseUrl } = await startTestGateway()
    expectError(await api.get('/v1/event-types?limit=1'), 400, 'invalid_request', /`limit`/)
    const headers = { authorization: `Bearer ${services.makeKey('test', ['print'])}` }
    expect((await fetch(`${baseUrl}/v1/event-types`, { headers })).status).toBe(403)
  })
})

test('the OpenAPI document has a webhook for each type, with the headers of Standard Webhooks', () => {
  expect(Object.keys(DOCUMENT.webhooks)).toEqual(EVENT_TYPES)
  for (const { post } of Object.values(DOCUMENT.webhooks))
    expect(post).toMatchObject({
      parameters: [{ name: 'webhook-id' }, { name: 'webhook-timestamp' }, { name: 'webhook-signature' }],
      requestBody: { content: { 'application/json': { schema: { $ref: expect.stringMatching(/Event$/) } } } },
    })
})

/** Waits for what is to come until it goes away; that is no failure. */
function fetchEvents(
  api: { request: Awaited<ReturnType<typeof startTestGateway>>['api']['request'] },
  signal: AbortSignal,
) {
  return api.request('GET', '/v1/events?wait=30', { signal } as object).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

/** One that came later than who waits, and sends its request too slowly. */
async function untilSlowClientIsCut(port: number): Promise<void> {
  const slow = connect(port, '127.0.0.1')
  slow.write('GET /healthz HTTP/1.1\r\nHost: platen.test\r\n')
  slow.resume()
  await once(slow, 'close')
}
