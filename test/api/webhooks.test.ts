/** Webhook endpoints and their deliveries. The tests of `services/webhooks` prove the single rules. */
import { describe, expect, test } from 'vitest'
import { type Api, readError } from '../harness/api.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Delivered, isSignedBy, verify } from '../harness/webhook-receiver.ts'
import { type Endpoint, newEndpoint, newHook } from './hooks.ts'
import { ISO_TIME, newJob, newOrganization } from './installation.ts'

/** The result of a test of the endpoint. */
async function testDelivery(api: Api, endpoint: Pick<Endpoint, 'path' | 'requests'>, body = {}): Promise<Delivered> {
  const { status, body: delivery } = await api.post(`${endpoint.path}/test`, body)
  expect([status, delivery.status]).toEqual([202, 'pending'])
  return await waitFor(() => {
    const request = endpoint.requests().find(({ headers }) => headers['webhook-id'] === delivery.eventId)
    if (!request) throw new Error('nothing came')
    return request
  })
}

describe.concurrent('an endpoint', () => {
  test('is made, read, listed, tested and deleted, and shows its secret once', async () => {
    proves(
      'endpoint.POST.webhooks',
      'endpoint.GET.webhooks.id',
      'endpoint.DELETE.webhooks.id',
      'endpoint.POST.webhooks.id.test',
      'webhooks.list.no-secret',
      'webhook.url.test-http',
    )
    const { testApi } = await newOrganization()
    const endpoint = await newEndpoint(testApi, ['printer.updated'], { description: 'ERP' })
    const fresh = { enabled: true, disabledReason: null, failingSince: null, mode: 'test', description: 'ERP' }
    expect(endpoint.shown).toMatchObject(fresh)
    expect((await testApi.get(endpoint.path)).body).toEqual(endpoint.shown)
    expect((await testApi.get('/v1/webhooks')).body.data).toEqual([endpoint.shown])
    const request = await testDelivery(testApi, endpoint)
    expect(verify(request, endpoint.secret)).toMatchObject({ type: 'printer.updated', mode: 'test' })
    expect((await testApi.delete(endpoint.path)).status).toBe(204)
    expect(readError(await testApi.get(endpoint.path))).toEqual([404, 'not_found'])
    expect(readError(await testApi.delete(endpoint.path))).toEqual([404, 'not_found'])
  })

  test('is delivered to at its new URL, signed with its new secret, and within the grace with both', async () => {
    proves('webhook.patch.url', 'endpoint.POST.webhooks.id.rotate-secret')
    const { testApi } = await newOrganization()
    const { path, secret, shown } = await newEndpoint(testApi, ['printer.updated'])
    const { url, requests } = await newHook()
    const moved = { path, requests }
    expect((await testApi.patch(path, { url })).body).toEqual({ ...shown, url })
    expect(isSignedBy(await testDelivery(testApi, moved), secret)).toBe(true)
    const rotate = async (body: object) => {
      const answer = await testApi.post(`${path}/rotate-secret`, body)
      expect([answer.status, { ...answer.body, secret: 0 }]).toEqual([200, { ...shown, url, secret: 0 }])
      return answer.body.secret
    }
    const next = await rotate({})
    const both = await testDelivery(testApi, moved, { type: 'computer.online' })
    expect([secret, next].map((one) => isSignedBy(both, one))).toEqual([true, true])
    const last = await rotate({ graceSeconds: 0 })
    const one = await testDelivery(testApi, moved)
    expect([secret, next, last].map((each) => isSignedBy(one, each))).toEqual([false, false, true])
  })

  test('that is disabled has the reason, is not tested, and works again when it is enabled', async () => {
    proves('webhook.enabled', 'webhook.patch.enabled')
    const { testApi } = await newOrganization()
    const endpoint = await newEndpoint(testApi, ['printer.updated'])
    const disabled = await testApi.patch(endpoint.path, { enabled: false })
    expect(disabled.body).toEqual({ ...endpoint.shown, enabled: false, disabledReason: 'user' })
    expect(readError(await testApi.post(`${endpoint.path}/test`, {}))).toEqual([409, 'endpoint_disabled'])
    expect((await testApi.patch(endpoint.path, { enabled: true })).body).toEqual(endpoint.shown)
    expect(isSignedBy(await testDelivery(testApi, endpoint), endpoint.secret)).toBe(true)
  })

  test('cannot be made for or moved to a private address', async () => {
    proves('error.422.invalid_url', 'webhook.url.private')
    const { testApi } = await newOrganization()
    const { path } = await newEndpoint(testApi, ['printjob.done'])
    const wanted = { url: 'http://127.0.0.2/', events: ['printjob.done'] }
    for (const refused of [await testApi.post('/v1/webhooks', wanted), await testApi.patch(path, wanted)])
      expect(readError(refused)).toEqual([422, 'invalid_url'])
  })
})

/** An organization with an endpoint for accepted jobs and a printer, whose agent is disconnected. */
async function newShop(events = ['printjob.queued']) {
  const { testApi } = await newOrganization()
  const printer = await testApi.printer('Test A4 Laser')
  const endpoint = await newEndpoint(testApi, events)
  const print = async (): Promise<string> => (await testApi.createJob(newJob(printer.id))).id
  return { api: testApi, endpoint, print }
}

/** The newest delivery of an endpoint, once it is as expected. */
async function newestDelivery(api: Api, { path }: Endpoint, expected: object) {
  return await waitFor(async () => {
    const { body } = await api.get(`${path}/deliveries?limit=1`)
    expect(body.data[0]).toMatchObject(expected)
    return body.data[0]
  })
}

const attempt = (facts: object) => ({ at: ISO_TIME, durationMs: expect.any(Number), ...facts })

describe.concurrent('a delivery', () => {
  test('that failed is read with its attempts, and arrives by a replay with the same id and bytes', async () => {
    proves(
      'replay.attempt',
      'delivery.status.pending',
      'delivery.status.succeeded',
      'delivery.deliveredAt',
      'attempt.trigger.scheduled',
      'attempt.trigger.replay',
    )
    const { api, endpoint, print } = await newShop()
    endpoint.answerBy(() => ({ status: 410, body: 'gone fishing' }))
    const jobId = await print()
    const facts = { attempts: 1, lastStatusCode: null, lastError: 'connect', nextAttemptAt: null, deliveredAt: null }
    const { title, printerId } = (await api.get(`/v1/printjobs/${jobId}`)).body
    const job = { id: jobId, title, printerId }
    const event = { webhookId: endpoint.id, eventType: 'printjob.queued', job }
    const failed = await newestDelivery(api, endpoint, { status: 'failed', ...facts, ...event })
    endpoint.answerBy(() => ({ status: 201, body: 'thanks' }))
    const path = `${endpoint.path}/deliveries/${failed.id}`
    const { status, body } = await api.post(`${path}/replay`, {})
    expect([status, body.id, body.status]).toEqual([202, failed.id, 'pending'])
    const replayed = { id: failed.id, status: 'succeeded', attempts: 2, lastStatusCode: 201, deliveredAt: ISO_TIME }
    const succeeded = await newestDelivery(api, endpoint, replayed)
    const read = (await api.get(path)).body
    expect(read).toMatchObject(succeeded)
    expect(read.payload).toMatchObject({ id: failed.eventId, type: 'printjob.queued', data: { id: jobId } })
    expect(read.attemptLog).toEqual([
      attempt({ number: 1, trigger: 'scheduled', statusCode: null, errorClass: 'connect', response: null }),
      attempt({ number: 2, trigger: 'replay', statusCode: 201, errorClass: null, response: null }),
    ])
    const [first, second] = endpoint.requests()
    if (!first || !second) throw new Error('two requests should have come')
    expect([second.body, second.headers['webhook-id']]).toEqual([first.body, failed.eventId])
    expect(verify(second, endpoint.secret)).toEqual(read.payload)
  })

  test('that a disabled endpoint missed is replayed when it is enabled, and not before', async () => {
    proves('delivery.status.missed', 'missed.replay')
    const { api, endpoint, print } = await newShop()
    const since = new Date().toISOString()
    endpoint.answerBy((_, earlier) => (earlier === 0 ? 503 : 204))
    await print()
    await print()
    await waitFor(() => expect(endpoint.requests()).toHaveLength(2))
    await api.patch(endpoint.path, { enabled: false })
    const listed = async (status: string) => {
      const { body } = await api.get(`${endpoint.path}/deliveries?status=${status}&type=printjob.queued`)
      expect(body.data).toHaveLength(2)
      return body.data.toSorted((one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id))
    }
    const missed = await waitFor(() => listed('missed'))
    expect(missed[0]).toMatchObject({ attempts: 1, nextAttemptAt: null })
    const replay = () => api.post(`${endpoint.path}/replay`, { since })
    expect(readError(await replay())).toEqual([409, 'endpoint_disabled'])
    const one = await api.post(`${endpoint.path}/deliveries/${missed[0].id}/replay`, {})
    expect(readError(one)).toEqual([409, 'endpoint_disabled'])
    expect(endpoint.requests()).toHaveLength(2)
    await api.patch(endpoint.path, { enabled: true })
    expect(await replay()).toMatchObject({ status: 202, body: { replayed: 2 } })
    const ids = (deliveries: { id: string }[]) => deliveries.map(({ id }) => id)
    expect(ids(await waitFor(() => listed('succeeded')))).toEqual(ids(missed))
    expect(await replay()).toMatchObject({ status: 202, body: { replayed: 0 } })
  })

  test('of a test is one of its own, and its attempt is marked', async () => {
    proves('attempt.trigger.test')
    const { api, endpoint } = await newShop()
    const { headers } = await testDelivery(api, endpoint, { type: 'printer.offline' })
    const { id } = await newestDelivery(api, endpoint, { status: 'succeeded', eventId: headers['webhook-id'] })
    const { body } = await api.get(`${endpoint.path}/deliveries/${id}`)
    const facts = { number: 1, trigger: 'test', statusCode: 204, errorClass: null, response: null }
    expect(body.attemptLog).toEqual([attempt(facts)])
  })
})
