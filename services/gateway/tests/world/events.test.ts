import { Code, ConnectError } from '@connectrpc/connect'
import { EventsService, type ListEventsRequest } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { addGateway, expectError, newPrinting } from '../client.ts'

/** An organization whose feed has the creation of one job. */
async function newFeed() {
  const printing = await newPrinting()
  const { api, job, world } = printing
  const created = await api.createJob(job())
  const event = await waitFor(async () => {
    const { body } = await api.get('/v1/events?type=printjob.*')
    expect(body.data).toHaveLength(1)
    return body.data[0]
  })
  await untilVisible(world.pool)
  const { nextCursor } = (await api.get('/v1/events?after=now')).body
  return { ...printing, created, event, nextCursor, wait: `/v1/events?wait=30&after=${nextCursor}` }
}

/** Counts the calls that wait for events, and those that were cancelled. */
function followWaits({ intercept }: Awaited<ReturnType<typeof newFeed>>['world']) {
  const waits = { started: 0, cancelled: 0 }
  intercept(EventsService.method.listEvents, async (request, next) => {
    waits.started++
    request.signal.addEventListener('abort', () => waits.cancelled++)
    return await next(request)
  })
  return waits
}

describe('GET /v1/events', () => {
  test('answers a page of events or one, with a cursor also on the last and on an empty page', async () => {
    proves('endpoint.GET.events', 'endpoint.GET.events.id', 'feed.cursor.last-page', 'feed.cursor.empty-page')
    const { api, created, event } = await newFeed()
    expect(event).toMatchObject({ type: 'printjob.queued', data: created })
    expect((await api.get(`/v1/events/${event.id.toUpperCase()}`)).body).toEqual(event)
    const path = '/v1/events?type=printjob.queued'
    const { body } = await api.get(path)
    expect(body).toEqual({ data: [event], hasMore: false, nextCursor: expect.any(String) })
    const next = await api.get(`${path}&after=${body.nextCursor}`)
    expect(next.body).toEqual({ data: [], hasMore: false, nextCursor: body.nextCursor })
  })

  test('goes on with the same types, however they are spelled, and with no others; a wait is one request to the rate limit', async () => {
    const { api, job, liveKey } = await newFeed()
    const all = EVENT_TYPES.filter((type) => type.startsWith('printjob.')).map((type) => `type=${type}`)
    const { nextCursor } = (await api.get('/v1/events?type=printjob.*&dir=asc')).body
    for (const same of ['type=printjob.*&dir=asc', `${all.join('&')}&dir=asc`])
      expect((await api.get(`/v1/events?${same}&after=${nextCursor}`)).status, same).toBe(200)
    for (const other of ['dir=asc', 'type=printjob.*', 'type=printjob.done&wait=5'])
      expectError(await api.get(`/v1/events?${other}&after=${nextCursor}`), 400, 'invalid_request', /`after`/)
    const { url } = await addGateway({ rateLimitPerSecond: 3, nats: undefined })
    const limited = createApi(url, liveKey)
    const waiting = limited.get(`/v1/events?${all.join('&')}&wait=30&after=${nextCursor}`)
    await api.createJob(job())
    const { body, headers } = await waiting
    expect([body.data.length, headers.get('ratelimit-remaining')]).toEqual([1, '2'])
    expect((await limited.get('/v1/whoami')).headers.get('ratelimit-remaining')).toBe('1')
  })

  test('answers a client that waits with an empty page when the gateway is about to stop', async () => {
    const { liveKey, world, wait, nextCursor } = await newFeed()
    const waits = followWaits(world)
    const { url, process } = await addGateway()
    const waiting = createApi(url, liveKey).get(wait)
    await waitFor(() => expect(waits.started).toBe(1))
    const [answer] = await Promise.all([waiting, process.stop()])
    expect([answer.status, answer.body]).toEqual([200, { data: [], hasMore: false, nextCursor }])
    expect([answer.headers.get('connection'), waits.cancelled]).toEqual(['close', 1])
  })

  test('ends a wait whose replica has ended with the events of now, and fails without another replica', async () => {
    const { api, world, event, wait } = await newFeed()
    const waited: number[] = []
    world.intercept(EventsService.method.listEvents, async (request, next) => {
      const { waitMs } = request.message as ListEventsRequest
      waited.push(waitMs)
      if (waitMs > 0) throw new ConnectError('Connection dropped', Code.Unavailable)
      return await next(request)
    })
    expect((await api.get(wait)).body).toMatchObject({ data: [], hasMore: false })
    expect((await api.get('/v1/events?wait=30&type=printjob.queued')).body.data).toEqual([event])
    expect(waited).toEqual([30_000, 0, 30_000, 0])
    world.intercept(EventsService.method.listEvents, () => Promise.reject(new ConnectError('none', Code.Unavailable)))
    expectError(await api.get(wait), 503, 'service_unavailable')
  })

  test('10 requests of a key wait at once, and the 11th is refused', async () => {
    proves('polls.10', 'polls.11')
    const { api, job, wait } = await newFeed()
    const waiting = Array.from({ length: 11 }, () => api.get(wait))
    const refused = await Promise.race(waiting)
    expectError(refused, 429, 'rate_limited', /^This key has 10 waiting requests/)
    expect(refused.headers.get('retry-after')).toBe('1')
    await api.createJob(job())
    const answers = await Promise.all(waiting)
    expect(answers.filter(({ status, body }) => status === 200 && body.data.length === 1)).toHaveLength(10)
    expect((await api.get(wait)).status).toBe(200)
  })

  test('waits no longer than its client', async () => {
    const { liveKey, url, world, wait } = await newFeed()
    const waits = followWaits(world)
    const leaving = new AbortController()
    const headers = { authorization: `Bearer ${liveKey}` }
    const waiting = fetch(url + wait, { headers, signal: leaving.signal }).catch(() => 'left')
    await waitFor(() => expect(waits.started).toBe(1))
    leaving.abort()
    expect(await waiting).toBe('left')
    await waitFor(() => expect(waits.cancelled).toBe(1))
  })
})

test('GET /v1/event-types lists all 15 types, each with a schema that its example keeps and no other type does', async () => {
  proves('endpoint.GET.event-types')
  const { api } = await newPrinting()
  const { body } = await api.get('/v1/event-types')
  expect(body).toEqual({ data: expect.any(Array), hasMore: false, nextCursor: null })
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(EVENT_TYPES)
  for (const { type, description, schema, example } of body.data) {
    expect(description).toMatch(/\w.*\.$/)
    expect(example).toEqual(exampleEvent(type, 'live'))
    const validate = addFormats.default(new Ajv2020()).compile(schema)
    expect(EVENT_TYPES.filter((other) => validate(exampleEvent(other, 'live')))).toEqual([type])
    for (const field of ['id', 'timestamp', 'mode', 'sequence', 'data'])
      expect(validate({ ...example, [field]: undefined }), `${type} without ${field}`).toBe(false)
  }
})
