import { randomUUID } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import type { ApiError } from '@platen/runtime/errors.ts'
import { createSeal } from '@platen/runtime/seal.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { isSignedBy, startWebhookReceiver } from '@platen/test/harness/webhook-receiver.ts'
import { expect, onTestFinished, test } from 'vitest'
import { EARLIER_SECRETS_MAX } from '../rpc/rotate-secret.ts'
import { startTestWebhooks, type TestWebhooks } from './start-test-webhooks.ts'

const URL = 'http://127.0.0.1:9/hook'
const DAY_SECONDS = 86_400
const HOUR_MS = 3_600_000
const NOBODY = randomUUID()

type Tenant = { organizationId: string; mode: string }
const tenant = (mode = 'test'): Tenant => ({ organizationId: randomUUID(), mode })

async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => 'ok',
    (error: unknown) => (error as ApiError).code,
  )
}

async function makeEndpoint({ endpoints }: TestWebhooks, of = tenant(), facts = {}) {
  const { endpoint, secret } = await endpoints.createEndpoint({ ...of, url: URL, events: ['printjob.done'], ...facts })
  if (!endpoint) throw new Error('no endpoint')
  return { endpoint, secret, key: { ...of, endpointId: endpoint.id } }
}

/** @returns how it was before it failed, and what enables or disables it. */
async function makeFailingEndpoint(webhooks: TestWebhooks) {
  const { key, endpoint } = await makeEndpoint(webhooks)
  const { query, clock, endpoints } = webhooks
  await query('UPDATE webhooks.endpoint SET failing_since = $2 WHERE id = $1', [endpoint.id, clock.now()])
  const update = async (enabled: boolean) => (await endpoints.updateEndpoint({ ...key, enabled })).endpoint
  return { endpoint, update }
}

async function startReceiver() {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.stop())
  return receiver
}

/** The texts that sign now, the present one first. */
async function signingSecrets({ query, config, clock }: TestWebhooks, endpointId: string): Promise<string[]> {
  const rows = await query<{ sealed: Buffer }>(
    `SELECT sealed FROM webhooks.secret WHERE endpoint_id = $1 AND (expires_at IS NULL OR expires_at > $2)
     ORDER BY expires_at IS NOT NULL, id DESC`,
    [endpointId, clock.now()],
  )
  return rows.map(({ sealed }) => createSeal(config.webhookKey).open(endpointId, sealed))
}

/** Those that are pending are due in an hour. */
async function addDeliveries({ query, clock }: TestWebhooks, endpointId: string, statuses: string[]): Promise<void> {
  await query(
    `INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, next_attempt_at, due_at, created_at)
     SELECT uuidv7(), $1, uuidv7(), 'printjob.done', status, $4, $4, $3 FROM unnest($2::text[]) AS status`,
    [endpointId, statuses, clock.now(), new Date(clock.now().getTime() + HOUR_MS)],
  )
}

async function statusesOf({ query }: TestWebhooks, endpointId: string): Promise<string[]> {
  const rows = await query<{ status: string }>(
    'SELECT status FROM webhooks.delivery WHERE endpoint_id = $1 ORDER BY status',
    [endpointId],
  )
  return rows.map(({ status }) => status)
}

test('a new endpoint is enabled, of its organization and mode, and has a secret of `whsec_` and 24 bytes', async () => {
  const webhooks = await startTestWebhooks()
  const of = tenant()
  const { endpoint, secret, key } = await makeEndpoint(webhooks, of, { description: 'ERP' })
  expect(endpoint).toMatchObject({ ...of, url: URL, events: ['printjob.done'], description: 'ERP', enabled: true })
  expect([endpoint.disabledReason, endpoint.failingSince]).toEqual([undefined, undefined])
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  expect((await webhooks.endpoints.getEndpoint(key)).endpoint).toEqual(endpoint)
})

test('no secret is in the database as it is, in whatever form', async () => {
  const webhooks = await startTestWebhooks()
  const { query, endpoints } = webhooks
  const { secret, key } = await makeEndpoint(webhooks)
  const { secret: next } = await endpoints.rotateSecret({ ...key, graceSeconds: 60 })
  expect(await signingSecrets(webhooks, key.endpointId)).toEqual([next, secret])
  const rows = await query<{ row: string }>(
    `SELECT s::text AS row FROM webhooks.secret AS s UNION ALL SELECT e::text FROM webhooks.endpoint AS e`,
  )
  const stored = rows.map(({ row }) => row).join('\n')
  for (const text of [secret, next]) {
    const key24 = Buffer.from(text.slice('whsec_'.length), 'base64')
    for (const form of [text, text.slice('whsec_'.length), Buffer.from(text).toString('hex'), key24.toString('hex')])
      expect(stored).not.toContain(form)
  }
  expect(stored).toContain(key.endpointId)
})

test('the 20th endpoint of an organization and mode is made, the 21st is `limit_reached`, also of 30 at once', async () => {
  const webhooks = await startTestWebhooks()
  const of = tenant()
  const codes = await Promise.all(Array.from({ length: 30 }, () => codeOf(makeEndpoint(webhooks, of))))
  expect(codes.filter((code) => code === 'ok')).toHaveLength(20)
  expect(codes.filter((code) => code === 'limit_reached')).toHaveLength(10)
  await makeEndpoint(webhooks, { ...of, mode: 'live' }, { url: 'https://127.0.0.1/' })
  await makeEndpoint(webhooks)

  const { endpoints: listed } = await webhooks.endpoints.listEndpoints({ ...of, page: { limit: 100 } })
  expect(listed).toHaveLength(20)
  await webhooks.endpoints.deleteEndpoint({ ...of, endpointId: listed[0]?.id })
  await makeEndpoint(webhooks, of)
  expect(await codeOf(makeEndpoint(webhooks, of))).toBe('limit_reached')
})

test('endpoints are listed newest first, or oldest first, in pages, of one organization and mode', async () => {
  const webhooks = await startTestWebhooks()
  const of = tenant()
  const ids: string[] = []
  for (const n of [1, 2, 3]) ids.push((await makeEndpoint(webhooks, of, { description: `${n}` })).endpoint.id)
  await makeEndpoint(webhooks)
  await makeEndpoint(webhooks, { ...of, mode: 'live' }, { url: 'https://127.0.0.1/' })
  const list = async (page: object) => {
    const { endpoints, end } = await webhooks.endpoints.listEndpoints({ ...of, page })
    return { ids: endpoints.map(({ id }) => id), end }
  }
  expect((await list({})).ids).toEqual(ids.toReversed())
  const first = await waitFor(async () => {
    const page = await list({ ascending: true, limit: 2 })
    expect(page).toMatchObject({ ids: ids.slice(0, 2), end: { hasMore: true } })
    return page
  })
  await waitFor(async () =>
    expect((await list({ ascending: true, limit: 2, after: first.end?.place })).ids).toEqual(ids.slice(2)),
  )
})

test('an endpoint of another organization or mode does not exist', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint } = await makeEndpoint(webhooks)
  const { endpoints } = webhooks
  for (const other of [
    { ...key, organizationId: NOBODY },
    { ...key, mode: 'live' },
    { ...key, endpointId: NOBODY },
  ]) {
    const calls = [
      endpoints.getEndpoint(other),
      endpoints.updateEndpoint({ ...other, enabled: false }),
      endpoints.updateEndpoint({ ...other, url: 'https://10.0.0.1/' }),
      endpoints.deleteEndpoint(other),
      endpoints.rotateSecret({ ...other, graceSeconds: 0 }),
      endpoints.testEndpoint(other),
    ]
    expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(['not_found']))
  }
  expect((await endpoints.getEndpoint(key)).endpoint).toEqual(endpoint)
  expect(await statusesOf(webhooks, endpoint.id)).toEqual([])
})

test('a change leaves what it does not name, and one without anything changes nothing', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint } = await makeEndpoint(webhooks, tenant(), { description: 'ERP' })
  const update = async (changes: object) => (await webhooks.endpoints.updateEndpoint({ ...key, ...changes })).endpoint
  expect(await update({})).toEqual(endpoint)
  const url = 'http://127.0.0.1:10/other'
  expect(await update({ url })).toEqual({ ...endpoint, url })
  const events = ['printer.added', 'printjob.error']
  expect(await update({ events: { types: events } })).toEqual({ ...endpoint, url, events })
  expect(await update({ description: {} })).toEqual({ ...endpoint, url, events, description: undefined })
  expect((await webhooks.endpoints.getEndpoint(key)).endpoint).toMatchObject({ url, events })
})

test('of two changes at once of different fields both stay', async () => {
  const webhooks = await startTestWebhooks()
  const { key } = await makeEndpoint(webhooks)
  for (let n = 0; n < 5; n++) {
    await Promise.all([
      webhooks.endpoints.updateEndpoint({ ...key, description: { text: `${n}` } }),
      webhooks.endpoints.updateEndpoint({ ...key, url: `${URL}${n}` }),
      webhooks.endpoints.updateEndpoint({ ...key, enabled: n % 2 === 0 }),
    ])
    const { endpoint } = await webhooks.endpoints.getEndpoint(key)
    expect(endpoint).toMatchObject({ description: `${n}`, url: `${URL}${n}`, enabled: n % 2 === 0 })
  }
})

test('disabled by a change the reason is `user`; enabled again there is none, nor `failingSince`', async () => {
  const webhooks = await startTestWebhooks()
  const { endpoint, update } = await makeFailingEndpoint(webhooks)
  const disabled = await update(false)
  expect(disabled).toMatchObject({ enabled: false, disabledReason: 'user' })
  expect(disabled?.failingSince).toBeDefined()
  expect(await update(true)).toEqual(endpoint)
})

test('what an endpoint is already it stays: a reason, and since when it fails', async () => {
  const webhooks = await startTestWebhooks()
  const { endpoint, update } = await makeFailingEndpoint(webhooks)
  expect((await update(true))?.failingSince).toBeDefined()
  await webhooks.query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'failures' WHERE id = $1`, [
    endpoint.id,
  ])
  expect(await update(false)).toMatchObject({ enabled: false, disabledReason: 'failures' })
})

test('when an endpoint is disabled its pending deliveries become `missed`, and no others', async () => {
  const webhooks = await startTestWebhooks()
  const [ours, theirs] = [await makeEndpoint(webhooks), await makeEndpoint(webhooks)]
  for (const { endpoint } of [ours, theirs])
    await addDeliveries(webhooks, endpoint.id, ['pending', 'pending', 'succeeded', 'failed'])
  await webhooks.endpoints.updateEndpoint({ ...ours.key, enabled: false })
  expect(await statusesOf(webhooks, ours.endpoint.id)).toEqual(['failed', 'missed', 'missed', 'succeeded'])
  expect(await statusesOf(webhooks, theirs.endpoint.id)).toEqual(['failed', 'pending', 'pending', 'succeeded'])
  const due = await webhooks.query(
    `SELECT FROM webhooks.delivery WHERE status = 'missed' AND (due_at IS NOT NULL OR next_attempt_at IS NOT NULL)`,
  )
  expect(due).toEqual([])
})

test('of a disabled endpoint also 12,000 pending deliveries, and one that came at the same moment, become `missed`', async () => {
  const webhooks = await startTestWebhooks()
  const [many, late] = [await makeEndpoint(webhooks), await makeEndpoint(webhooks)]
  await addDeliveries(webhooks, many.endpoint.id, Array(12_000).fill('pending'))
  for (const { key } of [many, late])
    await webhooks.endpoints.updateEndpoint({ ...key, enabled: false }, { timeoutMs: 20_000 })
  await addDeliveries(webhooks, late.endpoint.id, ['pending'])
  // Sweeps at its start.
  await webhooks.startReplica()
  await waitFor(async () => {
    for (const { endpoint } of [many, late])
      expect(new Set(await statusesOf(webhooks, endpoint.id))).toEqual(new Set(['missed']))
  })
})

test('neither an attempt that is being recorded nor its delivery keeps an endpoint from being disabled', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint } = await makeEndpoint(webhooks)
  await addDeliveries(webhooks, endpoint.id, ['pending', 'pending'])
  const release = await webhooks.hold(
    `SELECT FROM webhooks.delivery WHERE id = (SELECT min(id::text)::uuid FROM webhooks.delivery) FOR UPDATE`,
  )
  await webhooks.endpoints.updateEndpoint({ ...key, enabled: false })
  expect(await statusesOf(webhooks, endpoint.id)).toEqual(['missed', 'pending'])
  await release()
})

test('a deleted endpoint is gone with its secrets and pending deliveries; a second deletion finds nothing', async () => {
  const webhooks = await startTestWebhooks()
  const [ours, theirs] = [await makeEndpoint(webhooks), await makeEndpoint(webhooks)]
  for (const { endpoint } of [ours, theirs]) await addDeliveries(webhooks, endpoint.id, ['pending', 'succeeded'])
  await webhooks.endpoints.deleteEndpoint(ours.key)
  expect(await codeOf(webhooks.endpoints.getEndpoint(ours.key))).toBe('not_found')
  expect(await codeOf(webhooks.endpoints.deleteEndpoint(ours.key))).toBe('not_found')
  expect(await signingSecrets(webhooks, ours.endpoint.id)).toEqual([])
  expect(await statusesOf(webhooks, ours.endpoint.id)).toEqual(['succeeded'])
  expect(await signingSecrets(webhooks, theirs.endpoint.id)).toEqual([theirs.secret])
  expect(await statusesOf(webhooks, theirs.endpoint.id)).toEqual(['pending', 'succeeded'])
})

test('after a rotation both secrets sign until the time of grace is over, then the new one alone', async () => {
  const webhooks = await startTestWebhooks()
  const receiver = await startReceiver()
  const { key, secret, endpoint } = await makeEndpoint(webhooks, tenant(), { url: receiver.url })
  const rotated = await webhooks.endpoints.rotateSecret({ ...key, graceSeconds: DAY_SECONDS })
  expect(rotated.endpoint).toEqual(endpoint)
  expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  /** Which of the two sign a delivery that is made now. */
  async function signers(): Promise<boolean[]> {
    const { delivery } = await webhooks.endpoints.testEndpoint(key)
    return await waitFor(() => {
      const request = receiver.received.find(({ headers }) => headers['webhook-id'] === delivery?.eventId)
      if (!request) throw new Error('nothing came')
      expect(request.headers['webhook-signature']?.split(' ').length).toBeLessThanOrEqual(2)
      return [rotated.secret, secret].map((one) => isSignedBy(request, one))
    })
  }
  expect(await signers()).toEqual([true, true])
  webhooks.clock.advanceSeconds(DAY_SECONDS - 1)
  expect(await signers()).toEqual([true, true])
  webhooks.clock.advanceSeconds(1)
  expect(await signers()).toEqual([true, false])
  // Sweeps at its start.
  await webhooks.startReplica()
  await waitFor(async () => expect(await webhooks.query('SELECT FROM webhooks.secret')).toHaveLength(1))
})

test('a rotation without grace leaves the new secret alone, also of earlier ones whose grace goes on', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint } = await makeEndpoint(webhooks)
  await webhooks.endpoints.rotateSecret({ ...key, graceSeconds: DAY_SECONDS })
  const { secret } = await webhooks.endpoints.rotateSecret({ ...key, graceSeconds: 0 })
  expect(await signingSecrets(webhooks, endpoint.id)).toEqual([secret])
  expect(await webhooks.query('SELECT FROM webhooks.secret')).toHaveLength(1)
})

test('a longer grace does not lengthen that of an earlier secret', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint, secret } = await makeEndpoint(webhooks)
  const second = await webhooks.endpoints.rotateSecret({ ...key, graceSeconds: 60 })
  const third = await webhooks.endpoints.rotateSecret({ ...key, graceSeconds: 600 })
  expect(await signingSecrets(webhooks, endpoint.id)).toEqual([third.secret, second.secret, secret])
  webhooks.clock.advanceSeconds(60)
  expect(await signingSecrets(webhooks, endpoint.id)).toEqual([third.secret, second.secret])
})

test('at most the present secret and the 4 before it sign', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint, secret } = await makeEndpoint(webhooks)
  const made = [secret]
  for (let n = 0; n < EARLIER_SECRETS_MAX; n++)
    made.unshift((await webhooks.endpoints.rotateSecret({ ...key, graceSeconds: DAY_SECONDS })).secret)
  expect(await signingSecrets(webhooks, endpoint.id)).toEqual(made)
  made.unshift((await webhooks.endpoints.rotateSecret({ ...key, graceSeconds: DAY_SECONDS })).secret)
  expect(await signingSecrets(webhooks, endpoint.id)).toEqual(made.slice(0, EARLIER_SECRETS_MAX + 1))
})

test('rotations at once leave one present secret, which one of them answered', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint } = await makeEndpoint(webhooks)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => webhooks.endpoints.rotateSecret({ ...key, graceSeconds: 0 })),
  )
  const [present, ...others] = await signingSecrets(webhooks, endpoint.id)
  expect(others).toEqual([])
  expect(answers.map(({ secret }) => secret)).toContain(present)
})

test('a test sends a signed example that is made now, of the first type or another, at once and beside the feed', async () => {
  const webhooks = await startTestWebhooks({ now: new Date('2026-05-06T07:08:09.123Z') })
  const receiver = await startReceiver()
  const of = tenant()
  const events = ['printer.added', 'printjob.done']
  const { key, endpoint, secret } = await makeEndpoint(webhooks, of, { url: receiver.url, events })
  for (const [type, sent] of [
    ['', 'printer.added'],
    ['computer.offline', 'computer.offline'],
  ] as const) {
    const { delivery } = await webhooks.endpoints.testEndpoint({ ...key, type })
    const at = timestampFromDate(webhooks.clock.now())
    const facts = { endpointId: endpoint.id, eventType: sent, status: 'pending', attempts: 0 }
    expect(delivery).toMatchObject({ ...facts, createdAt: at, nextAttemptAt: at })
    const request = await waitFor(() => {
      const found = receiver.received.find(({ headers }) => headers['webhook-id'] === delivery?.eventId)
      if (!found) throw new Error('nothing came')
      return found
    })
    expect(isSignedBy(request, secret)).toBe(true)
    const example = exampleEvent(sent, 'test')
    const fresh = { id: delivery?.eventId, timestamp: '2026-05-06T07:08:09.123Z' }
    expect(JSON.parse(request.body)).toEqual({ ...example, ...fresh })
  }
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  expect(await webhooks.query('SELECT FROM webhooks.event')).toEqual([])
})

test('a disabled endpoint is tested in vain', async () => {
  const webhooks = await startTestWebhooks()
  const { key, endpoint } = await makeEndpoint(webhooks)
  await webhooks.endpoints.updateEndpoint({ ...key, enabled: false })
  expect(await codeOf(webhooks.endpoints.testEndpoint(key))).toBe('endpoint_disabled')
  expect(await statusesOf(webhooks, endpoint.id)).toEqual([])
})
