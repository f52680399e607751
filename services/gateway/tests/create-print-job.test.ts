import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { PDF, printJob, startTestGateway } from './start-test-gateway.ts'
import { AT, COMPUTER_ID, makePrinter, ORGANIZATION_ID, PRINTER_ID, type TestServices } from './start-test-services.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const LIMIT_BYTES = 26_214_400
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64')

test('a job is accepted with the full job object in queued, and its document lies in the store', async () => {
  const { api, services } = await startTestGateway()
  const { status, body } = await api.post('/v1/printjobs', printJob({ options: { duplex: 'long-edge' } }))
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(UUID_V7),
    printerId: PRINTER_ID,
    computerId: COMPUTER_ID,
    title: 'Invoice',
    contentType: 'pdf_base64',
    source: 'api',
    qty: 1,
    options: { duplex: 'long-edge' },
    expireAfter: 86_400,
    expiresAt: AT.toISOString(),
    fileSize: PDF.length,
    fileSha256: sha256(PDF),
    mode: 'test',
    state: 'queued',
    stateMessage: null,
    stateReasons: [],
    createdAt: AT.toISOString(),
    sentAt: null,
    receivedAt: null,
    printingAt: null,
    finishedAt: null,
  })
  const [request] = services.createdJobs
  expect(request).toMatchObject({ organizationId: ORGANIZATION_ID, jobId: body.id, actor: 'api' })
  const [file = '', ...others] = await services.storedFiles()
  expect(others).toEqual([])
  expect(file.endsWith(request?.storageKey ?? 'none')).toBe(true)
  expect(request?.storageKey).toBe(request?.jobId)
  expect(await readFile(file, 'utf8')).toBe(PDF)
})

test('content may come before everything that says what it is, with escapes', async () => {
  const { api, services } = await startTestGateway()
  const { content, ...rest } = printJob({ content: base64('%PDF-???>>>') })
  const escaped = content.replaceAll('/', '\\/').replace('J', '\\u004a')
  const { status } = await api.post('/v1/printjobs', `{"content":"${escaped}",${JSON.stringify(rest).slice(1)}`)
  expect(status).toBe(201)
  expect(services.createdJobs[0]?.fileSha256).toBe(sha256('%PDF-???>>>'))
})

test('raw data is whatever it is', async () => {
  const { api } = await startTestGateway()
  const job = await api.createJob(printJob({ contentType: 'raw_base64', content: base64('^XA^XZ') }))
  expect(job.fileSha256).toBe(sha256('^XA^XZ'))
})

/** Refused, no job was made, and no file is left. */
async function expectNothingStored(services: TestServices) {
  expect(services.createdJobs).toEqual([])
  await waitFor(async () => expect(await services.storedFiles()).toEqual([]))
}

describe('is refused, and nothing is stored, when', () => {
  test.each<[string, Record<string, unknown>, number, string, RegExp]>([
    ['a field is wrong', { qty: 0 }, 400, 'invalid_request', /`qty`/],
    ['content is empty', { content: '' }, 400, 'invalid_request', /`content`/],
    ['content is missing', { content: undefined }, 400, 'invalid_request', /`content`/],
    ['the printer does not exist', { printerId: COMPUTER_ID }, 404, 'not_found', /printer/],
    ['content is no base64', { content: 'JVBERi0*' }, 422, 'invalid_content', /base64/],
    ['content is cut off', { content: 'JVBERi0' }, 422, 'invalid_content', /base64/],
    ['content is wrapped', { content: 'JVBE\r\nRi0x' }, 422, 'invalid_content', /base64/],
    ['the document is no PDF', { content: base64(' %PDF-1.7') }, 422, 'invalid_content', /%PDF-/],
    ['the document is shorter than the marker', { content: base64('%PDF') }, 422, 'invalid_content', /%PDF-/],
  ])('%s', async (_, changes, status, code, message) => {
    const { api, services } = await startTestGateway()
    expectError(await api.post('/v1/printjobs', printJob(changes)), status, code, message)
    await expectNothingStored(services)
  })

  test.each<[string, Parameters<typeof makePrinter>[0], number, string]>([
    ["the printer is of the organization's other mode", { mode: 'live' }, 422, 'mode_mismatch'],
    ['the printer is of another organization', { organizationId: COMPUTER_ID }, 404, 'not_found'],
    ['the printer is disabled', { enabled: false }, 422, 'printer_disabled'],
    ['the printer is both of the other mode and disabled', { mode: 'live', enabled: false }, 422, 'mode_mismatch'],
  ])('%s', async (_, changes, status, code) => {
    const { api, services } = await startTestGateway()
    services.printers = [makePrinter(changes)]
    expectError(await api.post('/v1/printjobs', printJob()), status, code)
    await expectNothingStored(services)
  })

  test('the JSON ends too early behind the document', async () => {
    const { api, services } = await startTestGateway()
    expectError(await api.post('/v1/printjobs', JSON.stringify(printJob()).slice(0, -1)), 400, 'invalid_request')
    await expectNothingStored(services)
  })

  test('the store cannot be written', async () => {
    const { api, services } = await startTestGateway()
    await rm(services.directory, { recursive: true })
    await writeFile(services.directory, 'in the way')
    expectError(await api.post('/v1/printjobs', printJob()), 503, 'storage_unavailable')
    expect(services.createdJobs).toEqual([])
  })
})

test.each(['service_unavailable', 'internal_error'] as const)(
  'the document leaves the store again when the job is not made: %s',
  async (code) => {
    const { api, services } = await startTestGateway()
    services.createJobError = code
    expectError(await api.post('/v1/printjobs', printJob()), code === 'internal_error' ? 500 : 503, code)
    expect(await services.storedFiles()).toEqual([])
  },
)

describe('faults are told in the order fields, printer, document', () => {
  test('a wrong field before a document that is no base64', async () => {
    const { api } = await startTestGateway()
    const job = printJob({ contentType: 'docx', content: 'https://example.com/a.pdf' })
    expectError(await api.post('/v1/printjobs', job), 400, 'invalid_request', /`contentType`/)
  })

  test('a wrong printer before a document that is no base64', async () => {
    const { api } = await startTestGateway()
    expectError(await api.post('/v1/printjobs', printJob({ printerId: COMPUTER_ID, content: '*' })), 404, 'not_found')
  })

  test('a missing scope before a body that is no JSON', async () => {
    const { api, services } = await startTestGateway()
    const authorization = `Bearer ${services.makeKey('test', ['read'])}`
    expectError(await api.post('/v1/printjobs', '{', { authorization }), 403, 'insufficient_scope')
  })
})

test.each(['offline', 'unknown'])('a job for a printer that is %s is accepted', async (state) => {
  const { api, services } = await startTestGateway()
  services.printers = [makePrinter({ state })]
  expect(await api.createJob(printJob())).toMatchObject({ state: 'queued' })
})

describe('size', () => {
  const document = (sizeBytes: number) => Buffer.alloc(sizeBytes, PDF)

  test.each(['pdf_base64', 'raw_base64'])('25 MB of %s are accepted', async (contentType) => {
    const { api, services } = await startTestGateway()
    const pdf = document(LIMIT_BYTES)
    const job = await api.createJob(printJob({ contentType, content: base64(pdf) }))
    expect(job).toMatchObject({ fileSize: LIMIT_BYTES, fileSha256: sha256(pdf) })
    const [file = ''] = await services.storedFiles()
    expect(sha256(await readFile(file))).toBe(job.fileSha256)
  })

  test.each(['pdf_base64', 'raw_base64'])(
    '25 MB + 1 byte of %s are a 413, and nothing is stored',
    async (contentType) => {
      const { api, services } = await startTestGateway()
      const content = base64(document(LIMIT_BYTES + 1))
      const answer = await api.post('/v1/printjobs', printJob({ contentType, content }))
      expectError(answer, 413, 'content_too_large', /26214400 bytes/)
      await expectNothingStored(services)
    },
  )

  test('white space around a document counts only for the body: 36 MiB of it are a 413', async () => {
    const { api, services } = await startTestGateway()
    const body = JSON.stringify(printJob())
    const answer = await api.post('/v1/printjobs', body.padEnd(36 * 1024 * 1024 + 1))
    expectError(answer, 413, 'content_too_large', /body/)
    await expectNothingStored(services)
  })
})
