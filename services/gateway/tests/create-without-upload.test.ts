/**
 * Creations whose document does not come with the request obey all that those with an upload obey. Through the real gateway and the real
 * jobs service, which fetches from a server of the test. Source: specification, "Print jobs".
 */
import { create } from '@bufbuild/protobuf'
import { PlanSchema } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { Api } from '@platen/test/harness/api.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { DOCUMENT, LIVE_PRINTER_ID, startTestCreation, type TestCreation } from './start-test-creation.ts'
import { printJob } from './start-test-gateway.ts'
import { PRINTER_ID } from './start-test-services.ts'

type Facts = Record<string, unknown>

const URL = 'http://files.example.com/a.pdf'
const CREDENTIALS = { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } }

const byUrl = (facts: Facts = {}) => printJob({ contentType: 'pdf_uri', content: URL, ...facts })
const reprintOf = (id: string, facts: Facts = {}) => ({
  printerId: PRINTER_ID,
  title: 'Again',
  reprintOf: id,
  ...facts,
})

/** The body of a creation of each form; `earlier` is the id of a job. */
const FORMS: [string, (earlier: string, facts?: Facts) => Record<string, unknown>][] = [
  ['a URL', (_, facts) => byUrl(facts)],
  ['a reprint', reprintOf],
]

const send = (api: Api, key: string, body: Facts) => api.post('/v1/printjobs', body, { 'idempotency-key': key })

test('a document at a URL is fetched right after the creation, and shown with its size and digest', async () => {
  const { api, documents, services } = await startTestCreation()
  const job = await api.createJob(byUrl())
  expect(job).toMatchObject({ state: 'queued', contentType: 'pdf_uri', fileSize: null, fileSha256: null })
  await waitFor(async () => expect(await api.getJob(job.id)).toMatchObject({ fileSize: DOCUMENT.length }))
  expect((await api.getJob(job.id)).fileSha256).toMatch(/^[0-9a-f]{64}$/)
  expect(documents.asked).toEqual(['files.example.com/a.pdf'])
  expect(await services.storedFiles()).toHaveLength(1)
})

describe('a reprint', () => {
  test('has the stored document and the content type of its original', async () => {
    const { api, services } = await startTestCreation()
    const { id, fileSize, fileSha256 } = await api.createJob(printJob())
    const job = await api.createJob(reprintOf(id))
    expect(job).toMatchObject({ title: 'Again', state: 'queued', contentType: 'pdf_base64', fileSize, fileSha256 })
    expect(job.id).not.toBe(id)
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('that is refused leaves the document of its original in the store', async () => {
    const { api, services } = await startTestCreation({ testJobsPerDay: 1 })
    const { id } = await api.createJob(printJob())
    expectError(await api.post('/v1/printjobs', reprintOf(id)), 429, 'test_mode_daily_cap')
    expect(await services.storedFiles()).toHaveLength(1)
  })

  test('of a job of another organization or mode, or of none, is a 404', async () => {
    const { api, client } = await startTestCreation()
    const live = await client('live').createJob(printJob({ printerId: LIVE_PRINTER_ID }))
    for (const id of [live.id, PRINTER_ID])
      expectError(await api.post('/v1/printjobs', reprintOf(id)), 404, 'not_found', /reprintOf/)
  })

  test('can be made for 7 days, and is file_expired from then on', async () => {
    const { api, clock } = await startTestCreation()
    const { id } = await api.createJob(printJob())
    clock.advanceSeconds(7 * 24 * 60 * 60 - 1)
    await api.createJob(reprintOf(id))
    clock.advanceSeconds(1)
    expectError(await api.post('/v1/printjobs', reprintOf(id)), 410, 'file_expired', /not kept any more/)
  })

  test('that is file_expired frees its Idempotency-Key', async () => {
    const { api, clock, keyCount } = await startTestCreation()
    const { id } = await api.createJob(printJob())
    clock.advanceSeconds(7 * 24 * 60 * 60)
    expectError(await send(api, 'k', reprintOf(id)), 410, 'file_expired')
    expect(await keyCount()).toBe(0)
  })
})

describe('with an Idempotency-Key makes one job, and is replayed:', () => {
  test.each(FORMS)('%s', async (_, bodyOf) => {
    const { api, jobIds } = await startTestCreation()
    const { id } = await api.createJob(printJob())
    const body = bodyOf(id)
    const first = await send(api, 'k', body)
    const again = await send(api, 'k', body)
    expect([first.status, again.status]).toEqual([201, 201])
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(again.body.id).toBe(first.body.id)
    expect(await jobIds()).toEqual([id, first.body.id])
  })

  test('a URL is fetched once for all its replays', async () => {
    const { api, documents } = await startTestCreation()
    const { body } = await send(api, 'k', byUrl())
    await waitFor(async () => expect((await api.getJob(body.id)).fileSize).toBe(DOCUMENT.length))
    for (let n = 0; n < 3; n++) await send(api, 'k', byUrl())
    const other = await api.createJob(byUrl({ content: 'http://files.example.com/last' }))
    await waitFor(async () => expect((await api.getJob(other.id)).fileSize).toBe(DOCUMENT.length))
    expect(documents.asked).toEqual(['files.example.com/a.pdf', 'files.example.com/last'])
  })

  const first = { content: `${URL}?\u00e9`, authentication: CREDENTIALS }
  const otherCredentials = { ...CREDENTIALS, credentials: { user: 'u', pass: 'q' } }

  test.each([
    ['another URL', { content: `${URL}?e` }],
    ['a URL with another letter beyond ASCII', { content: `${URL}?\u00ea` }],
    ['no credentials', { authentication: undefined }],
    ['other credentials', { authentication: otherCredentials }],
  ])('with %s it is another body', async (_, changes) => {
    const { api } = await startTestCreation()
    expect((await send(api, 'k', byUrl(first))).status).toBe(201)
    expectError(await send(api, 'k', byUrl({ ...first, ...changes })), 422, 'idempotency_key_reused')
  })
})

describe('counts like one with an upload, and is refused like it:', () => {
  test.each(FORMS)('%s as a test job of the day', async (_, bodyOf) => {
    const { api } = await startTestCreation({ testJobsPerDay: 2 })
    const { id } = await api.createJob(printJob())
    await api.createJob(bodyOf(id))
    for (const body of [printJob(), bodyOf(id)])
      expectError(await api.post('/v1/printjobs', body), 429, 'test_mode_daily_cap')
  })

  test.each(FORMS)('%s as a print of the plan', async (_, bodyOf) => {
    const { services, client } = await startTestCreation()
    services.plan = create(PlanSchema, { name: 'custom', printsLimit: 2 })
    await services.start('usage')
    const api = client('live')
    const facts = { printerId: LIVE_PRINTER_ID }
    const { id } = await api.createJob(printJob(facts))
    await api.createJob(bodyOf(id, facts))
    for (const body of [printJob(facts), bodyOf(id, facts)]) {
      const answer = await api.post('/v1/printjobs', body)
      expect([answer.status, answer.body.error.code]).toEqual([402, 'quota_exceeded'])
    }
  })
})

describe('options', () => {
  const options = { color: true, duplex: 'long-edge' }
  const warning = 'Ignored options: color true (not offered by this printer).'

  async function toldTheAgent({ pool }: TestCreation, id: string) {
    const { rows } = await pool.query('SELECT effective_options FROM jobs.job WHERE id = $1', [id])
    return rows[0].effective_options
  }

  test.each(FORMS)('of %s are judged by the printer', async (_, bodyOf) => {
    const world = await startTestCreation()
    const { id } = await world.api.createJob(printJob())
    const job = await world.api.createJob(bodyOf(id, { options }))
    expect(job).toMatchObject({ options, stateMessage: warning, stateReasons: ['option-ignored'] })
    expect(await toldTheAgent(world, job.id)).toEqual({ duplex: 'long-edge' })
  })

  test('of raw data are ignored without a warning, from a URL and as a reprint', async () => {
    const world = await startTestCreation()
    const { api } = world
    const raw = await api.createJob(byUrl({ contentType: 'raw_uri', options }))
    await waitFor(async () => expect((await api.getJob(raw.id)).fileSize).toBe(DOCUMENT.length))
    const again = await api.createJob(reprintOf(raw.id, { options }))
    for (const job of [raw, again]) {
      expect(job).toMatchObject({ contentType: 'raw_uri', options, stateMessage: null, stateReasons: [] })
      expect(await toldTheAgent(world, job.id)).toEqual({})
    }
  })
})
