/** Deliveries over REST, in an installation as it is shipped. Their rules one by one: `services/webhooks/tests/deliveries.test.ts`, `failing.test.ts`. */
import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startWebhookReceiver, verify, type WebhookReceiver } from '../harness/webhook-receiver.ts'

const root = join(import.meta.dirname, '../..')

/** In the allowed network. */
const HOST = '127.9.8.7'
/** An endpoint that fails for longer is disabled. */
const DISABLE_AFTER_S = 20

let receiver: WebhookReceiver
let platen: Platen

beforeAll(async () => {
  receiver = await startWebhookReceiver({ host: HOST })
  const settings = { PLATEN_WEBHOOK_DISABLE_AFTER_SECONDS: String(DISABLE_AFTER_S), PLATEN_WEBHOOK_RETRY_GAPS: '1,1' }
  platen = await startPlaten({ env: { ...settings, PLATEN_ALLOWED_NETWORKS: `${HOST}/32` } })
})

afterAll(async () => {
  await platen?.stop()
  await receiver?.stop()
  if (platen) await removeDataDir(platen.dataDir)
})

/** Of jobs that are accepted. Its receiver answers each path by `answers`. */
async function createEndpoint(path: string) {
  const url = `${receiver.url}${path}?token=secret-1`
  const { status, body } = await platen.api.post('/v1/webhooks', { url, events: ['printjob.queued'] })
  expect([status, body.enabled]).toEqual([201, true])
  return { ...body, path: `/v1/webhooks/${body.id}`, requests: () => receiver.at(`${path}?token=secret-1`) }
}

async function createJob(): Promise<string> {
  const { id: printerId } = await platen.api.printer('Test A4 Laser')
  const content = makePdf('Hello').toString('base64')
  return (await platen.api.createJob({ printerId, title: 'Hello', contentType: 'pdf_base64', content })).id
}

/** The newest delivery of an endpoint, once it is as expected. */
async function delivery(endpoint: { path: string }, expected: object) {
  return await waitFor(async () => {
    const { body } = await platen.api.get(`${endpoint.path}/deliveries?limit=1`)
    expect(body.data[0]).toMatchObject(expected)
    return body.data[0]
  }, 60_000)
}

const errorOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

test('a delivery that was given up is read with its attempts, and arrives by a replay with the same id and bytes', async () => {
  receiver.answerBy(() => ({ status: 410, body: 'gone fishing' }))
  const endpoint = await createEndpoint('/replay')
  const jobId = await createJob()
  const failed = await delivery(endpoint, { status: 'failed', attempts: 1, lastStatusCode: 410, lastError: 'status' })
  expect(failed).toMatchObject({
    webhookId: endpoint.id,
    eventType: 'printjob.queued',
    nextAttemptAt: null,
    deliveredAt: null,
  })

  receiver.answerBy(() => ({ status: 201, body: 'thanks' }))
  const path = `${endpoint.path}/deliveries/${failed.id}`
  const { status, body } = await platen.api.post(`${path}/replay`, {})
  expect([status, body.id, body.status]).toEqual([202, failed.id, 'pending'])

  const succeeded = await delivery(endpoint, { id: failed.id, status: 'succeeded', attempts: 2, lastStatusCode: 201 })
  const read = (await platen.api.get(path)).body
  expect(read).toMatchObject(succeeded)
  expect(read.payload).toMatchObject({ id: failed.eventId, type: 'printjob.queued', data: { id: jobId } })
  expect(read.attemptLog).toEqual([
    attempt({ number: 1, trigger: 'scheduled', statusCode: 410, errorClass: 'status', response: 'gone fishing' }),
    attempt({ number: 2, trigger: 'replay', statusCode: 201, errorClass: null, response: 'thanks' }),
  ])
  const [first, second] = endpoint.requests()
  if (!first || !second) throw new Error('two requests should have come')
  expect([second.body, second.headers['webhook-id']]).toEqual([first.body, failed.eventId])
  expect(verify(second, endpoint.secret)).toEqual(read.payload)
})

const attempt = (facts: object) => ({
  at: expect.stringMatching(/^\d{4}-.*Z$/),
  durationMs: expect.any(Number),
  ...facts,
})

test('what a disabled endpoint missed is replayed as a range once it is enabled, and not before', async () => {
  receiver.answerBy(() => 200)
  const endpoint = await createEndpoint('/missed')
  const since = new Date().toISOString()
  await platen.api.request('PATCH', endpoint.path, json({ enabled: false }))
  await createJob()
  await createJob()
  const missed = await waitFor(async () => {
    const { body } = await platen.api.get(`${endpoint.path}/deliveries?status=missed&type=printjob.queued`)
    expect(body.data).toHaveLength(2)
    return body.data
  })
  expect(missed[0]).toMatchObject({ status: 'missed', attempts: 0, nextAttemptAt: null })
  const replay = () => platen.api.post(`${endpoint.path}/replay`, { since })
  expect(errorOf(await replay())).toEqual([409, 'endpoint_disabled'])
  const one = `${endpoint.path}/deliveries/${missed[0].id}/replay`
  expect(errorOf(await platen.api.post(one, {}))).toEqual([409, 'endpoint_disabled'])
  expect(endpoint.requests()).toEqual([])

  await platen.api.request('PATCH', endpoint.path, json({ enabled: true }))
  expect(await replay()).toMatchObject({ status: 202, body: { replayed: 2 } })
  await waitFor(async () => {
    const { body } = await platen.api.get(`${endpoint.path}/deliveries?status=succeeded`)
    expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      missed.map(({ id }: { id: string }) => id).toSorted(),
    )
  }, 30_000)
  expect(await replay()).toMatchObject({ status: 202, body: { replayed: 0 } })
})

test('a test is a delivery whose attempt says so', async () => {
  receiver.answerBy(() => 200)
  const endpoint = await createEndpoint('/test')
  const { body: made } = await platen.api.post(`${endpoint.path}/test`, {})
  await delivery(endpoint, { id: made.id, status: 'succeeded' })
  const { body } = await platen.api.get(`${endpoint.path}/deliveries/${made.id}`)
  expect(body.attemptLog).toEqual([
    attempt({ number: 1, trigger: 'test', statusCode: 200, errorClass: null, response: '' }),
  ])
})

test('an endpoint that keeps failing is disabled, and the owners of its organization have a mail in the mailbox', async () => {
  const { body: identity } = await platen.api.get('/v1/whoami')
  const args = ['--org', identity.organization.id, '--email', 'Ann@example.com', '--role', 'owner']
  const env = { ...process.env, PLATEN_DATA_DIR: platen.dataDir }
  const added = spawnSync(process.execPath, ['deploy/admin/main.ts', 'users', 'add', ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  expect(JSON.parse(added.stdout)).toMatchObject({ email: 'ann@example.com', role: 'owner' })

  receiver.answerBy(() => 503)
  const endpoint = await createEndpoint('/failing')
  await createJob()
  await delivery(endpoint, { status: 'failed', attempts: 3, lastStatusCode: 503 })
  const disabled = await waitFor(async () => {
    const { body } = await platen.api.get(endpoint.path)
    expect(body).toMatchObject({ enabled: false, disabledReason: 'failures' })
    return body
  }, DISABLE_AFTER_S * 3_000)
  expect(disabled.failingSince).toMatch(/^\d{4}-/)

  const mailbox = join(platen.dataDir, 'mailbox')
  const mails = async () => {
    const names = (await readdir(mailbox)).filter((name) => name.endsWith('.eml'))
    return await Promise.all(names.map((name) => readFile(join(mailbox, name), 'utf8')))
  }
  const mail = await waitFor(async () => {
    const [found] = (await mails()).filter((text) => text.includes(endpoint.id))
    if (found === undefined) throw new Error('no mail names the endpoint')
    return found
  }, 30_000)
  expect(mail).toContain('To: ann@example.com')
  expect(mail).toContain('was disabled.')
  expect(mail).not.toContain('secret-1')
})

const json = (body: object) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
