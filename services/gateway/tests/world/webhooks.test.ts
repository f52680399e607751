/**
 * The calls of the operations on webhooks to the service. Their effects are tested in `services/webhooks` and
 * `test/api`.
 */
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { CountDeliveriesResponseSchema, DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { expectError } from '../client.ts'

/** An endpoint whose server refuses all connections. */
async function newEndpoint() {
  const organization = await newOrganization()
  const { api, world } = organization
  world.addHost('hooks.example.com', ['93.184.216.34'], 9)
  const { body } = await api.post('/v1/webhooks', { url: 'https://hooks.example.com/in', events: ['printjob.done'] })
  const path = `/v1/webhooks/${body.id}`
  const send = (method: string, to: string, fields?: unknown) =>
    api.request(method, path + to, {
      ...(fields !== undefined && { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }),
    })
  const { secret, ...shown } = body
  return { organization, world, secret, shown, send }
}

test('an endpoint is changed, disabled and enabled, and its secret is in no answer but of a creation and a rotation', async () => {
  proves('webhook.get.no-secret', 'webhook.patch.no-secret')
  const { secret, shown, send } = await newEndpoint()
  expect((await send('GET', '')).body).toEqual(shown)
  const changes = { url: 'https://hooks.example.com/other', events: EVENT_TYPES, description: '🖨' }
  const disabled = (await send('PATCH', '', { ...changes, enabled: false })).body
  expect(disabled).toEqual({ ...shown, ...changes, enabled: false, disabledReason: 'user' })
  const enabled = { ...shown, ...changes, description: null }
  expect((await send('PATCH', '', { enabled: true, description: null })).body).toEqual(enabled)
  for (const sent of [undefined, { graceSeconds: 0 }]) {
    const { body } = await send('POST', '/rotate-secret', sent)
    expect(body).toEqual({ ...enabled, secret: expect.stringMatching(/^whsec_/) })
    expect(body.secret).not.toBe(secret)
  }
})

test('a session counts the deliveries of an endpoint of its organization and mode since a time', async () => {
  proves('account.webhooks.figures')
  const { organization, world, shown } = await newEndpoint()
  const browser = await signInAs(organization, 'admin')
  const path = `/account/webhooks/${shown.id}/figures`
  const since = '2026-03-02T09:00:00.000Z'
  const counts = { pending: 1, succeeded: 2, failed: 3, missed: 4 }
  let asked: unknown
  const message = create(CountDeliveriesResponseSchema, {
    entries: [{ start: timestampFromMs(Date.parse(since)), ...counts }],
    completeSince: timestampFromMs(Date.parse(since) + 1),
  })
  const after = `interval=hour&since=${since}`
  expect((await browser.get(`${path}?${after}`)).body.data).toEqual([])
  world.intercept(DeliveriesService.method.countDeliveries, async (request, next) => {
    asked = request.message
    return { ...(await next(request)), message } as never
  })
  expect((await browser.get(`${path}?${after}`)).body).toEqual({
    data: [{ start: since, ...counts }],
    completeSince: '2026-03-02T09:00:00.001Z',
  })
  expect(asked).toMatchObject({ endpointId: shown.id, mode: 'live', interval: 'hour', since: { nanos: 0 } })
  for (const [query, message] of [
    [`interval=month&since=${since}`, /`interval`: must be `hour` or `day`/],
    ['interval=day', /^Missing: `since`/],
    [`${after}&limit=1`, /`limit`/],
  ] as const)
    expectError(await browser.get(`${path}?${query}`), 400, 'invalid_request', message)
  const stranger = await signInAs(await newOrganization(), 'owner')
  expectError(await stranger.get(`${path}?${after}`), 404, 'not_found')
  const inTest = await browser.request('GET', `${path}?${after}`, { headers: { 'platen-mode': 'test' } })
  expectError(inTest, 404, 'not_found')
})

test('a delivery is read with its payload and attempts, and replayed, alone or in a range', async () => {
  proves(
    'endpoint.GET.webhooks.id.deliveries.deliveryId',
    'endpoint.POST.webhooks.id.deliveries.deliveryId.replay',
    'endpoint.POST.webhooks.id.replay',
  )
  const { world, send } = await newEndpoint()
  const { body: tested } = await send('POST', '/test')
  const path = `/deliveries/${tested.id}`
  const delivery = await waitFor(async () => {
    const { body } = await send('GET', path)
    expect(body.attempts).toBe(1)
    return body
  })
  const { payload, attemptLog, ...listed } = delivery
  expect(listed.job).toBeNull()
  expect(payload).toMatchObject({ id: delivery.eventId, type: 'printjob.done' })
  expect(attemptLog).toMatchObject([{ number: 1, trigger: 'test', statusCode: null, errorClass: 'connect' }])
  await untilVisible(world.pool)
  const filters = `type=printer.added&type=printjob.done&status=${listed.status}&dir=asc`
  expect((await send('GET', `/deliveries?${filters}`)).body.data).toEqual([listed])
  expect((await send('GET', '/deliveries?type=printer.added')).body.data).toEqual([])
  const since = delivery.createdAt
  for (const [range, replayed] of [
    [{ since }, 0],
    [{ since: new Date(Date.parse(since) + 1).toISOString(), status: 'pending' }, 0],
    [{ since, until: since, status: 'pending' }, 0],
    [{ since, status: ['pending', 'failed'] }, 1],
  ])
    expect(await send('POST', '/replay', range)).toMatchObject({ status: 202, body: { replayed, gaps: [] } })
  const gap = { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' }
  await world.query('UPDATE webhooks.endpoint SET gaps = tstzmultirange(tstzrange($2, $3)) WHERE id = $1', [
    delivery.webhookId,
    gap.since,
    gap.until,
  ])
  expect((await send('POST', '/replay', { since: gap.since })).body).toMatchObject({ gaps: [gap] })
  const again = await send('POST', `${path}/replay`, {})
  expect([again.status, again.body]).toMatchObject([202, { id: delivery.id, status: 'pending' }])
  expectError(await send('POST', `${path}/replay`, { since }), 400, 'invalid_request', /has no body/)
})
