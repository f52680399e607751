/** Creations of print jobs. The limits of their fields are in `tables/print-job-request.test.ts`. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CreateJobsRequest, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { ApiError, toConnectError } from '@platen/runtime/errors.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { World } from '@platen/test/harness/world.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  base64,
  beginUpload,
  expectError,
  INLINE_BYTES,
  MEGABYTE,
  newPrinting,
  pdfContent,
  UNKNOWN_ID,
} from '../client.ts'

type Body = Record<string, unknown>

const PDF = '%PDF-1.7\n%%EOF\n'
const DAY_MS = 24 * 60 * 60 * 1000
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
/** The content of a document that goes to the file store. */
const LARGE = pdfContent(INLINE_BYTES + 1)

/** @returns the SHA-256 of the job's document in the file store. */
async function stored({ files, query }: World, id: string): Promise<string> {
  const [row] = await query<{ key: string }>('SELECT storage_key AS key FROM jobs.job WHERE id = $1', [id])
  return sha256(Buffer.concat(await (await files.read(row?.key ?? '')).toArray()))
}

/** @returns the SHA-256 of the inline document of the job. */
async function inline({ query }: World, id: string): Promise<string | undefined> {
  const [row] = await query<{ content: Buffer }>('SELECT content FROM jobs.document WHERE job_id = $1', [id])
  return row && sha256(row.content)
}

test('a job is made, with its document', async () => {
  proves('create.content', 'options.shown', 'print-job.no-content')
  const { api, job, world, jobIds } = await newPrinting()
  const body = await api.createJob(job({ content: base64(PDF), options: { rotate: 90 } }))
  expect(body).toMatchObject({
    state: 'queued',
    fileSize: PDF.length,
    fileSha256: sha256(PDF),
    options: { rotate: 90 },
  })
  expect(await jobIds()).toEqual([body.id])
  expect(await api.getJob(body.id)).toEqual(body)
  expect(body).not.toHaveProperty('content')
  expect(await inline(world, body.id)).toBe(sha256(PDF))
})

test('a document of up to 64 KiB is stored with its job, a larger one in the file store', async () => {
  const { api, job, world, expectFilesOfJobs } = await newPrinting()
  const small = await api.createJob(job({ content: pdfContent(INLINE_BYTES) }))
  expect([small.fileSize, await inline(world, small.id)]).toEqual([INLINE_BYTES, small.fileSha256])
  expect(await expectFilesOfJobs()).toBe(0)
  const large = await api.createJob(job({ content: LARGE }))
  expect([large.fileSize, await stored(world, large.id)]).toEqual([INLINE_BYTES + 1, large.fileSha256])
  expect(await inline(world, large.id)).toBeUndefined()
})

/** @returns the response to a creation by `curl -F`. */
async function sendForm(
  url: string,
  key: string,
  fields: Record<string, string>,
  file?: Buffer | string,
  once?: string,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file !== undefined) form.append('file', new Blob([file]), 'invoice.pdf')
  const headers = { authorization: `Bearer ${key}`, ...(once && { 'idempotency-key': once }) }
  const response = await fetch(`${url}/v1/printjobs`, { method: 'POST', body: form, headers })
  const { status } = response
  return { status, headers: response.headers, body: JSON.parse(await response.text()) }
}

test('a printer is found by its name or number; a name of several is refused with the candidates', async () => {
  proves('create.printer', 'create.printer.ambiguous', 'create.printer.unknown')
  const { api, testApi, printer, job, addPrinter } = await newPrinting()
  const send = (name: unknown, as = api) => as.post('/v1/printjobs', job({ printerId: undefined, printer: name }))
  const { number, displayName } = (await api.get(`/v1/printers/${printer.id}`)).body
  for (const name of [displayName, number, String(number), `#${number}`])
    expect(await send(name)).toMatchObject({ status: 201, body: { printerId: printer.id } })
  for (const name of ['Las', 'LASER 2', '99'])
    expectError(await send(name), 404, 'not_found', /^No printer in live mode has the name or number/)
  expectError(await send(displayName, testApi), 404, 'not_found', /in test mode/)
  const second = await addPrinter('live', { name: displayName })
  const refused = await send(displayName)
  expectError(refused, 400, 'invalid_request', /^`printer`: 2 printers have the name `Laser`/)
  for (const { id } of [printer, second]) expect(refused.body.error.message).toContain(id)
  expect((await send(number)).status).toBe(201)
})

describe('as a form', () => {
  test('without a title it has the name of its file', async () => {
    proves('create.form.title')
    const { url, key, printer } = await newPrinting()
    const form = new FormData()
    form.append('printer', 'Laser')
    form.append('file', new Blob(['%PDF-1.7\n%%EOF\n']), 'C:\\scans\\Rechnung ä.pdf')
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}/v1/printjobs`, { method: 'POST', body: form, headers })
    expect(await response.json()).toMatchObject({ title: 'Rechnung ä.pdf', printerId: printer.id })
  })

  test('a job has the document of its part `file`', async () => {
    proves('create.form', 'create.form.type')
    const { url, key, printer, world, expectFilesOfJobs } = await newPrinting()
    const fields = { printerId: printer.id, title: 'Invoice', options: '{"copies":2}' }
    const pdf = await sendForm(url, key, fields, PDF)
    expect([pdf.status, pdf.body]).toEqual([
      201,
      expect.objectContaining({ contentType: 'pdf_base64', fileSha256: sha256(PDF), options: { copies: 2 } }),
    ])
    expect(await inline(world, pdf.body.id)).toBe(sha256(PDF))
    const raw = Buffer.alloc(DOCUMENT_MAX_BYTES, '^XA')
    const largest = await sendForm(url, key, fields, raw)
    expect([largest.status, largest.body.contentType]).toEqual([201, 'raw_base64'])
    expect(await stored(world, largest.body.id)).toBe(sha256(raw))
    const larger = await sendForm(url, key, fields, Buffer.alloc(DOCUMENT_MAX_BYTES + 1, '^XA'))
    expectError(larger, 413, 'content_too_large')
    expect(await expectFilesOfJobs()).toBe(1)
  })

  test('a file that is neither PDF, image nor recognized raw data is refused, unless raw data are asked for', async () => {
    proves('create.form.other', 'create.form.raw')
    const { api, url, key, printer, world, jobIds, expectFilesOfJobs } = await newPrinting()
    const fields = { printerId: printer.id, title: 'Invoice' }
    const page = Buffer.alloc(INLINE_BYTES + 1, '<!DOCTYPE html><p>Please sign in</p>')
    for (const [file, message] of [
      [
        Buffer.from(`PK\x03\x04${'\0'.repeat(26)}word/document.xml`),
        /^This is a Word document\. Save it as PDF, or send/,
      ],
      [page, /^This is a web page \(HTML\)\. Save it as PDF, or send it with `contentType=raw` if the printer/],
      [Buffer.from('Hello'), /^This is plain text\. /],
    ] as const)
      expectError(await sendForm(url, key, fields, file), 422, 'invalid_content', message)
    expect([await jobIds(), await expectFilesOfJobs()]).toEqual([[], 0])
    const asked = await sendForm(url, key, { ...fields, contentType: 'raw' }, page)
    expect([asked.status, await stored(world, asked.body.id)]).toEqual([201, sha256(page)])
    const json = { ...fields, contentType: 'raw_base64', content: base64('Hello') }
    expect((await api.post('/v1/printjobs', json)).status).toBe(201)
    const asPdf = { ...fields, contentType: 'pdf_base64', content: base64('<html>') }
    expectError(await api.post('/v1/printjobs', asPdf), 422, 'invalid_content', /not a PDF: .* like a web page/)
    expect(await jobIds()).toHaveLength(2)
  })

  test('a job and the same job as JSON, with line breaks in its base64, are one job for an `Idempotency-Key`', async () => {
    proves('create.form.idempotency', 'content.base64.line-breaks')
    const { api, url, key, printer, jobIds } = await newPrinting()
    const fields = { printerId: printer.id, title: 'Invoice' }
    const content = base64(PDF).replaceAll(/(.{8})/g, '$1\r\n')
    const options = { copies: 2 }
    const json = { ...fields, qty: 2, options, contentType: 'pdf_base64', content }
    const made = await api.post('/v1/printjobs', json, { 'idempotency-key': 'k' })
    expect(made.status).toBe(201)
    const asForm = { ...fields, qty: '2', options: JSON.stringify(options) }
    const replayed = await sendForm(url, key, asForm, PDF, 'k')
    expect([replayed.body.id, replayed.headers.get('idempotent-replayed')]).toEqual([made.body.id, 'true'])
    expectError(await sendForm(url, key, asForm, `${PDF} `, 'k'), 422, 'idempotency_key_reused')
    expectError(await sendForm(url, key, { ...asForm, qty: '3' }, PDF, 'k'), 422, 'idempotency_key_reused')
    expect(await jobIds()).toEqual([made.body.id])
  })
})

/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAACklEQVQImWP4DwABAQEADeY2wwAAAABJRU5ErkJggg==',
  'base64',
)

describe('an image', () => {
  /** @returns the document when it is converted. */
  const read = (api: ReturnType<typeof createApi>, id: string) =>
    waitFor(async () => {
      const job = await api.getJob(id)
      const { body } = await api.get(`/v1/printjobs/${id}/document`)
      const bytes = Buffer.from(body, 'latin1')
      expect([job.fileSize, job.fileSha256]).toEqual([bytes.length, sha256(bytes)])
      return body
    })

  test('as base64 and as the part `file` is the same job, and its document is a PDF', async () => {
    proves('content.image_base64', 'create.form.type', 'image.pdf')
    const { api, url, key, printer, jobIds, expectFilesOfJobs } = await newPrinting()
    const fields = { printerId: printer.id, title: 'Label' }
    const json = { ...fields, contentType: 'image_base64', content: base64(PNG) }
    const { status, body } = await api.post('/v1/printjobs', json, { 'idempotency-key': 'k' })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ state: 'queued', contentType: 'image_base64', fileSize: null, fileSha256: null }),
    ])
    expect((await sendForm(url, key, fields, PNG, 'k')).body.id).toBe(body.id)
    expect(await jobIds()).toEqual([body.id])
    expect(await read(api, body.id)).toMatch(/^%PDF-/)
    expect(await expectFilesOfJobs()).toBe(1)
  })

  test('is fitted to the paper of the job', async () => {
    proves('image.fitted')
    const { api, addPrinter, job } = await newPrinting()
    const papers = [{ name: 'A4' }, { name: 'A5', size: { width: 1480, height: 2100 } }]
    const { id: printerId } = await addPrinter('live', { capabilities: { papers } })
    const image = { contentType: 'image_base64', content: base64(PNG) }
    const { id } = await api.createJob(job({ printerId, ...image, options: { paper: 'A5' } }))
    expect(await read(api, id)).toMatch(/\/MediaBox \[0 0 419\.\d+ 595\.\d+\]/)
  })

  test('can begin like PWG raster or Apple raster', async () => {
    const { api, job, jobIds } = await newPrinting()
    for (const content of ['RaS2PwgRaster\0', 'UNIRAST\0'])
      await api.createJob(job({ contentType: 'image_base64', content: base64(content) }))
    expect(await jobIds()).toHaveLength(2)
  })

  test('must begin like a PNG, JPEG, GIF, TIFF or WebP', async () => {
    proves('image.format')
    const { api, job, jobIds } = await newPrinting()
    for (const content of [PDF, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'BM', 'GIF88a', 'RIFF1234WAVE'])
      expectError(
        await api.post('/v1/printjobs', job({ contentType: 'image_base64', content: base64(content) })),
        422,
        'invalid_content',
        /not an image: send a PNG, JPEG, GIF, TIFF or WebP/,
      )
    expect(await jobIds()).toEqual([])
  })
})

test('10 bodies of more than 64 KiB arrive at once from a key, the 11th is refused; small ones are accepted', async () => {
  proves('uploads.10', 'uploads.11')
  const { api, url, key, job } = await newPrinting()
  const uploads = Array.from({ length: 10 }, (_, n) => beginUpload(url, key, `key ${n}`, job({ content: LARGE })))
  await Promise.all(uploads.map(({ isRead }) => isRead))
  const refused = await api.post('/v1/printjobs', job({ content: LARGE }))
  expectError(refused, 429, 'rate_limited', /^This key has 10 uploads/)
  expect(refused.headers.get('retry-after')).toBe('1')
  await api.createJob(job())
  for (const answer of await Promise.all(uploads.map(({ finish }) => finish()))) expect(answer.status).toBe(201)
  await api.createJob(job({ content: LARGE }))
})

test('requests of many organizations share calls to jobs', async () => {
  const tenants = await Promise.all([newPrinting(), newPrinting(), newPrinting()])
  const { world } = tenants[0]
  // Each waits for its own key, printer and plan first, until they are cached.
  await Promise.all(tenants.map(({ api, job }) => api.createJob(job())))
  const calls: string[][] = []
  world.intercept(JobsService.method.createJobs, async (request, next) => {
    const { creations } = request.message as CreateJobsRequest
    calls.push(creations.map(({ organizationId }) => organizationId))
    return await next(request)
  })
  const jobs = await Promise.all(
    Array.from({ length: 20 }, () => tenants.map(({ api, job }) => api.createJob(job()))).flat(),
  )
  expect(calls.flat()).toHaveLength(jobs.length)
  expect(calls.length).toBeLessThan(jobs.length)
  expect(calls.some((organizations) => new Set(organizations).size > 1)).toBe(true)
  for (const { jobIds } of tenants) expect(await jobIds()).toHaveLength(21)
})

test('content may come before the fields that describe it, with escapes', async () => {
  const { api, job } = await newPrinting()
  const { content, ...rest } = job({ content: base64('%PDF-???>>>') })
  const escaped = content.replaceAll('/', '\\/').replace('J', '\\u004a')
  const { status, body } = await api.post('/v1/printjobs', `{"content":"${escaped}",${JSON.stringify(rest).slice(1)}`)
  expect([status, body.fileSha256]).toEqual([201, sha256('%PDF-???>>>')])
})

test('raw data need no marker', async () => {
  proves('content.raw.no-marker')
  const { api, job } = await newPrinting()
  const body = await api.createJob(job({ contentType: 'raw_base64', content: base64('^XA^XZ') }))
  expect(body.fileSha256).toBe(sha256('^XA^XZ'))
})

for (const contentType of ['pdf_base64', 'raw_base64'])
  test(`25 MB of ${contentType} are accepted`, async () => {
    proves(`content.${contentType}.25MB`)
    const { api, job, world } = await newPrinting()
    const content = pdfContent(DOCUMENT_MAX_BYTES)
    const { id, fileSize, fileSha256 } = await api.createJob(job({ contentType, content }))
    expect([fileSize, fileSha256]).toEqual([DOCUMENT_MAX_BYTES, await stored(world, id)])
  })

describe('is refused, and nothing is stored', () => {
  const TOO_LARGE = 'content_too_large'
  const tooLarge = (contentType: string) => ({ contentType, content: pdfContent(DOCUMENT_MAX_BYTES + 1) })
  test.each<[string, Body | ((body: string) => string), number, string, RegExp]>([
    ['a wrong field', { qty: 0 }, 400, 'invalid_request', /`qty`/],
    ['JSON that ends too early', (body) => body.slice(0, -1), 400, 'invalid_request', /JSON/],
    ['an unknown printer', { printerId: UNKNOWN_ID }, 404, 'not_found', /id of `printerId`/],
    ['no base64', { content: 'JVBERi0*' }, 422, 'invalid_content', /base64/],
    ['base64 that is cut off', { content: 'JVBERi0' }, 422, 'invalid_content', /base64/],
    ['a PDF without its marker', { content: base64(' %PDF-1.7') }, 422, 'invalid_content', /%PDF-/],
    ['a PDF of 25 MB + 1', tooLarge('pdf_base64'), 413, TOO_LARGE, /26214400 bytes/],
    ['raw data of 25 MB + 1', tooLarge('raw_base64'), 413, TOO_LARGE, /26214400 bytes/],
    ['a body of 36 MiB + 1', (body) => body.padEnd(36 * MEGABYTE + 1), 413, TOO_LARGE, /body/],
    // Errors are reported in the order fields, printer, document.
    ['a wrong field before its document', { contentType: 'docx', content: '*' }, 400, 'invalid_request', /contentType/],
    ['an unknown printer before its document', { printerId: UNKNOWN_ID, content: '*' }, 404, 'not_found', /printer/],
  ])('with %s', async (_, changes, status, code, message) => {
    proves(
      'error.400.invalid_request',
      'envelope.code',
      'envelope.message',
      'envelope.request_id',
      'envelope.nothing-else',
      'error.400.bad-json',
      'create.printerId.unknown',
      'error.422.invalid_content',
      'content.base64.padding',
      'content.marker',
      'content.pdf_base64.25MB-plus-1',
      'content.raw_base64.25MB-plus-1',
      'convention.body-limit',
      'error.413.content_too_large',
    )
    const { api, job, jobIds, expectFilesOfJobs } = await newPrinting()
    const body =
      typeof changes === 'function'
        ? changes(JSON.stringify(job({ content: LARGE })))
        : job({ content: LARGE, ...changes })
    expectError(await api.post('/v1/printjobs', body), status, code, message)
    expect(await jobIds()).toEqual([])
    await expectFilesOfJobs()
  })

  test("when the printer is of the organization's other mode, of another organization, disabled or removed", async () => {
    proves(
      'error.422.mode_mismatch',
      'create.mode-mismatch',
      'auth.test-key.printers',
      'create.printerId.other-organization',
      'error.422.printer_disabled',
      'create.printer-disabled',
      'create.printerId.removed',
    )
    const { api, testApi, addPrinter, job, jobIds, expectFilesOfJobs } = await newPrinting()
    const other = await newPrinting()
    const disabled = job({ content: LARGE, printerId: (await addPrinter('live', { enabled: false })).id })
    for (const body of [job(), disabled]) expectError(await testApi.post('/v1/printjobs', body), 422, 'mode_mismatch')
    expectError(await api.post('/v1/printjobs', disabled), 422, 'printer_disabled')
    expectError(await api.post('/v1/printjobs', other.job()), 404, 'not_found')
    // No gateway has cached it. The announcement of a deletion follows the answer.
    const removed = await addPrinter('live')
    await api.request('DELETE', `/v1/computers/${removed.computerId}`)
    expectError(await api.post('/v1/printjobs', job({ printerId: removed.id })), 404, 'not_found')
    expect([await jobIds(), await expectFilesOfJobs()]).toEqual([[], 0])
  })
})

test.each([
  ['service_unavailable', 503],
  ['internal_error', 500],
] as const)('the document leaves the store when jobs fails: %s', async (code, status) => {
  proves(`error.${status}.${code}`)
  const { api, job, world, expectFilesOfJobs } = await newPrinting()
  world.intercept(JobsService.method.createJobs, async () => {
    throw toConnectError(new ApiError(code, 'a test'))
  })
  expectError(await api.post('/v1/printjobs', job({ content: LARGE })), status, code)
  expect(await expectFilesOfJobs()).toBe(0)
})

test('a job for a printer that is offline, or whose computer is, is accepted', async () => {
  proves('create.printer-unknown')
  const { api, addPrinter, job, world } = await newPrinting()
  const { id, computerId } = await addPrinter('live', { state: 'offline' })
  for (const [computer, printer] of [
    ['offline', 'unknown'],
    ['online', 'offline'],
  ]) {
    await world.query('UPDATE devices.computer SET state = $2 WHERE id = $1', [computerId, computer])
    expect((await api.get(`/v1/printers/${id}`)).body.state).toBe(printer)
    expect(await api.createJob(job({ printerId: id }))).toMatchObject({ state: 'queued' })
  }
})

const HOST = 'files.example.com'
const URL = `http://${HOST}/a.pdf`
const FETCHED = '%PDF-1.7 from a URL'
const CREDENTIALS = { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } }

/** An organization, and a server of documents at `URL`. */
async function newFetching(mode: 'live' | 'test' = 'live') {
  const printing = await newPrinting(mode)
  const requests: { url: string | undefined; authorization: string | undefined }[] = []
  const server = createServer(({ url, headers: { authorization } }, response) => {
    requests.push({ url, authorization })
    response.end(FETCHED)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  printing.world.addHost(HOST, ['93.184.216.34'], (server.address() as AddressInfo).port)
  const byUrl = (changes: Body = {}) => printing.job({ contentType: 'pdf_uri', content: URL, ...changes })
  const reprint = (id: string, changes: Body = {}) => ({
    printerId: printing.printer.id,
    title: 'Again',
    reprintOf: id,
    ...changes,
  })
  const fetched = (id: string) =>
    waitFor(async () => {
      const job = await printing.api.getJob(id)
      expect(job.fileSize).toBe(FETCHED.length)
      return job
    })
  return { ...printing, requests, byUrl, reprint, fetched }
}

test('a document at a URL is fetched once, with its credentials, and kept', async () => {
  proves('content.pdf_uri', 'create.authentication', 'fetch.kept', 'fetch.once')
  const { api, byUrl, requests, fetched, world } = await newFetching()
  // It is the same URL as Python and PHP write it.
  const body = JSON.stringify(byUrl({ content: `${URL}?é`, authentication: CREDENTIALS }))
  const escaped = body.replaceAll('/', '\\/').replaceAll('é', '\\u00e9')
  const { body: job } = await api.post('/v1/printjobs', escaped)
  expect(job).toMatchObject({ state: 'queued', contentType: 'pdf_uri', fileSize: null, fileSha256: null })
  expect(JSON.stringify(job)).not.toContain(HOST)
  expect(await fetched(job.id)).toMatchObject({ fileSha256: sha256(FETCHED) })
  expect(await stored(world, job.id)).toBe(sha256(FETCHED))
  expect(requests).toEqual([{ url: encodeURI('/a.pdf?é'), authorization: `Basic ${base64('u:p')}` }])
})

test('a URL is http or https at port 80 or 443, with a public address and 2048 characters at most; another makes no job', async () => {
  proves(
    'error.422.invalid_content_url',
    'url.http',
    'url.https',
    'url.port.80',
    'url.port.443',
    'url.2048',
    'url.scheme',
    'url.2049',
    'url.user-info',
    'url.port.other',
    'url.private',
    'url.unresolvable',
  )
  const { api, byUrl, jobIds } = await newFetching()
  const accepted = [`https://${HOST}:80/`, `http://${HOST}:443/`, `${URL}?${'a'.repeat(2047 - URL.length)}`]
  for (const content of accepted) await api.createJob(byUrl({ contentType: 'raw_uri', content }))
  for (const content of [
    ...[`ftp://${HOST}/`, 'JVBERi0x', `https://u:p@${HOST}/`],
    ...[`https://${HOST}:8443/`, 'http://10.0.0.1/'],
  ])
    expectError(await api.post('/v1/printjobs', byUrl({ content })), 422, 'invalid_content_url')
  for (const length of [2_049, 8_193, 65_537, 200_000]) {
    const answer = await api.post('/v1/printjobs', byUrl({ content: URL.padEnd(length, 'a') }))
    expectError(answer, 422, 'invalid_content_url', /^`content`: the URL must have at most 2048 characters\.$/)
  }
  for (const [content, message] of [
    [`https://u:p@${HOST}/`, /must not contain a user name or password\. Send them as `authentication`/],
    ['http://10.0.0.1/', /^`content`: the address of the host is not public\. Send the file itself/],
  ] as const)
    expectError(await api.post('/v1/printjobs', byUrl({ content })), 422, 'invalid_content_url', message)
  const unknown = await api.post('/v1/printjobs', byUrl({ content: 'https://unknown.example.com/' }))
  expectError(unknown, 422, 'invalid_content_url', /^`content`: the host does not resolve to a public address\. Check/)
  expect(await jobIds()).toHaveLength(accepted.length)
})

describe('a reprint', () => {
  test('has the stored document and the content type of its original', async () => {
    proves('create.reprintOf')
    const { api, job, reprint, expectFilesOfJobs } = await newFetching()
    const { id, fileSize, fileSha256 } = await api.createJob(job({ content: LARGE }))
    const again = await api.createJob(reprint(id))
    const { facts } = (await api.get(`/v1/printjobs/${again.id}/explanation`)).body
    expect(facts).toContainEqual({ name: 'reprint of', value: id, ref: `/v1/printjobs/${id}` })
    expect(again).toMatchObject({
      title: 'Again',
      state: 'queued',
      reprintOf: id,
      contentType: 'pdf_base64',
      fileSize,
      fileSha256,
    })
    expect(await expectFilesOfJobs()).toBe(1)
  })

  test('names its original by id or number, in JSON and in a form; a number that no job has is a 404', async () => {
    proves('create.reprintOf.number')
    const { api, url, key, job, printer } = await newFetching()
    const { id, number } = await api.createJob(job())
    const facts = { printerId: printer.id, title: 'Again' }
    for (const reprintOf of [number, String(number), id.toUpperCase()])
      expect((await api.post('/v1/printjobs', { ...facts, reprintOf })).body).toMatchObject({ reprintOf: id })
    expect((await sendForm(url, key, { ...facts, reprintOf: String(number) })).body).toMatchObject({ reprintOf: id })
    for (const [reprintOf, status] of [
      [number + 10, 404],
      [0, 400],
      ['first', 400],
    ] as const)
      expect((await api.post('/v1/printjobs', { ...facts, reprintOf })).status).toBe(status)
  })

  test('of a job of another organization or mode, or of none, is a 404', async () => {
    proves('create.reprintOf.unknown')
    const { api, testApi, job, reprint, addPrinter } = await newFetching()
    const other = await newPrinting()
    const testJob = await testApi.createJob(job({ printerId: (await addPrinter('test')).id }))
    for (const id of [(await other.api.createJob(other.job())).id, testJob.id, UNKNOWN_ID])
      expectError(await api.post('/v1/printjobs', reprint(id)), 404, 'not_found', /reprintOf/)
  })

  test('can be made for 7 days; then it is `file_expired`, and frees its Idempotency-Key', async () => {
    proves('reprint.7-days', 'reprint.expired', 'error.410.file_expired')
    const { api, job, reprint, world, jobIds } = await newFetching()
    const { id } = await api.createJob(job())
    world.advance(7 * DAY_MS - 1)
    await api.createJob(reprint(id))
    world.advance(1)
    const header = { 'idempotency-key': 'k' }
    expectError(await api.post('/v1/printjobs', reprint(id), header), 410, 'file_expired', /no longer stored/)
    const { status, headers } = await api.post('/v1/printjobs', job(), header)
    expect([status, headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(await jobIds()).toHaveLength(3)
  })
})

test('an option that the printer does not offer is named in a warning; raw data ignore all without one', async () => {
  const { api, job, byUrl, reprint, fetched, world } = await newFetching()
  const options = { color: true, duplex: 'one-sided' }
  const stateMessage = 'Ignored options: color true (not offered by this printer).'
  const warned = { options, stateMessage, stateReasons: ['option-ignored'] }
  const first = await api.createJob(job({ options }))
  const raw = await api.createJob(byUrl({ contentType: 'raw_uri', options }))
  await fetched(raw.id)
  const silent = { contentType: 'raw_uri', options, stateMessage: null, stateReasons: [] }
  for (const [{ id }, shown, effective] of [
    [first, warned, { duplex: 'one-sided' }],
    [await api.createJob(reprint(first.id, { options })), warned, { duplex: 'one-sided' }],
    [raw, silent, {}],
    [await api.createJob(reprint(raw.id, { options })), silent, {}],
  ]) {
    expect(await api.getJob(id)).toMatchObject(shown)
    const [row] = await world.query('SELECT effective_options FROM jobs.job WHERE id = $1', [id])
    expect(row).toEqual({ effective_options: effective })
  }
})

test('the 500th test job of a UTC day is accepted in each form and the 501st is not, until the next day', async () => {
  proves(
    'create.daily-cap',
    'daily-cap.500',
    'daily-cap.501',
    'daily-cap.retry-after',
    'daily-cap.next-day',
    'daily-cap.per-organization',
    'error.429.test_mode_daily_cap',
  )
  const { api, id, url, addKey, job, byUrl, reprint, world, expectFilesOfJobs } = await newFetching('test')
  world.advance(DAY_MS - (world.clock.now().getTime() % DAY_MS) + 500)
  const first = await api.createJob(job())
  const otherKey = createApi(url, await addKey('test', ['print']))
  for (const body of [job({ content: LARGE }), byUrl(), reprint(first.id)]) {
    await world.query('UPDATE jobs.creation_count SET count = 499 WHERE organization_id = $1', [id])
    await otherKey.createJob(body)
    const refused = await api.post('/v1/printjobs', body)
    expectError(refused, 429, 'test_mode_daily_cap', /500 test jobs/)
    // 86,399.5 s, in whole seconds that are enough.
    expect(refused.headers.get('retry-after')).toBe('86400')
  }
  await expectFilesOfJobs()
  world.advance(DAY_MS - 500)
  await api.createJob(job())
})

test('a live job counts as a print of the plan in each form', async () => {
  proves('error.402.quota_exceeded', 'envelope.upgrade_url')
  const { api, id, job, byUrl, reprint, world, expectFilesOfJobs } = await newFetching()
  await world.usage.setPlan({ organizationId: id, printsLimit: 3 })
  const first = await api.createJob(job())
  const bodies = [job({ content: LARGE }), byUrl(), reprint(first.id)]
  for (const body of bodies.slice(1)) await api.createJob(body)
  for (const body of bodies) {
    const { status, headers, body: refusal } = await api.post('/v1/printjobs', body)
    const error = {
      code: 'quota_exceeded',
      message: expect.stringMatching(/\w/),
      doc_url: '/docs/reference/errors#error.402.quota_exceeded',
      request_id: headers.get('x-request-id'),
      upgrade_url: 'https://print.example/billing',
    }
    expect([status, refusal]).toEqual([402, { error }])
  }
  await expectFilesOfJobs()
})
