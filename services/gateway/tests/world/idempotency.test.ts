/** `Idempotency-Key`, through the gateway and the jobs service. Reference: docs/reference/idempotency.md. */
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Api } from '@platen/test/harness/api.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import type { PRINT_JOB_FIELDS } from '../../print-jobs/upload/print-job-request.ts'
import {
  base64,
  beginUpload,
  expectError,
  INLINE_BYTES,
  jsonHead,
  newPrinting,
  pdfContent,
  sendRaw,
  UNKNOWN_ID,
  unavailable,
} from '../client.ts'

/** A value of every field that the tests do not send in it. */
const OTHER_VALUES: Record<keyof typeof PRINT_JOB_FIELDS.shape, unknown> = {
  ...{
    printerId: UNKNOWN_ID,
    printer: 'Other',
    destination: 'Other',
    title: 'Other',
    contentType: 'raw_base64',
    content: 'JVBERi0=',
    reprintOf: UNKNOWN_ID,
  },
  authentication: { type: 'BasicAuth', credentials: { user: 'printing', pass: 'correct horse' } },
  ...{
    source: 'other',
    qty: 1,
    expireAfter: 60,
    options: {},
    metadata: { order: '4711' },
    retain: false,
    hold: true,
    notBefore: '2026-03-02T09:30:00Z',
  },
}

/** A printer, and creations with keys. */
async function newKeyed() {
  const printing = await newPrinting()
  const { id, api, job, key, url, world } = printing
  const send = (idempotencyKey: string, body: unknown = job(), as: Api = api) =>
    as.post('/v1/printjobs', body, { 'idempotency-key': idempotencyKey })
  const expectMade = (replayed: string | null) => async (idempotencyKey: string, body?: unknown, as?: Api) => {
    const answer = await send(idempotencyKey, body, as)
    const got = [answer.status, answer.headers.get('idempotent-replayed')]
    expect(got, JSON.stringify(answer.body)).toEqual([201, replayed])
    return answer.body
  }
  const expectCreated = expectMade(null)
  const expectReplay = expectMade('true')
  /** The keys of the organization. */
  async function keys(): Promise<string[]> {
    const rows = await world.query('SELECT key FROM jobs.idempotency_key WHERE organization_id = $1', [id])
    return rows.map((row) => row.key)
  }
  /** A creation whose body is still coming in. */
  async function begin(idempotencyKey: string) {
    const upload = beginUpload(url, key, idempotencyKey, job())
    await upload.isRead
    return upload
  }
  return { ...printing, send, expectCreated, expectReplay, keys, begin }
}

describe('the same key', () => {
  test('with the same body is answered with the first job, and makes nothing new', async () => {
    proves(
      'idempotency.replay',
      'idempotency.replay.header',
      'idempotency.replay.201',
      'idempotency.first.header',
      'idempotency.reprint',
    )
    const { printer, expectCreated, expectReplay, jobIds, expectFilesOfJobs } = await newKeyed()
    const first = await expectCreated('order 17')
    expect(await expectReplay('order 17')).toEqual(first)
    const reprint = { printerId: printer.id, title: 'Again', reprintOf: first.id }
    const second = await expectCreated('order 18', reprint)
    expect(await expectReplay('order 18', reprint)).toEqual(second)
    expect(await jobIds()).toEqual([first.id, second.id])
    await expectFilesOfJobs()
  })

  test('answers with the job as it is now, also to another API key; with another body it is a 422 before and after the job is final', async () => {
    proves(
      'idempotency.replay.present',
      'idempotency.scope.other-key',
      'idempotency.other-body',
      'idempotency.other-body.always',
      'error.422.idempotency_key_reused',
    )
    const { api, apiWith, job, send, expectCreated, expectReplay, jobIds, expectFilesOfJobs } = await newKeyed()
    const body = job({ options: { copies: 1 } })
    const first = await expectCreated('k', body)
    async function expectOthersRefused() {
      const content = base64('%PDF-2.0')
      const others = [
        ...Object.entries({ ...OTHER_VALUES, content }).map(([name, value]) => ({ ...body, [name]: value })),
        ...Object.keys(body).map((name) => ({ ...body, [name]: undefined })),
        { ...body, options: { copies: 1, nup: null } },
      ]
      for (const other of others) expectError(await send('k', other), 422, 'idempotency_key_reused', /new key/)
      expectError(await send('k', '[]'), 422, 'idempotency_key_reused')
    }
    await expectOthersRefused()
    const cancelled = (await api.post(`/v1/printjobs/${first.id}/cancel`, {})).body
    expect(cancelled.state).toBe('cancelled')
    await expectOthersRefused()
    expect(await expectReplay('k', body, await apiWith('live', ['print']))).toEqual(cancelled)
    expect(await jobIds()).toEqual([first.id])
    await expectFilesOfJobs()
  })

  test('with the same body in another order, other white space and other escapes is a replay', async () => {
    proves('idempotency.body.canonical')
    const { job, expectCreated, expectReplay } = await newKeyed()
    const body = job({ title: 'Für /Ω', content: base64('%PDF-???>>>'), options: { rotate: 90, color: false } })
    const first = await expectCreated('k', body)
    const escaped = body.content.replaceAll('/', '\\/').replace('J', '\\u004a')
    const other = `{ "options":{"color" : false,\n"rotate":90.0}, "content":"${escaped}","title":"F\\u00fcr \\/Ω",
      "contentType":"${body.contentType}",\t"printerId" :"${body.printerId}"}`
    expect(await expectReplay('k', other)).toEqual(first)
  })

  test('in the other mode or in another organization is another key', async () => {
    proves('idempotency.scope.mode', 'idempotency.scope.organization')
    const { job, addPrinter, testApi, expectCreated } = await newKeyed()
    const other = await newKeyed()
    await expectCreated('k')
    await other.expectCreated('k')
    await expectCreated('k', job({ printerId: (await addPrinter('test')).id }), testApi)
  })
})

test('a replay is answered although its printer is disabled or removed since', async () => {
  proves('idempotency.replay.printer')
  const { api, job, printer, send, expectCreated, expectReplay } = await newKeyed()
  const { id } = await expectCreated('k')
  await api.patch(`/v1/printers/${printer.id}`, { enabled: false })
  await waitFor(async () => expectError(await send('another'), 422, 'printer_disabled'))
  expect((await expectReplay('k')).id).toBe(id)
  await api.delete(`/v1/computers/${printer.computerId}`)
  await waitFor(async () => expectError(await send('another'), 404, 'not_found'))
  expect((await expectReplay('k')).id).toBe(id)
  expectError(await send('k', job({ title: 'Other' })), 422, 'idempotency_key_reused')
})

test('without the header each request makes a job', async () => {
  proves('idempotency.optional')
  const { api, job, jobIds, keys } = await newKeyed()
  await api.createJob(job())
  await api.createJob(job())
  expect([(await jobIds()).length, await keys()]).toEqual([2, []])
})

describe('while the first request is still coming in', () => {
  test('the same key is a 409, and afterwards a replay', async () => {
    proves('idempotency.in-progress', 'error.409.idempotency_in_progress', 'errors.repeat.in-progress')
    const { job, send, begin, expectCreated, expectReplay, jobIds } = await newKeyed()
    const upload = await begin('k')
    const refused = await send('k')
    expectError(refused, 409, 'idempotency_in_progress')
    expect(refused.headers.get('retry-after')).toBe('1')
    expectError(await send('k', job({ title: 'Other' })), 409, 'idempotency_in_progress')
    await expectCreated('another')
    const { status, body } = await upload.finish()
    expect([status, (await expectReplay('k')).id]).toEqual([201, body.id])
    expect(await jobIds()).toHaveLength(2)
  })

  test('a client that goes away leaves its key to the next request', async () => {
    const { begin, jobIds, expectCreated } = await newKeyed()
    const upload = await begin('k')
    upload.leave()
    const { id } = await waitFor(() => expectCreated('k'))
    expect(await jobIds()).toEqual([id])
  })
})

test('a first request that fails makes no job, and its key can be used', async () => {
  proves('idempotency.released.4xx', 'idempotency.released.5xx')
  const { job, send, keys, expectCreated, world } = await newKeyed()
  for (const [changes, status] of [
    [{ qty: 0 }, 400],
    [{ printerId: UNKNOWN_ID }, 404],
    [{ content: base64('<html>') }, 422],
  ] as const)
    expect((await send('k', job(changes))).status).toBe(status)
  let isAway = true
  world.intercept(JobsService.method.createJobs, async (request, next) => {
    if (isAway) throw unavailable()
    return await next(request)
  })
  expectError(await send('k'), 503, 'service_unavailable')
  expect(await keys()).toEqual([])
  isAway = false
  await expectCreated('k')
})

test('a creation whose answer is lost keeps its document, and is replayed when it is sent again', async () => {
  const { job, send, jobIds, expectReplay, world, expectFilesOfJobs } = await newKeyed()
  const body = job({ content: pdfContent(INLINE_BYTES + 1) })
  let isLost = true
  world.intercept(JobsService.method.createJobs, async (request, next) => {
    const answer = await next(request)
    if (isLost) throw unavailable()
    return answer
  })
  expectError(await send('k', body), 503, 'service_unavailable')
  expect(await expectFilesOfJobs()).toBe(1)
  isLost = false
  const { id } = await expectReplay('k', body)
  expect([await jobIds(), await expectFilesOfJobs()]).toEqual([[id], 1])
})

test('the header may have 255 characters, and means nothing on a GET', async () => {
  proves('idempotency.key.255')
  const { api, expectCreated, expectReplay } = await newKeyed()
  const { id } = await expectCreated('~'.repeat(255))
  expect((await expectReplay('~'.repeat(255))).id).toBe(id)
  expect((await api.get('/v1/whoami', { 'idempotency-key': '' })).status).toBe(200)
})

test('a header that is empty, longer, not printable ASCII or sent twice is a 400, and no job is made', async () => {
  proves('idempotency.key.empty', 'idempotency.key.256')
  const { port, key, job, jobIds, keys } = await newKeyed()
  const body = JSON.stringify(job())
  for (const [message, ...values] of [
    ['is empty', ''],
    ['is empty', '  '],
    ['is longer than 255', 'k'.repeat(256)],
    ['printable ASCII', 'a\tb'],
    ['printable ASCII', 'caf\xe9'],
    ['more than once', 'a', 'a'],
  ]) {
    const headers = ['Connection: close', ...values.map((value) => `Idempotency-Key: ${value}`)]
    const answer = await sendRaw(port, jsonHead(key, body.length, ...headers) + body)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 400 [^]*${message}`))
  }
  expect([await jobIds(), await keys()]).toEqual([[], []])
})
