/** `Idempotency-Key`, through the real gateway and the real jobs service on PostgreSQL. Source: specification, "Idempotency rules". */
import { rm, writeFile } from 'node:fs/promises'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { beginUpload } from './begin-upload.ts'
import { expectError } from './expect-error.ts'
import { sendRaw } from './send-raw.ts'
import { LIVE_PRINTER_ID, OTHER_ORGANIZATION_ID, startTestCreation } from './start-test-creation.ts'
import { PDF, printJob, startTestGateway } from './start-test-gateway.ts'
import { COMPUTER_ID } from './start-test-services.ts'

const DAY_SECONDS = 24 * 60 * 60
const LEASE_SECONDS = 150
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

const send = (api: Api, key: string, body: unknown = printJob()) =>
  api.post('/v1/printjobs', body, { 'idempotency-key': key })

/** @returns the job, which this request has made. */
async function expectCreated(api: Api, key: string, body?: unknown) {
  const answer = await send(api, key, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  expect(answer.headers.get('idempotent-replayed')).toBeNull()
  return answer.body
}

async function expectReplay(api: Api, key: string, body?: unknown) {
  const answer = await send(api, key, body)
  expect([answer.status, answer.headers.get('idempotent-replayed')], JSON.stringify(answer.body)).toEqual([201, 'true'])
  return answer.body
}

describe('the same key', () => {
  test('with the same body is a 201 with the first job and `Idempotent-Replayed`, and makes nothing new', async () => {
    const { api, jobIds, services } = await startTestCreation()
    const first = await expectCreated(api, 'order 17')
    expect(await expectReplay(api, 'order 17')).toEqual(first)
    expect(await expectReplay(api, 'order 17')).toEqual(first)
    expect(await jobIds()).toEqual([first.id])
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('answers with the job as it is now, also to another API key, and does not print it again', async () => {
    const { api, client, pool, jobIds } = await startTestCreation()
    const first = await expectCreated(api, 'k')
    await pool.query(`UPDATE jobs.job SET state = 'done', finished_at = '2026-01-01T00:00:05Z' WHERE id = $1`, [
      first.id,
    ])
    expect(await expectReplay(client(), 'k')).toEqual({
      ...first,
      state: 'done',
      finishedAt: '2026-01-01T00:00:05.000Z',
    })
    expect(await jobIds()).toEqual([first.id])
  })

  test.each<[string, (body: Record<string, unknown>) => string]>([
    ['another title', (body) => JSON.stringify({ ...body, title: 'Other' })],
    ['another document', (body) => JSON.stringify({ ...body, content: base64(`${PDF}\n`) })],
    ['one field more', (body) => JSON.stringify({ ...body, qty: 1 })],
    ['one option less', (body) => JSON.stringify({ ...body, options: { copies: 2 } })],
    ['a printer that does not exist', (body) => JSON.stringify({ ...body, printerId: COMPUTER_ID })],
    ['what is no print job', () => '[]'],
  ])('with another body is a 422, also when the first job is final: %s', async (_, change) => {
    const { api, jobIds, pool, services } = await startTestCreation()
    const body = printJob({ options: { copies: 2, duplex: 'long-edge' } })
    const { id } = await expectCreated(api, 'k', body)
    expectError(await send(api, 'k', change(body)), 422, 'idempotency_key_reused', /new key/)
    await pool.query(`UPDATE jobs.job SET state = 'done' WHERE id = $1`, [id])
    expectError(await send(api, 'k', change(body)), 422, 'idempotency_key_reused')
    await expectReplay(api, 'k', body)
    expect(await jobIds()).toEqual([id])
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('with the same body in another order, other white space and other escapes is a replay', async () => {
    const { api, jobIds } = await startTestCreation()
    const body = printJob({ title: 'Für /Ω', content: base64('%PDF-???>>>'), options: { copies: 2, color: true } })
    const first = await expectCreated(api, 'k', body)
    const { content, title, printerId, contentType } = body as Record<string, string>
    const escaped = content?.replaceAll('/', '\\/').replace('J', '\\u004a')
    const other = `{ "options":{"color" : true,\n"copies":2.0}, "content":"${escaped}","title":"F\\u00fcr \\/Ω",
      "contentType":"${contentType}",\t"printerId" :"${printerId}"}`
    expect(title).toBe('Für /Ω')
    expect(await expectReplay(api, 'k', other)).toEqual(first)
    expect(await jobIds()).toHaveLength(1)
  })

  test('at once from 50 clients makes one job', async () => {
    const { client, jobIds, services } = await startTestCreation()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(client(), 'k')))
    const [id, ...others] = await jobIds()
    expect(others).toEqual([])
    const created = answers.filter(({ status, headers }) => status === 201 && !headers.has('idempotent-replayed'))
    expect(created.map(({ body }) => body.id)).toEqual([id])
    for (const answer of answers.filter((one) => !created.includes(one))) {
      if (answer.status === 201) expect(answer.body.id).toBe(id)
      else expectError(answer, 409, 'idempotency_in_progress')
    }
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('in the other mode or in another organization is another key', async () => {
    const { api, client, jobIds } = await startTestCreation()
    await expectCreated(api, 'k')
    await expectCreated(client('test', OTHER_ORGANIZATION_ID), 'k')
    await expectCreated(client('live'), 'k', printJob({ printerId: LIVE_PRINTER_ID }))
    expect(await jobIds()).toHaveLength(3)
  })

  test('is known for 24 hours, and then makes a new job', async () => {
    const { api, clock, jobIds } = await startTestCreation()
    const first = await expectCreated(api, 'k')
    clock.advanceSeconds(DAY_SECONDS - 0.001)
    expect((await expectReplay(api, 'k')).id).toBe(first.id)
    clock.advanceSeconds(0.001)
    const second = await expectCreated(api, 'k', printJob({ title: 'Tomorrow' }))
    expect(await jobIds()).toEqual([first.id, second.id])
  })

  test('with 25 MB answers without storing them again, and tells another last byte', async () => {
    const { api, jobIds, services } = await startTestCreation()
    const document = Buffer.alloc(26_214_400, PDF)
    const body = printJob({ content: base64(document) })
    const first = await expectCreated(api, 'k', body)
    expect(await expectReplay(api, 'k', body)).toEqual(first)
    document[document.length - 1] = 0
    expectError(await send(api, 'k', printJob({ content: base64(document) })), 422, 'idempotency_key_reused')
    expect(await jobIds()).toEqual([first.id])
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('is known to jobs and gateways that were started anew', async () => {
    const { api, key, jobs, startRealJobs, startRealGateway, jobIds } = await startTestCreation()
    const first = await expectCreated(api, 'k')
    await jobs.stop()
    await startRealJobs()
    expect((await waitFor(() => expectReplay(api, 'k'))).id).toBe(first.id)
    expect((await expectReplay(createApi(await startRealGateway(), key), 'k')).id).toBe(first.id)
    expect(await jobIds()).toEqual([first.id])
  })

  test('without the header each request makes a job', async () => {
    const { api, jobIds, keyCount } = await startTestCreation()
    await api.createJob(printJob())
    await api.createJob(printJob())
    expect(await jobIds()).toHaveLength(2)
    expect(await keyCount()).toBe(0)
  })
})

describe('while the first request is still coming in', () => {
  test('the same key is a 409, and afterwards a replay', async () => {
    const { api, baseUrl, key, keyCount, jobIds } = await startTestCreation()
    const upload = beginUpload(baseUrl, key, 'k')
    await waitFor(async () => expect(await keyCount()).toBe(1))
    expectError(await send(api, 'k'), 409, 'idempotency_in_progress')
    expectError(await send(api, 'k', printJob({ title: 'Other' })), 409, 'idempotency_in_progress')
    await expectCreated(api, 'another')
    const { status, body } = await upload.finish()
    expect(status).toBe(201)
    expect((await expectReplay(api, 'k')).id).toBe(body.id)
    expect(await jobIds()).toHaveLength(2)
  })

  test('a client that goes away releases the key at once', async () => {
    const { api, baseUrl, key, keyCount, services } = await startTestCreation()
    const upload = beginUpload(baseUrl, key, 'k')
    await waitFor(async () => expect(await keyCount()).toBe(1))
    upload.leave()
    await waitFor(async () => expect(await keyCount()).toBe(0))
    await expectCreated(api, 'k')
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('one that is taken for dead can make no second job', async () => {
    const { api, baseUrl, key, keyCount, clock, jobIds, services } = await startTestCreation()
    const upload = beginUpload(baseUrl, key, 'k')
    await waitFor(async () => expect(await keyCount()).toBe(1))
    clock.advanceSeconds(LEASE_SECONDS - 0.001)
    expectError(await send(api, 'k'), 409, 'idempotency_in_progress')
    clock.advanceSeconds(0.001)
    const second = await expectCreated(api, 'k')
    expect(await upload.finish()).toMatchObject({ status: 409, body: { error: { code: 'idempotency_in_progress' } } })
    expect(await jobIds()).toEqual([second.id])
    expect((await expectReplay(api, 'k')).id).toBe(second.id)
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('and is taken for dead, it does not release the key of the one that took over', async () => {
    const { api, baseUrl, key, keyCount, clock, pool } = await startTestCreation()
    const token = async () => (await pool.query('SELECT claim_token FROM jobs.idempotency_key')).rows[0]?.claim_token
    const first = beginUpload(baseUrl, key, 'k')
    await waitFor(async () => expect(await keyCount()).toBe(1))
    const firstToken = await token()
    clock.advanceSeconds(LEASE_SECONDS)
    const second = beginUpload(baseUrl, key, 'k')
    await waitFor(async () => expect(await token()).not.toBe(firstToken))
    expect(await first.finish()).toMatchObject({ status: 409 })
    expectError(await send(api, 'k'), 409, 'idempotency_in_progress')
    expect(await second.finish()).toMatchObject({ status: 201 })
  })
})

describe('a first request that fails releases its key', () => {
  test.each<[string, Record<string, unknown>, number]>([
    ['a wrong field', { qty: 0 }, 400],
    ['an unknown printer', { printerId: COMPUTER_ID }, 404],
    ['a document that is too large', { content: base64(Buffer.alloc(26_214_401, PDF)) }, 413],
    ['a document that is no PDF', { content: base64('<html>') }, 422],
  ])('with a 4xx: %s', async (_, changes, status) => {
    const { api, services, keyCount } = await startTestCreation()
    expect((await send(api, 'k', printJob(changes))).status).toBe(status)
    expect(await keyCount()).toBe(0)
    await expectCreated(api, 'k')
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('with the 429 of the daily cap, whose `Retry-After` leads to the next UTC day', async () => {
    const { api, clock, services } = await startTestCreation({ testJobsPerDay: 1 })
    await expectCreated(api, 'first')
    const refused = await send(api, 'k')
    expectError(refused, 429, 'test_mode_daily_cap', /UTC/)
    expect(refused.headers.get('retry-after')).toBe('86400')
    expect(await services.storedFiles()).toHaveLength(1)
    clock.advanceSeconds(Number(refused.headers.get('retry-after')))
    await expectCreated(api, 'k')
  })

  test('with a 5xx: the file store is away', async () => {
    const { api, services } = await startTestCreation()
    await rm(services.directory, { recursive: true })
    await writeFile(services.directory, 'in the way')
    expectError(await send(api, 'k'), 503, 'storage_unavailable')
    await rm(services.directory)
    await expectCreated(api, 'k')
  })

  test('with a 5xx: another service is away', async () => {
    const { api, devices, services } = await startTestCreation()
    await devices.stop()
    expectError(await send(api, 'k'), 503, 'service_unavailable')
    await services.start('devices')
    await waitFor(() => expectCreated(api, 'k'))
  })
})

describe('when jobs does not say what came of a creation', () => {
  test('and the job was made, the answer is that job, and its document stays', async () => {
    const { api, services } = await startTestGateway()
    services.createJobError = 'service_unavailable'
    services.releaseKey = () => ({ jobId: services.createdJobs[0]?.jobId })
    const job = await expectCreated(api, 'k')
    expect(job.id).toBe(services.createdJobs[0]?.jobId)
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('and never says it, the document stays until it is known that no job needs it', async () => {
    const { api, services } = await startTestGateway()
    services.createJobError = 'service_unavailable'
    let asked = 0
    services.releaseKey = () => {
      if (++asked < 3) throw new Error('still away')
      return {}
    }
    expectError(await send(api, 'k'), 503, 'service_unavailable')
    expect(await services.storedFiles()).toHaveLength(1)
    await waitFor(async () => expect(await services.storedFiles()).toEqual([]))
    expect(asked).toBe(3)
  })
})

test('a claim whose answer is lost is given back', async () => {
  const { api, services } = await startTestGateway()
  const calls: string[] = []
  services.claimKey = () => {
    calls.push('claim')
    throw new ApiError('service_unavailable', 'scripted')
  }
  services.releaseKey = () => {
    calls.push('release')
    return {}
  }
  expectError(await send(api, 'k'), 503, 'service_unavailable')
  await waitFor(() => expect(calls).toEqual(['claim', 'release']))
  expect(services.createdJobs).toEqual([])
})

describe('the header', () => {
  test.each([1, 255])('may have %i characters', async (length) => {
    const { api } = await startTestCreation()
    const key = '~'.repeat(length)
    const { id } = await expectCreated(api, key)
    expect((await expectReplay(api, key)).id).toBe(id)
  })

  test.each<[string, string[], RegExp]>([
    ['is empty', [''], /is empty/],
    ['is white space', ['  '], /is empty/],
    ['has 256 characters', ['k'.repeat(256)], /longer than 255/],
    ['has a tab in it', ['a\tb'], /printable ASCII/],
    ['has a byte beyond ASCII', ['caf\xe9'], /printable ASCII/],
    ['comes twice', ['a', 'b'], /more than once/],
    ['comes twice with one value', ['a', 'a'], /more than once/],
  ])('is a 400, and no job is made, when it %s', async (_, values, message) => {
    const { baseUrl, key, jobIds, keyCount } = await startTestCreation()
    const body = JSON.stringify(printJob())
    const lines = [
      'POST /v1/printjobs HTTP/1.1',
      'Host: platen',
      'Connection: close',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      ...values.map((value) => `Idempotency-Key: ${value}`),
      `Content-Length: ${body.length}`,
    ]
    const answer = await sendRaw(Number(new URL(baseUrl).port), `${lines.join('\r\n')}\r\n\r\n${body}`)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toMatch(message)
    expect([await jobIds(), await keyCount()]).toEqual([[], 0])
  })

  test('means nothing on a GET', async () => {
    const { api } = await startTestCreation()
    const { status } = await api.get('/v1/whoami', { 'idempotency-key': '' })
    expect(status).toBe(200)
  })
})
