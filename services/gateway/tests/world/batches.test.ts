import { request as httpRequest } from 'node:http'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { expectError, listFiles } from '../client.ts'

const PATH = '/v1/printjobs/batches'
const KEY = (key: string) => ({ 'Idempotency-Key': key })
/** Larger than a document that is sent with its job. */
const LARGE_BYTES = 100_000

type Body = Record<string, unknown>

async function startShop() {
  const organization = await newOrganization()
  const printer = await organization.addPrinter()
  const { api, world } = organization
  const { job: sample, content } = {
    job: (facts: Body) => printJob(printer.id, facts),
    content: printJob(printer.id).content,
  }
  return {
    ...organization,
    printer,
    content,
    job: sample,
    jobs: (count: number, facts: Body = {}) =>
      Array.from({ length: count }, (_, n) => sample({ title: `${n}`, ...facts })),
    send: (jobs: unknown, headers?: Record<string, string>) => api.post(PATH, { jobs }, headers),
    at: (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString(),
    count: async () => (await api.get('/v1/printjobs?limit=100')).body.data.length,
  }
}

const pdf = (bytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, ' ')])

test('a batch has its jobs in their order, each with its own document, and the filter `batchId` finds them', async () => {
  proves('endpoint.POST.printjobs.batches', 'batch.object', 'print-job.batchId', 'print-jobs.filter.batchId')
  const { api, job, send } = await startShop()
  const documents = [pdf(20), pdf(LARGE_BYTES), pdf(21)]
  const jobs = documents.map((bytes, n) => job({ title: `${n}`, content: bytes.toString('base64') }))
  const { status, body } = await send([...jobs, job({ title: '3', metadata: { order: '7' } })])
  expect([status, body.jobs.map(({ title }: Body) => title)]).toEqual([201, ['0', '1', '2', '3']])
  for (const one of body.jobs) expect(one.batchId).toBe(body.id)
  for (const [n, bytes] of documents.entries()) {
    const { id, fileSize } = body.jobs[n]
    expect(fileSize).toBe(bytes.length)
    const read = await api.get(`/v1/printjobs/${id}/document`)
    expect(Buffer.from(read.body, 'latin1').equals(bytes)).toBe(true)
  }
  const listed = await api.get(`/v1/printjobs?batchId=${body.id}`)
  expect(listed.body.data.map(({ title }: Body) => title)).toEqual(['3', '2', '1', '0'])
  const last = await api.get(`/v1/printjobs?batchId=${body.id}&metadata[order]=7&state=queued`)
  expect(last.body.data).toHaveLength(1)
  expect((await api.get(`/v1/printjobs?batchId=${uuidv7()}`)).body.data).toEqual([])
  expectError(await api.get('/v1/printjobs?batchId=1'), 400, 'invalid_request', /`batchId`/)
})

test('a reprint is a job of a batch, with the document of its original', async () => {
  const { api, job, send } = await startShop()
  const original = await api.createJob(job({ content: pdf(LARGE_BYTES).toString('base64') }))
  const { contentType: _, content: __, ...reprint } = job({ reprintOf: original.number })
  const { body } = await send([job({}), reprint, job({})])
  expect(body.jobs.map(({ reprintOf }: Body) => reprintOf)).toEqual([null, original.id, null])
  expect(body.jobs[1].fileSize).toBe(LARGE_BYTES)
})

test('a refusal names the job, keeps no document and creates nothing', async () => {
  proves('batch.refusal')
  const { world, job, jobs, send, count } = await startShop()
  const large = job({ content: pdf(LARGE_BYTES).toString('base64') })
  const stored = async () => (await listFiles(world)).length
  const before = await stored()
  const refused: [wrong: Body, status: number, code: string, param: string][] = [
    [job({ qty: 0 }), 400, 'invalid_request', 'jobs[1].qty'],
    [job({ tiitle: 'x' }), 400, 'invalid_request', 'jobs[1].tiitle'],
    [job({ printerId: uuidv7() }), 404, 'not_found', 'jobs[1].printerId'],
    [job({ content: 'no base64' }), 422, 'invalid_content', 'jobs[1].content'],
    [
      job({ contentType: 'pdf_uri', content: 'ftp://files.example.com/' }),
      422,
      'invalid_content_url',
      'jobs[1].content',
    ],
    [job({ contentType: undefined, content: undefined, reprintOf: uuidv7() }), 404, 'not_found', 'jobs[1].reprintOf'],
  ]
  for (const [wrong, status, code, param] of refused) {
    const response = await send([large, wrong, ...jobs(1)])
    expectError(response, status, code, /`jobs\[1\]/)
    expect(response.body.error.param).toBe(param)
  }
  expect([await count(), await stored()]).toEqual([0, before])
})

test('a batch has 1 to 100 jobs, which are held and scheduled together', async () => {
  proves('batch.jobs.1', 'batch.jobs.100', 'batch.jobs.0', 'batch.jobs.101', 'batch.hold')
  const { api, jobs, send, at, count } = await startShop()
  expectError(await send([]), 400, 'invalid_request', /`jobs`: must have at least one job/)
  expectError(await send(jobs(101)), 400, 'invalid_request', /`jobs`: must have at most 100 jobs/)
  const reprints = jobs(101, { contentType: undefined, content: undefined, reprintOf: uuidv7() })
  expectError(await send(reprints), 400, 'invalid_request', /`jobs`: must have at most 100 jobs/)
  expectError(await send({}), 400, 'invalid_request', /`jobs`: must be an array/)
  expect(await count()).toBe(0)
  expect((await send(jobs(100))).status).toBe(201)
  const time = at(60_000)
  for (const name of ['hold', 'notBefore']) {
    const value = name === 'hold' ? true : time
    const [first, second] = [jobs(1, { [name]: value }), jobs(1)]
    expectError(await send([...first, ...second]), 400, 'invalid_request', /`jobs\[1\]\..*`: must be the same for all/)
  }
  const { body } = await send(jobs(2, { hold: true, notBefore: time }))
  expect(body.jobs).toMatchObject([{ stateReasons: ['held', 'scheduled'] }, { stateReasons: ['held', 'scheduled'] }])
  expect((await api.post(`/v1/printjobs/${body.jobs[1].id}/release`, {})).status).toBe(200)
  const { body: first } = await api.get(`/v1/printjobs/${body.jobs[0].id}`)
  expect(first.stateReasons).toEqual(['scheduled'])
})

test('the documents of a batch have 25 MB together, and its other fields 256 KiB', async () => {
  proves('batch.25-mb', 'batch.fields')
  const { world, job, jobs, send, count } = await startShop()
  const before = (await listFiles(world)).length
  const half = { content: pdf(14_000_000).toString('base64') }
  expectError(await send(jobs(2, half)), 413, 'content_too_large', /Send them in several batches/)
  const text = jobs(60, { metadata: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [n, 'x'.repeat(500)])) })
  expectError(await send(text), 400, 'invalid_request', /at most 262144 bytes/)
  expectError(await send([job({}), { ...job({}), content: undefined }]), 400, 'invalid_request', /`jobs\[1\]/)
  expect([await count(), (await listFiles(world)).length]).toEqual([0, before])
})

test('a batch whose client goes away leaves no document', async () => {
  const { world, liveKey, job } = await startShop()
  const before = (await listFiles(world)).length
  const body = JSON.stringify({ jobs: [job({ content: pdf(LARGE_BYTES).toString('base64') }), job({})] })
  const headers = {
    authorization: `Bearer ${liveKey}`,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  const request = httpRequest(`${world.gatewayUrl}${PATH}`, { method: 'POST', headers }).on('error', () => undefined)
  request.write(body.slice(0, -20))
  await waitFor(async () => expect((await listFiles(world)).length).toBe(before + 1))
  request.destroy()
  await waitFor(async () => expect((await listFiles(world)).length).toBe(before))
})

test('a repetition with the key of a batch gets the same batch, also if it could not be created any more', async () => {
  const { api, world, printer, content, jobs, send, count } = await startShop()
  const first = await send(jobs(2), KEY('a'))
  const stored = (await listFiles(world)).length
  const again = await send(jobs(2), KEY('a'))
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
  // The documents follow each other in the hash of the body, so the limit between them is part of it.
  const moved = jobs(2).map((job, n) => ({ ...job, content: n === 0 ? `${content}AAAA` : content }))
  expectError(await send(moved, KEY('a')), 422, 'idempotency_key_reused')
  expectError(await api.post('/v1/printjobs', jobs(1)[0], KEY('a')), 422, 'idempotency_key_reused')
  await api.patch(`/v1/printers/${printer.id}`, { enabled: false })
  expect((await send(jobs(2), KEY('a'))).body).toEqual(first.body)
  expectError(await send(jobs(2), KEY('b')), 422, 'printer_disabled', /`jobs\[0\]`/)
  expect([await count(), (await listFiles(world)).length]).toEqual([2, stored])
})

test('a cancellation of a batch says how many jobs it cancelled; a job waits for its batch', async () => {
  proves(
    'endpoint.POST.printjobs.batches.id.cancel',
    'batch.cancel',
    'batch.cancel.again',
    'explanation.waits-for-batch',
  )
  const { api, jobs, send } = await startShop()
  const { body } = await send(jobs(3))
  const explained = await api.get(`/v1/printjobs/${body.jobs[1].id}/explanation`)
  expect(explained.body).toMatchObject({ paper: 'not_yet' })
  const path = `${PATH}/${body.id}/cancel`
  expect((await api.post(path, {})).body).toEqual({ cancelled: 3, notCancelled: 0 })
  expect((await api.post(path, {})).body).toEqual({ cancelled: 0, notCancelled: 3 })
  expectError(await api.post(`${PATH}/${uuidv7()}/cancel`, {}), 404, 'not_found', /no batch/)
  expectError(await api.post(`${PATH}/7/cancel`, {}), 404, 'not_found', /no batch/)
})
