/** Operations on webhook endpoints and deliveries. The limits of their fields are in `tables/request-schemas.test.ts`. */
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { expectError } from '../client.ts'

const WANTED = { url: 'https://hooks.example.com/in', events: ['printjob.done'] }
const SECRET = expect.stringMatching(/^whsec_/)

/** An endpoint whose server refuses all connections. */
async function newEndpoint(mode: 'live' | 'test' = 'live') {
  const organization = await newOrganization()
  organization.world.addHost('hooks.example.com', ['93.184.216.34'], 9)
  const api = mode === 'live' ? organization.api : organization.testApi
  const { status, body } = await api.post('/v1/webhooks', WANTED)
  const path = `/v1/webhooks/${body.id}`
  const send = (method: string, to: string, fields?: unknown) =>
    api.request(method, path + to, {
      ...(fields !== undefined && { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }),
    })
  const { secret, ...shown } = body
  return { ...organization, api, status, created: body, shown, path, send }
}

/** With a delivery that the endpoint did not take. */
async function newDelivery() {
  const endpoint = await newEndpoint()
  const { status, body } = await endpoint.send('POST', '/test')
  const delivery = `/deliveries/${body.id}`
  const attempted = await waitFor(async () => {
    const { body: now } = await endpoint.api.get(endpoint.path + delivery)
    expect(now.attempts).toBe(1)
    return now
  })
  return { ...endpoint, status, tested: body, delivery, attempted }
}

test.each(['live', 'test'] as const)(
  'a %s key makes an endpoint of its mode, which is answered with its secret [endpoint.POST.webhooks webhook.create.mode webhook.secret]',
  async (mode) => {
    const { status, created } = await newEndpoint(mode)
    expect([status, created]).toMatchObject([201, { ...WANTED, mode, enabled: true, secret: SECRET }])
  },
)

test('only the answers of a creation and of a rotation have a secret [webhooks.list.no-secret endpoint.GET.webhooks.id webhook.get.no-secret webhook.patch.no-secret endpoint.POST.webhooks.id.rotate-secret]', async () => {
  const { api, created, shown, send } = await newEndpoint()
  expect((await send('GET', '')).body).toEqual(shown)
  expect((await api.get('/v1/webhooks')).body).toMatchObject({ data: [shown], hasMore: false })
  expect((await send('PATCH', '', {})).body).toEqual(shown)
  for (const sent of [undefined, { graceSeconds: 0 }]) {
    const rotated = (await send('POST', '/rotate-secret', sent)).body
    expect(rotated).toEqual({ ...shown, secret: SECRET })
    expect(rotated.secret).not.toBe(created.secret)
  }
})

test('an endpoint is changed, disabled, enabled and deleted [endpoint.DELETE.webhooks.id]', async () => {
  const { shown, send } = await newEndpoint()
  const changes = { url: 'https://hooks.example.com/other', events: EVENT_TYPES, description: '🖨' }
  const disabled = (await send('PATCH', '', { ...changes, enabled: false })).body
  expect(disabled).toEqual({ ...shown, ...changes, enabled: false, disabledReason: 'user' })
  expect((await send('PATCH', '', { enabled: true })).body).toEqual({ ...shown, ...changes })
  expectError(await send('PATCH', '', { url: 'https://unknown.example.com/' }), 422, 'invalid_url')
  const { status, body } = await send('DELETE', '')
  expect([status, body, (await send('GET', '')).status]).toEqual([204, null, 404])
})

test('a test is answered with its delivery, also of a type that is not subscribed [endpoint.POST.webhooks.id.test webhook.test.type]', async () => {
  const { created, send } = await newEndpoint()
  for (const [sent, eventType] of [
    [undefined, 'printjob.done'],
    [{ type: 'printer.added' }, 'printer.added'],
  ]) {
    const { status, body } = await send('POST', '/test', sent)
    expect([status, body]).toMatchObject([202, { webhookId: created.id, eventType, status: 'pending', attempts: 0 }])
  }
})

test('a delivery is listed by its status and type, and read with its payload and attempts [endpoint.GET.webhooks.id.deliveries endpoint.GET.webhooks.id.deliveries.deliveryId deliveries.filter.status deliveries.filter.type]', async () => {
  const { attempted, send } = await newDelivery()
  const { payload, attemptLog, ...listed } = attempted
  expect(payload).toMatchObject({ id: attempted.eventId, type: 'printjob.done' })
  expect(attemptLog).toMatchObject([{ number: 1, trigger: 'test', statusCode: null, errorClass: 'connect' }])
  const first = (await send('GET', '/deliveries')).body
  expect(first).toEqual({ data: [listed], hasMore: false, nextCursor: expect.any(String) })
  const next = await send('GET', `/deliveries?after=${first.nextCursor}`)
  expect(next.body).toEqual({ data: [], hasMore: false, nextCursor: first.nextCursor })
  for (const [query, count] of [
    [`status=${listed.status}`, 1],
    ['status=succeeded&status=missed', 0],
    ['type=printjob.done', 1],
    ['type=printer.added', 0],
    [`type=printer.added&type=printjob.done&status=${listed.status}&dir=asc`, 1],
  ])
    expect((await send('GET', `/deliveries?${query}`)).body.data, `${query}`).toHaveLength(Number(count))
})

test('a replay is answered with the delivery [endpoint.POST.webhooks.id.deliveries.deliveryId.replay]', async () => {
  const { attempted, delivery, send } = await newDelivery()
  const { status, body } = await send('POST', `${delivery}/replay`, {})
  expect([status, body]).toMatchObject([202, { id: attempted.id, status: 'pending', eventId: attempted.eventId }])
  const sent = { since: attempted.createdAt }
  expectError(await send('POST', `${delivery}/replay`, sent), 400, 'invalid_request', /This takes no body/)
})

test('a replay of a range is answered with how many there were [endpoint.POST.webhooks.id.replay]', async () => {
  const { attempted, send } = await newDelivery()
  const since = attempted.createdAt
  for (const [range, replayed] of [
    [{ since }, 0],
    [{ since: new Date(Date.parse(since) + 1).toISOString(), status: 'pending' }, 0],
    [{ since, until: since, status: 'pending' }, 0],
    [{ since, status: ['pending', 'failed'] }, 1],
  ])
    expect(await send('POST', '/replay', range)).toMatchObject({ status: 202, body: { replayed } })
})

test('a disabled endpoint answers 409 to replays and tests [replay.disabled replay.range.disabled]', async () => {
  const { delivery, attempted, send } = await newDelivery()
  await send('PATCH', '', { enabled: false })
  for (const [path, body] of [
    [`${delivery}/replay`, {}],
    ['/replay', { since: attempted.createdAt }],
    ['/test', {}],
  ] as const)
    expectError(await send('POST', path, body), 409, 'endpoint_disabled')
})
