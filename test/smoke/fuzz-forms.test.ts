/**
 * Hostile forms (`multipart/form-data`), to the real services. Each is a valid form with some changes of its bytes,
 * parts or headers. It gets a job or an error of the document, never a defect, and leaves no file without a job.
 */
import { addGateway, expectError, newPrinting } from '@platen/gateway/tests/client.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, createApi } from '../harness/api.ts'

const RUNS = Number(process.env.PLATEN_FUZZ_RUNS || 25)
const SEED = Number(process.env.PLATEN_FUZZ_SEED || fc.sample(fc.nat(), 1)[0])
/** A form without an answer fails, with its bytes. */
const ANSWER_MS = 20_000
/** Concurrent requests. */
const BATCH = 10
const LIMIT_MS = 60_000 + RUNS * 100

const BOUNDARY = 'x7b'
const PDF = '%PDF-1.7\n%%EOF\n'

interface Part {
  headers: string[]
  value: Buffer
}

interface Form {
  parts: Part[]
  contentType: string
  end: string
}

const disposition = (name: string, more = '') => `Content-Disposition: form-data; name="${name}"${more}`
const field = (name: string, value: string): Part => ({ headers: [disposition(name)], value: Buffer.from(value) })

const validForm = (printerId: string): Form => ({
  parts: [
    field('printerId', printerId),
    field('title', 'Invoice'),
    field('options', '{"copies":2}'),
    { headers: [disposition('file', '; filename="a.pdf"'), 'Content-Type: application/pdf'], value: Buffer.from(PDF) },
  ],
  contentType: `multipart/form-data; boundary=${BOUNDARY}`,
  end: `--${BOUNDARY}--\r\n`,
})

const toBytes = ({ parts, end }: Form) =>
  Buffer.concat([
    ...parts.flatMap(({ headers, value }) => [
      Buffer.from(`--${BOUNDARY}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`, 'latin1'),
      value,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ])

const HEADERS = [
  'Content-Disposition: form-data',
  'Content-Disposition: attachment; name="title"',
  'Content-Disposition: form-data; name="file"; filename="../../etc/passwd"',
  `Content-Disposition: form-data; name="file"; filename*=UTF-8''%00%0d%0a`,
  'Content-Disposition: form-data; name="__proto__"',
  'Content-Disposition: form-data; name="constructor"',
  `Content-Disposition: form-data; name="${'a'.repeat(9000)}"`,
  'Content-Disposition: form-data; name="title',
  'Content-Transfer-Encoding: base64',
  'Content-Type: text/plain; charset=utf-16',
  `Content-Type: multipart/mixed; boundary=${BOUNDARY}`,
  'Content-Length: 99999999999',
  ': nameless',
  'no colon',
  'X: \0\xff',
]
const CONTENT_TYPES = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  'multipart/form-data; boundary=other',
  `multipart/form-data; boundary=${BOUNDARY}; boundary=other`,
  `multipart/mixed; boundary=${BOUNDARY}`,
]
const VALUES = [
  '',
  '{',
  '[[[[',
  '{"__proto__":{"copies":2}}',
  '1e999',
  '\0',
  '\xff\xfe',
  `--${BOUNDARY}`,
  'x'.repeat(70_000),
]

/** A change of the parts. */
const formChange = fc.oneof(
  fc.tuple(fc.nat(9), fc.constantFrom(...HEADERS)).map(([n, header]) => (form: Form) => {
    at(form.parts, n)?.headers.push(header)
  }),
  fc.tuple(fc.nat(9), fc.constantFrom(...HEADERS)).map(([n, header]) => (form: Form) => {
    const part = at(form.parts, n)
    if (part) part.headers = [header]
  }),
  fc.tuple(fc.nat(9), fc.constantFrom(...VALUES)).map(([n, value]) => (form: Form) => {
    const part = at(form.parts, n)
    if (part) part.value = Buffer.from(value, 'latin1')
  }),
  fc.nat(9).map((n) => (form: Form) => {
    const part = at(form.parts, n)
    if (part) form.parts.push(part)
  }),
  fc.nat(9).map((n) => (form: Form) => void form.parts.splice(n % form.parts.length, 1)),
  fc.constantFrom(40, 2_000).map((count) => (form: Form) => {
    for (let n = 0; n < count; n++) form.parts.push(field(`a${n}`, ''))
  }),
  fc.constantFrom(...CONTENT_TYPES).map((contentType) => (form: Form) => {
    form.contentType = contentType
  }),
  fc
    .constantFrom('', `--${BOUNDARY}`, `--${BOUNDARY}--trailing`, `--${BOUNDARY}--\r\n--${BOUNDARY}\r\n`)
    .map((end) => (form: Form) => {
      form.end = end
    }),
)
const at = (parts: Part[], n: number) => parts[n % Math.max(parts.length, 1)]

/** A change of the bytes. */
const bytesChange: fc.Arbitrary<(bytes: Buffer) => Buffer> = fc.oneof(
  fc.nat().map((n) => (bytes: Buffer) => bytes.subarray(0, n % (bytes.length + 1))),
  fc.tuple(fc.nat(), fc.nat(255)).map(([n, byte]) => (bytes: Buffer) => {
    if (bytes.length > 0) bytes[n % bytes.length] = byte
    return bytes
  }),
  fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 20 })).map(([n, more]) => (bytes: Buffer) => {
    const offset = n % (bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, offset), more, bytes.subarray(offset)])
  }),
)

const changes = fc.record({
  form: fc.array(formChange, { maxLength: 3 }),
  bytes: fc.array(bytesChange, { maxLength: 3 }),
})

console.info(`PLATEN_FUZZ_SEED=${SEED}`)

test('a hostile form gets a job or an error, and leaves no file without a job', { timeout: LIMIT_MS }, async () => {
  // All documents are in the file store, so documents without a job are found.
  const gateway = await addGateway({ inlineDocumentBytes: 0 })
  const { printer, key, world, expectFilesOfJobs } = await newPrinting('live', gateway.url)
  const counts = { accepted: 0, refused: 0 }

  async function send(contentType: string, bytes: Buffer) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': contentType }
    const init = { method: 'POST', headers, body: new Uint8Array(bytes), signal: AbortSignal.timeout(ANSWER_MS) }
    const response = await fetch(`${gateway.url}/v1/printjobs`, init).catch((error: unknown) => {
      throw new Error(`no answer to ${contentType} ${JSON.stringify(bytes.toString('latin1').slice(0, 2000))}`, {
        cause: error,
      })
    })
    const answer: Answer = { status: response.status, headers: response.headers, body: await response.json() }
    return answer
  }
  async function check(change: { form: ((form: Form) => void)[]; bytes: ((bytes: Buffer) => Buffer)[] }) {
    const form = validForm(printer.id)
    for (const apply of change.form) apply(form)
    const bytes = change.bytes.reduce<Buffer>((all, apply) => apply(all), toBytes(form))
    const answer = await send(form.contentType, bytes)
    const what = `${form.contentType} ${bytes.toString('latin1').slice(0, 2000)}: ${JSON.stringify(answer.body)}`
    expect([200, 201, 400, 404, 413, 415, 422], what).toContain(answer.status)
    counts[answer.status === 201 ? 'accepted' : 'refused']++
    if (answer.status !== 201) expectError(answer, answer.status, answer.body.error.code)
  }
  const batches = fc.asyncProperty(fc.array(changes, { minLength: BATCH, maxLength: BATCH }), async (batch) => {
    // A new second for the rate limit.
    world.advance(1_000)
    await Promise.all(batch.map(check))
  })
  // Without shrinking, because a form without an answer takes `ANSWER_MS`.
  await fc.assert(batches, { seed: SEED, numRuns: Math.ceil((4 * RUNS) / BATCH), endOnFailure: true })
  // Otherwise the forms prove nothing.
  expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(0)
  expect(await expectFilesOfJobs()).toBe(counts.accepted)
  const { parts, contentType, end } = validForm(printer.id)
  world.advance(1_000)
  expect(await send(contentType, toBytes({ parts, contentType, end }))).toMatchObject({ status: 201 })
  expect((await createApi(gateway.url, key).get('/v1/printjobs?limit=1')).status).toBe(200)
})
