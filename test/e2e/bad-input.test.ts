import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'

let platen: Platen
let printerId: string

beforeAll(async () => {
  platen = await startPlaten()
  printerId = (await platen.api.printer('Test A4 Laser')).id
})

afterAll(async () => {
  await platen.stop()
  await removeDataDir(platen.dataDir)
})

const PDF = makePdf('Hello').toString('base64')
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'

function expectError({ status, headers, body }: Answer, expectedStatus: number, code: string) {
  expect({ status, code: body.error?.code }).toEqual({ status: expectedStatus, code })
  expect(body).toEqual({
    error: { code, message: expect.stringMatching(/\w+/), request_id: headers.get('x-request-id') },
  })
}

const job = (changes: Record<string, unknown> = {}) => ({
  printerId,
  title: 'Invoice',
  contentType: 'pdf_base64',
  content: PDF,
  ...changes,
})

async function storedDocuments(): Promise<number> {
  const entries = await readdir(join(platen.dataDir, 'files'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

/** Refused, and nothing of it is stored. */
async function expectRefusal(body: unknown, status: number, code: string, headers: Record<string, string> = {}) {
  const before = await storedDocuments()
  expectError(await platen.api.post('/v1/printjobs', body, headers), status, code)
  await waitFor(async () => expect(await storedDocuments()).toBe(before))
}

describe('a creation is refused, with nothing stored, when', () => {
  test.each([
    ['the JSON is cut off', '{"printerId": "'],
    ['the body is no object', '[1, 2]'],
    ['the body is empty', ''],
  ])('%s', (_, body) => expectRefusal(body, 400, 'invalid_request'))

  test.each<[string, Record<string, unknown>]>([
    ['printerId is missing', { printerId: undefined }],
    ['printerId is no UUID', { printerId: 'laser' }],
    ['the title is a number', { title: 7 }],
    ['the title is empty', { title: '' }],
    ['the title has 256 characters', { title: 'x'.repeat(256) }],
    ['the title has a NUL', { title: 'a\u0000b' }],
    ['qty is 0', { qty: 0 }],
    ['qty is 101', { qty: 101 }],
    ['qty is a text', { qty: '1' }],
    ['qty is a fraction', { qty: 1.5 }],
    ['expireAfter is 59', { expireAfter: 59 }],
    ['expireAfter is 604801', { expireAfter: 604_801 }],
    ['contentType is unknown', { contentType: 'docx' }],
    ['content is missing', { content: undefined }],
    ['content is a number', { content: 7 }],
    ['a field is unknown', { colour: true }],
    ['an option is unknown', { options: { stapled: true } }],
    ['an option is malformed', { options: { rotate: 45 } }],
  ])('%s', (_, changes) => expectRefusal(job(changes), 400, 'invalid_request'))

  test.each([
    ['the base64 has a character that is none', `${PDF.slice(0, 40)}*${PDF.slice(41)}`],
    ['the base64 has a line break', `${PDF.slice(0, 40)}\n${PDF.slice(40)}`],
    ['the base64 is URL-safe base64', Buffer.from('%PDF-\xfb\xff\xfe', 'latin1').toString('base64url')],
    ['the base64 is cut off', PDF.replace(/=*$/, '').slice(0, -1)],
    ['the document is no PDF', Buffer.from('<html></html>').toString('base64')],
  ])('%s', (_, content) => expectRefusal(job({ content }), 422, 'invalid_content'))

  test('the document has 25 MB + 1 byte', async () => {
    const content = makePdf('Large', 26_214_401).toString('base64')
    await expectRefusal(job({ content }), 413, 'content_too_large')
  })

  test('the printer does not exist', () => expectRefusal(job({ printerId: UNKNOWN_ID }), 404, 'not_found'))

  test("the printer is of the organization's other mode", () =>
    expectRefusal(job(), 422, 'mode_mismatch', { authorization: `Bearer ${platen.credentials.liveKey}` }))

  test('the content type of the request is not JSON', () =>
    expectRefusal('printerId=1', 415, 'unsupported_media_type', {
      'content-type': 'application/x-www-form-urlencoded',
    }))
})

test.each([1, 255])('a title of %i characters is accepted, counted in code points', async (length) => {
  await platen.api.createJob(job({ title: '🖨'.repeat(length) }))
})

describe('a request without a good key is a 401, all alike', () => {
  const wrong = () => `platen_test_${'0'.repeat(49)}`
  test.each<[string, () => Record<string, string>]>([
    ['no key', () => ({ authorization: '' })],
    ['a made-up key', () => ({ authorization: `Bearer ${wrong()}` })],
    ['a key with one wrong character', () => ({ authorization: `Bearer ${platen.credentials.testKey.slice(0, -1)}~` })],
    ['a scheme that is none of ours', () => ({ authorization: `Token ${platen.credentials.testKey}` })],
    ['Basic with a password', () => ({ authorization: `Basic ${btoa(`${platen.credentials.testKey}:secret`)}` })],
  ])('%s', async (_, headers) => {
    expectError(await platen.api.get('/v1/whoami', headers()), 401, 'unauthorized')
    expectError(await platen.api.get('/v1/nowhere', headers()), 401, 'unauthorized')
    await expectRefusal(job(), 401, 'unauthorized', headers())
  })
})

describe('what does not exist is a 404', () => {
  test.each([
    `/v1/printjobs/${UNKNOWN_ID}`,
    `/v1/printjobs/${UNKNOWN_ID}/events`,
    `/v1/printers/${UNKNOWN_ID}`,
    `/v1/computers/${UNKNOWN_ID}`,
    '/v1/printjobs/not-a-uuid',
    '/v1/nowhere',
    '/nowhere',
  ])('%s', async (path) => {
    expectError(await platen.api.get(path), 404, 'not_found')
  })
})

test('a wrong method is a 405 that says which are allowed', async () => {
  const answer = await platen.api.request('DELETE', '/v1/printjobs')
  expectError(answer, 405, 'method_not_allowed')
  expect(answer.headers.get('allow')).toContain('POST')
})

test.each(['limit=0', 'limit=101', 'limit=x', 'dir=up', 'after=nonsense', 'colour=red', 'limit=1&limit=2'])(
  'a list with ?%s is a 400',
  async (query) => {
    expectError(await platen.api.get(`/v1/printers?${query}`), 400, 'invalid_request')
  },
)

test('neither keys nor contents nor titles are in any log', async () => {
  const canary = 'canary-7f3a'
  await platen.api.createJob(job({ title: canary }))
  await platen.api.post('/v1/printjobs', job({ title: canary, content: btoa(canary) }))
  await platen.api.post('/v1/printjobs', `{"title": "${canary}", `)
  await platen.api.get(`/v1/printers?${canary}=1`)
  const logs = join(platen.dataDir, 'logs')
  for (const name of await readdir(logs)) {
    const text = await readFile(join(logs, name), 'utf8')
    const { testKey, liveKey } = platen.credentials
    for (const secret of [canary, btoa(canary), testKey, liveKey])
      expect(text.includes(secret), `${name}: ${secret}`).toBe(false)
  }
})
