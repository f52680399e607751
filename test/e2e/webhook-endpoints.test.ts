/** Webhook endpoints over REST, in an installation as it is shipped. Their rules one by one: `services/webhooks/tests/endpoint*.test.ts`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { traceEnvironment } from '../harness/trace-environment.ts'
import { waitFor } from '../harness/wait-for.ts'
import { isSignedBy, startWebhookReceiver, verify, type WebhookReceiver } from '../harness/webhook-receiver.ts'
import { startTraceReceiver, type TraceReceiver } from '../traces/receiver.ts'

/** In the allowed network. */
const HOST = '127.9.8.6'
const CANARY = 'canary-7f3e'

let traces: TraceReceiver
let receiver: WebhookReceiver
let platen: Platen
let live: Api
/** All that were shown. */
const secrets: string[] = []

beforeAll(async () => {
  traces = await startTraceReceiver()
  receiver = await startWebhookReceiver({ host: HOST })
  platen = await startPlaten({ env: { ...traceEnvironment(traces), PLATEN_ALLOWED_NETWORKS: `${HOST}/32` } })
  live = createApi(platen.credentials.baseUrl, platen.credentials.liveKey)
})

afterAll(async () => {
  await platen?.stop()
  await receiver?.stop()
  await traces?.close()
  if (platen) await removeDataDir(platen.dataDir)
})

async function createEndpoint(path: string, facts = {}) {
  const wanted = { url: `${receiver.url}${path}?token=${CANARY}`, events: ['printer.updated'], ...facts }
  const { status, body } = await platen.api.post('/v1/webhooks', wanted)
  expect(status, JSON.stringify(body)).toBe(201)
  secrets.push(body.secret)
  return body
}

/** What came of a test of the endpoint, once it is there. */
async function testDelivery({ id, url }: { id: string; url: string }, body?: object) {
  const { status, body: delivery } = await platen.api.post(`/v1/webhooks/${id}/test`, body ?? {})
  expect([status, delivery.webhookId, delivery.status]).toEqual([202, id, 'pending'])
  return await waitFor(() => {
    const { pathname, search } = new URL(url)
    const request = receiver.at(pathname + search).find(({ headers }) => headers['webhook-id'] === delivery.eventId)
    if (!request) throw new Error('nothing came')
    return request
  })
}

const errorOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

test('an endpoint is made, read, listed, tested and deleted, and its secret is shown once', async () => {
  const { secret, ...endpoint } = await createEndpoint('/life', { description: 'ERP' })
  expect(endpoint).toMatchObject({ enabled: true, disabledReason: null, failingSince: null, mode: 'test' })
  const path = `/v1/webhooks/${endpoint.id}`
  expect((await platen.api.get(path)).body).toEqual(endpoint)
  expect((await platen.api.get('/v1/webhooks')).body.data).toContainEqual(endpoint)
  const request = await testDelivery(endpoint)
  expect(verify(request, secret)).toMatchObject({ type: 'printer.updated', mode: 'test' })
  expect((await platen.api.request('DELETE', path)).status).toBe(204)
  expect(errorOf(await platen.api.get(path))).toEqual([404, 'not_found'])
  expect(errorOf(await platen.api.request('DELETE', path))).toEqual([404, 'not_found'])
})

test('deliveries follow a change of the URL and of the secret', async () => {
  const { secret, ...endpoint } = await createEndpoint('/before')
  const path = `/v1/webhooks/${endpoint.id}`
  const patched = await patch(endpoint.id, { url: `${receiver.url}/after` })
  expect(patched.body).toEqual({ ...endpoint, url: `${receiver.url}/after` })
  expect(verify(await testDelivery(patched.body), secret)).toMatchObject({ type: 'printer.updated' })

  const rotated = await platen.api.post(`${path}/rotate-secret`, {})
  expect([rotated.status, { ...rotated.body, secret: null }]).toEqual([200, { ...patched.body, secret: null }])
  secrets.push(rotated.body.secret)
  const both = await testDelivery(patched.body, { type: 'computer.online' })
  expect([secret, rotated.body.secret].map((one) => isSignedBy(both, one))).toEqual([true, true])
  const again = await platen.api.request('POST', `${path}/rotate-secret`, {
    body: '{"graceSeconds":0}',
    headers: { 'content-type': 'application/json' },
  })
  secrets.push(again.body.secret)
  const last = await testDelivery(patched.body)
  const all = [secret, rotated.body.secret, again.body.secret]
  expect(all.map((one) => isSignedBy(last, one))).toEqual([false, false, true])
})

function patch(id: string, changes: object) {
  const headers = { 'content-type': 'application/json' }
  return platen.api.request('PATCH', `/v1/webhooks/${id}`, { body: JSON.stringify(changes), headers })
}

test('a disabled endpoint says why, is tested in vain, and works again once it is enabled', async () => {
  const { secret, ...endpoint } = await createEndpoint('/switched')
  const disabled = await patch(endpoint.id, { enabled: false })
  expect(disabled.body).toEqual({ ...endpoint, enabled: false, disabledReason: 'user' })
  const tested = await platen.api.post(`/v1/webhooks/${endpoint.id}/test`, {})
  expect(errorOf(tested)).toEqual([409, 'endpoint_disabled'])
  expect((await patch(endpoint.id, { enabled: true })).body).toEqual(endpoint)
  expect(isSignedBy(await testDelivery(endpoint), secret)).toBe(true)
})

test('a URL is judged by where it leads, at a change as at the creation', async () => {
  const { id } = await createEndpoint('/good')
  for (const [url, ...expected] of [
    ['not a URL', 400, 'invalid_request'],
    [`ftp://${HOST}/`, 400, 'invalid_request'],
    [`http://user:pass@${HOST}/`, 422, 'invalid_url'],
    ['http://127.0.0.1/', 422, 'invalid_url'],
    ['https://169.254.169.254/', 422, 'invalid_url'],
    ['https://webhooks.invalid/', 422, 'invalid_url'],
  ] as const) {
    const made = await platen.api.post('/v1/webhooks', { url, events: ['printjob.done'] })
    expect([url, ...errorOf(made)]).toEqual([url, ...expected])
    expect([url, ...errorOf(await patch(id, { url }))]).toEqual([url, ...expected])
  }
  const plain = { url: `http://${HOST}/`, events: ['printjob.done'] }
  expect(errorOf(await live.post('/v1/webhooks', plain))).toEqual([422, 'invalid_url'])
})

test('there may be 20 endpoints in a mode; those of the other one do not count, and are a 404', async () => {
  const { body: before } = await platen.api.get('/v1/webhooks?limit=100')
  for (let n = before.data.length; n < 20; n++) await createEndpoint(`/${n}`)
  const url = `https://${HOST}/`
  const oneMore = await platen.api.post('/v1/webhooks', { url, events: ['printjob.done'] })
  expect(errorOf(oneMore)).toEqual([409, 'limit_reached'])
  const { status, body } = await live.post('/v1/webhooks', { url, events: ['printjob.done'] })
  expect([status, body.mode]).toEqual([201, 'live'])
  expect(errorOf(await platen.api.get(`/v1/webhooks/${body.id}`))).toEqual([404, 'not_found'])
  expect((await live.get('/v1/webhooks')).body.data).toHaveLength(1)
})

test('no secret, and nothing of a URL, is in a log or span', async () => {
  const { url, id } = await createEndpointAnew()
  await testDelivery({ id, url })
  await waitFor(() => expect(traces.dump()).toContain('EndpointsService'))
  await platen.stop()
  const texts: [string, string][] = [['spans', traces.dump()]]
  const logs = join(platen.dataDir, 'logs')
  for (const name of await readdir(logs)) texts.push([name, await readFile(join(logs, name), 'utf8')])
  expect(texts.map(([name]) => name)).toContain('webhooks.log')
  expect(secrets.length).toBeGreaterThan(20)
  for (const secret of [...secrets.map((one) => one.slice('whsec_'.length)), CANARY])
    expect(texts.filter(([, text]) => text.includes(secret)).map(([name]) => name)).toEqual([])
})

/** In the place of another one. */
async function createEndpointAnew() {
  const { body } = await platen.api.get('/v1/webhooks?limit=1')
  await platen.api.request('DELETE', `/v1/webhooks/${body.data[0].id}`)
  return await createEndpoint('/last')
}
