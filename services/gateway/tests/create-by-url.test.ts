import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'
import { PRINTER_ID } from './start-test-services.ts'

const URL = 'https://files.example.com/a.pdf'
const byUrl = (changes: Record<string, unknown> = {}) => printJob({ contentType: 'pdf_uri', content: URL, ...changes })
const authentication = { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } }

test.each(['pdf_uri', 'raw_uri'])(
  'a job of %s is accepted without a document, and nothing is stored',
  async (contentType) => {
    const { api, services } = await startTestGateway()
    const job = await api.createJob(byUrl({ contentType, authentication }))
    expect(job).toMatchObject({ contentType, state: 'queued', fileSize: null, fileSha256: null })
    expect(JSON.stringify(job)).not.toContain('files.example.com')
    expect(services.createdJobs[0]?.fetch).toMatchObject({ url: URL, credentials: { user: 'u', password: 'p' } })
    expect(await services.storedFiles()).toEqual([])
  },
)

describe('a URL is invalid_content_url when', () => {
  test.each([
    ['its scheme is another', 'ftp://files.example.com/'],
    ['it is no URL', 'JVBERi0x'],
    ['it has 2049 characters', `${URL}?${'a'.repeat(2048 - URL.length)}`],
    ['it has user info', 'https://u:p@files.example.com/'],
    ['its port is another', 'https://files.example.com:8443/'],
    ['its address is private', 'http://10.0.0.1/'],
    ['its address is loopback', 'http://[::1]/'],
    ['its host does not resolve', 'https://unknown.example.com/'],
  ])('%s', async (_, content) => {
    const { api, services } = await startTestGateway()
    expectError(await api.post('/v1/printjobs', byUrl({ content })), 422, 'invalid_content_url')
    expect(services.createdJobs).toEqual([])
    expect(await services.storedFiles()).toEqual([])
  })
})

test.each([
  ['port 80', 'https://files.example.com:80/'],
  ['port 443', 'http://files.example.com:443/'],
  ['2048 characters', `${URL}?${'a'.repeat(2047 - URL.length)}`],
])('a URL may have %s', async (_, content) => {
  const { api } = await startTestGateway()
  await api.createJob(byUrl({ content }))
})

test('a URL that is written with the escapes of JSON is the same URL', async () => {
  const { api, services, baseUrl, key } = await startTestGateway()
  const body = JSON.stringify(byUrl({ content: `${URL}?é€🖨` }))
  // As Python and PHP write it.
  const escaped = body
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  expect(escaped).not.toContain('é')
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  expect((await fetch(`${baseUrl}/v1/printjobs`, { method: 'POST', headers, body: escaped })).status).toBe(201)
  await api.createJob(JSON.parse(body))
  expect(services.createdJobs.map((job) => job.fetch?.url)).toEqual([`${URL}?é€🖨`, `${URL}?é€🖨`])
})

describe('authentication is invalid_request when', () => {
  test.each<[string, unknown]>([
    ['its type is another', { ...authentication, type: 'Bearer' }],
    ['credentials.user is missing', { type: 'BasicAuth', credentials: { pass: 'p' } }],
    ['credentials.pass is missing', { type: 'BasicAuth', credentials: { user: 'u' } }],
    ['the user has a colon', { type: 'BasicAuth', credentials: { user: 'u:', pass: 'p' } }],
    ['it has another field', { ...authentication, realm: 'x' }],
  ])('%s', async (_, wrong) => {
    const { api } = await startTestGateway()
    expectError(await api.post('/v1/printjobs', byUrl({ authentication: wrong })), 400, 'invalid_request')
  })
})

test('a reprint names its original and nothing else', async () => {
  const { api, services } = await startTestGateway()
  await api.createJob({ printerId: PRINTER_ID, title: 'Again', reprintOf: PRINTER_ID })
  expect(services.createdJobs[0]).toMatchObject({ reprintOf: PRINTER_ID, storageKey: '' })
  expectError(await api.post('/v1/printjobs', printJob({ reprintOf: PRINTER_ID })), 400, 'invalid_request')
  expectError(await api.post('/v1/printjobs', { printerId: PRINTER_ID, title: 'None' }), 400, 'invalid_request')
})
