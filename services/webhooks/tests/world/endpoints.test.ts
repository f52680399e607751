import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { isSignedBy } from '@platen/test/harness/webhook-receiver.ts'
import { expect, test } from 'vitest'
import { PENDING_MAX } from '../../disable-endpoint.ts'
import { getCode, HOUR_MS, NOWHERE, startTestWebhooks, type TestWebhooks } from '../webhooks-world.ts'

/** The secrets that sign now, the current one first. */
async function readSecrets({ query, webhooks, clock }: TestWebhooks, endpointId: string): Promise<string[]> {
  const rows = await query<{ encrypted: Buffer }>(
    `SELECT encrypted FROM webhooks.secret WHERE endpoint_id = $1 AND (expires_at IS NULL OR expires_at > $2)
     ORDER BY expires_at IS NOT NULL, id DESC`,
    [endpointId, clock.now()],
  )
  return rows.map(({ encrypted }) => webhooks.secretBox.decrypt(endpointId, encrypted))
}

const countSecrets = async ({ query }: TestWebhooks, id: string) =>
  (await query('SELECT FROM webhooks.secret WHERE endpoint_id = $1', [id])).length

/** Pending deliveries that are due in an hour, and others. */
async function addDeliveries({ addDeliveries, clock }: TestWebhooks, endpointId: string, pending = 2) {
  const nextAttemptAt = new Date(clock.now().getTime() + HOUR_MS)
  await addDeliveries(endpointId, { count: pending, status: 'pending', nextAttemptAt, withEvent: false })
  await addDeliveries(endpointId, { status: 'succeeded' })
  await addDeliveries(endpointId, { status: 'failed' })
}

test('a new endpoint is enabled and has a secret of `whsec_` and 24 bytes, which is stored encrypted', async () => {
  proves('webhook.description', 'webhook.secret', 'webhook.secret.form')
  const webhooks = await startTestWebhooks()
  const { endpoints, tenant, query } = webhooks
  const { endpoint, secret, key, id } = await webhooks.makeEndpoint({ description: 'ERP' })
  expect(endpoint).toMatchObject({
    ...tenant,
    url: NOWHERE,
    events: ['printjob.done'],
    description: 'ERP',
    enabled: true,
  })
  expect([endpoint.disabledReason, endpoint.failingSince]).toEqual([undefined, undefined])
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  expect((await endpoints.getEndpoint(key)).endpoint).toEqual(endpoint)
  const { secret: next } = await endpoints.rotateSecret({ ...key, graceSeconds: 60 })
  expect(await readSecrets(webhooks, id)).toEqual([next, secret])
  const rows = await query(
    `SELECT s::text AS row FROM webhooks.secret AS s WHERE endpoint_id = $1
     UNION ALL SELECT e::text FROM webhooks.endpoint AS e WHERE id = $1`,
    [id],
  )
  expect(rows).toHaveLength(3)
  for (const text of [secret, next]) {
    const bare = text.slice('whsec_'.length)
    for (const form of [text, bare, Buffer.from(text).toString('hex'), Buffer.from(bare, 'base64').toString('hex')])
      expect(JSON.stringify(rows)).not.toContain(form)
  }
})

test('a private URL is refused when an endpoint is created or changed, and the endpoint keeps its URL', async () => {
  const { endpoints, makeEndpoint, world } = await startTestWebhooks()
  world.addHost('inside.example.com', ['10.0.0.7'])
  const url = 'http://inside.example.com/'
  expect(await getCode(makeEndpoint({ url }))).toBe('invalid_url')
  const { key, endpoint } = await makeEndpoint()
  expect(await getCode(endpoints.updateEndpoint({ ...key, url }))).toBe('invalid_url')
  expect((await endpoints.getEndpoint(key)).endpoint).toEqual(endpoint)
})

test('of 30 concurrent creations the 20th endpoint of an organization and mode is created and the 21st is `limit_reached`', async () => {
  proves('webhook.limit.20', 'webhook.limit.21', 'error.409.limit_reached')
  proves('webhook.limit.other-mode', 'webhook.create.mode', 'test-mode.webhooks')
  const { makeEndpoint, endpoints, tenant, live, stranger } = await startTestWebhooks()
  const codes = await Promise.all(Array.from({ length: 30 }, () => getCode(makeEndpoint())))
  expect(codes.toSorted()).toEqual([...Array(10).fill('limit_reached'), ...Array(20).fill('ok')])
  expect((await makeEndpoint({}, live)).endpoint.mode).toBe('live')
  await makeEndpoint({}, stranger)
  const { endpoints: listed } = await endpoints.listEndpoints({ ...tenant, page: { limit: 100 } })
  expect(listed).toHaveLength(20)
  await endpoints.deleteEndpoint({ ...tenant, endpointId: listed[0]?.id })
  await makeEndpoint()
  expect(await getCode(makeEndpoint())).toBe('limit_reached')
})

test('endpoints are listed newest or oldest first, in pages, of one organization and mode', async () => {
  proves('endpoint.GET.webhooks')
  const { makeEndpoint, endpoints, tenant, live, stranger, untilVisible } = await startTestWebhooks()
  const ids: string[] = []
  for (const _ of 'abc') ids.push((await makeEndpoint()).id)
  await makeEndpoint({}, stranger)
  await makeEndpoint({}, live)
  await untilVisible()
  const list = async (page: object) => {
    const { endpoints: listed, end } = await endpoints.listEndpoints({ ...tenant, page })
    return { ids: listed.map(({ id }) => id), end }
  }
  expect((await list({})).ids).toEqual(ids.toReversed())
  const first = await list({ ascending: true, limit: 2 })
  expect(first).toMatchObject({ ids: ids.slice(0, 2), end: { hasMore: true } })
  expect((await list({ ascending: true, limit: 2, after: first.end?.position })).ids).toEqual(ids.slice(2))
})

test('an update changes the fields that it names, and concurrent updates of different fields all apply', async () => {
  proves('endpoint.PATCH.webhooks.id', 'webhook.patch.events', 'webhook.patch.description')
  const { makeEndpoint, endpoints } = await startTestWebhooks()
  const { key, endpoint } = await makeEndpoint({ description: 'ERP' })
  const update = async (changes: object) => (await endpoints.updateEndpoint({ ...key, ...changes })).endpoint
  expect(await update({})).toEqual(endpoint)
  const url = `${NOWHERE}/other`
  expect(await update({ url })).toEqual({ ...endpoint, url })
  const events = ['printer.added', 'printjob.error']
  expect(await update({ events: { types: events } })).toEqual({ ...endpoint, url, events })
  expect(await update({ description: {} })).toEqual({ ...endpoint, url, events, description: undefined })
  for (let n = 0; n < 5; n++) {
    const changed = { description: `${n}`, url: `${NOWHERE}${n}`, enabled: n % 2 === 0 }
    const { description, url, enabled } = changed
    await Promise.all([update({ description: { text: description } }), update({ url }), update({ enabled })])
    expect((await endpoints.getEndpoint(key)).endpoint).toMatchObject({ ...changed, events })
  }
})

test('`disabledReason` is `user` after an update; enabled again, it and `failingSince` are null', async () => {
  proves('webhook.disabledReason', 'webhook.failingSince', 'webhook.patch.user', 'webhook.patch.enabled-again')
  const { makeEndpoint, endpoints, query, clock } = await startTestWebhooks()
  const { key, endpoint, id } = await makeEndpoint()
  const failingSince = timestampFromDate(clock.now())
  await query('UPDATE webhooks.endpoint SET failing_since = $2 WHERE id = $1', [id, clock.now()])
  const update = async (enabled: boolean) => (await endpoints.updateEndpoint({ ...key, enabled })).endpoint
  expect(await update(true)).toEqual({ ...endpoint, failingSince })
  expect(await update(false)).toMatchObject({ enabled: false, disabledReason: 'user', failingSince })
  expect(await update(true)).toEqual(endpoint)
  await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'failures' WHERE id = $1`, [id])
  expect(await update(false)).toMatchObject({ enabled: false, disabledReason: 'failures' })
})

test('the pending deliveries of a disabled endpoint become `missed`, except one that is being recorded; a sweep does the rest', async () => {
  proves('missed.pending')
  const webhooks = await startTestWebhooks()
  const { makeEndpoint, readStatuses, world, query } = webhooks
  const [ours, theirs, many] = [await makeEndpoint(), await makeEndpoint(), await makeEndpoint()]
  for (const { id } of [ours, theirs]) await addDeliveries(webhooks, id, 3)
  await addDeliveries(webhooks, many.id, PENDING_MAX + 1)
  const commit = await webhooks.hold(
    `SELECT FROM webhooks.delivery WHERE endpoint_id = $1 AND status = 'pending' LIMIT 1 FOR UPDATE`,
    [ours.id],
  )
  for (const { key } of [ours, many]) await webhooks.endpoints.updateEndpoint({ ...key, enabled: false })
  expect(await readStatuses(ours.id)).toEqual(['failed', 'missed', 'missed', 'pending', 'succeeded'])
  expect(await readStatuses(theirs.id)).toEqual(['failed', 'pending', 'pending', 'pending', 'succeeded'])
  expect(await readStatuses(many.id)).toContain('pending')
  await commit()
  await world.sweep('webhooks', 'missed')
  for (const { id } of [ours, many])
    expect(new Set(await readStatuses(id))).toEqual(new Set(['failed', 'missed', 'succeeded']))
  const due = await query(
    `SELECT FROM webhooks.delivery WHERE endpoint_id = $1 AND (due_at IS NOT NULL OR next_attempt_at IS NOT NULL)`,
    [ours.id],
  )
  expect(due).toEqual([])
})

test('a deleted endpoint is gone with its secrets and pending deliveries; a second deletion is `not_found`', async () => {
  proves('webhook.delete.pending')
  const webhooks = await startTestWebhooks()
  const { makeEndpoint, endpoints, readStatuses } = webhooks
  const [ours, theirs] = [await makeEndpoint(), await makeEndpoint()]
  for (const { id } of [ours, theirs]) await addDeliveries(webhooks, id)
  await endpoints.deleteEndpoint(ours.key)
  expect(await getCode(endpoints.getEndpoint(ours.key))).toBe('not_found')
  expect(await getCode(endpoints.deleteEndpoint(ours.key))).toBe('not_found')
  expect(await countSecrets(webhooks, ours.id)).toBe(0)
  expect(await readStatuses(ours.id)).toEqual(['failed', 'succeeded'])
  expect(await readSecrets(webhooks, theirs.id)).toEqual([theirs.secret])
  expect(await readStatuses(theirs.id)).toEqual(['failed', 'pending', 'pending', 'succeeded'])
})

test('after a rotation both secrets sign until the grace ends, then the new one alone', async () => {
  proves('webhook.rotate.both', 'webhook.rotate.after')
  const webhooks = await startTestWebhooks()
  const { endpoints, world } = webhooks
  const { key, secret, endpoint, received } = await webhooks.startDelivering()
  const rotated = await endpoints.rotateSecret({ ...key, graceSeconds: 60 })
  expect(rotated.endpoint).toEqual(endpoint)
  expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  /** The secrets of the two that sign a delivery that is made now. */
  async function readSigners(): Promise<boolean[]> {
    const { delivery } = await endpoints.testEndpoint(key)
    return await waitFor(() => {
      const request = received().find(({ headers }) => headers['webhook-id'] === delivery?.eventId)
      if (!request) throw new Error('no request')
      expect(request.headers['webhook-signature']?.split(' ').length).toBeLessThanOrEqual(2)
      return [rotated.secret, secret].map((one) => isSignedBy(request, one))
    })
  }
  expect(await readSigners()).toEqual([true, true])
  world.advance(59_000)
  expect(await readSigners()).toEqual([true, true])
  world.advance(1_000)
  expect(await readSigners()).toEqual([true, false])
  await world.sweep('webhooks', 'secrets')
  expect(await countSecrets(webhooks, key.endpointId)).toBe(1)
})

test(`the present secret and the ${WEBHOOK_LIMITS.earlierSecretsMax} before it sign, none of them longer than the grace of a later rotation`, async () => {
  const testing = await startTestWebhooks()
  const { key, secret, id } = await testing.makeEndpoint()
  const rotate = async (graceSeconds: number) => (await testing.endpoints.rotateSecret({ ...key, graceSeconds })).secret
  const made = [secret]
  for (let n = 0; n < WEBHOOK_LIMITS.earlierSecretsMax; n++) made.unshift(await rotate(n === 1 ? 60 : 600))
  expect(await readSecrets(testing, id)).toEqual(made)
  made.unshift(await rotate(600))
  expect(await readSecrets(testing, id)).toEqual(made.slice(0, WEBHOOK_LIMITS.earlierSecretsMax + 1))
  testing.world.advance(60_000)
  expect(await readSecrets(testing, id)).toEqual(made.slice(0, WEBHOOK_LIMITS.earlierSecretsMax))
  const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(0)))
  const [present = '', ...others] = await readSecrets(testing, id)
  expect(others).toEqual([])
  expect(answers).toContain(present)
  expect(await countSecrets(testing, id)).toBe(1)
})

test('a test sends a signed example of the first or the named type at once, is not in the feed, and is `endpoint_disabled` on a disabled endpoint', async () => {
  proves('webhook.test.signed', 'webhook.test.type', 'webhook.test.no-feed', 'webhook.test.disabled')
  const webhooks = await startTestWebhooks()
  const { key, id, secret, received } = await webhooks.startDelivering()
  await webhooks.endpoints.updateEndpoint({ ...key, events: { types: ['printer.added', 'printjob.done'] } })
  for (const [type, sent] of [
    ['', 'printer.added'],
    ['computer.offline', 'computer.offline'],
  ] as const) {
    const { delivery } = await webhooks.endpoints.testEndpoint({ ...key, type })
    const now = webhooks.clock.now()
    const at = timestampFromDate(now)
    const facts = { endpointId: id, eventType: sent, status: 'pending', attempts: 0 }
    expect(delivery).toMatchObject({ ...facts, createdAt: at, nextAttemptAt: at })
    const request = await waitFor(() => {
      const found = received().find(({ headers }) => headers['webhook-id'] === delivery?.eventId)
      if (!found) throw new Error('no request')
      return found
    })
    expect(isSignedBy(request, secret)).toBe(true)
    const fresh = { id: delivery?.eventId, timestamp: now.toISOString() }
    expect(JSON.parse(request.body)).toEqual({ ...exampleEvent(sent, 'test'), ...fresh })
  }
  expect(received()).toHaveLength(2)
  const { organizationId } = webhooks.tenant
  expect(await webhooks.query('SELECT FROM webhooks.event WHERE organization_id = $1', [organizationId])).toEqual([])
  await webhooks.endpoints.updateEndpoint({ ...key, enabled: false })
  expect(await getCode(webhooks.endpoints.testEndpoint(key))).toBe('endpoint_disabled')
  expect(await webhooks.readStatuses(id)).toHaveLength(2)
})
