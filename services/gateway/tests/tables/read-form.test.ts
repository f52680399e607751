import { createHash } from 'node:crypto'
import { random } from '@platen/test/harness/random.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { createFormReader } from '../../print-jobs/upload/read-form.ts'
import { isForm } from '../../request/json-body.ts'
import { cutAnywhere } from './cuts.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const PDF = '%PDF-1.7\n%%EOF\n'
const BOUNDARY = 'x7'
/** The start of a ZIP archive with the entry of a Word document. */
const WORD = `PK\x03\x04${'\0'.repeat(26)}word/document.xml`
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

const part = (headers: string, value: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\n`), Buffer.from(value), Buffer.from('\r\n')])
const field = (name: string, value: string | Buffer) => part(`Content-Disposition: form-data; name="${name}"`, value)
const file = (value: string | Buffer, name = 'file') =>
  part(`Content-Disposition: form-data; name="${name}"; filename="a.pdf"\r\nContent-Type: application/pdf`, value)
const form = (...parts: Buffer[]) => Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])

/** @returns what a form that arrives in these pieces holds. */
async function read(pieces: Buffer[], type = `multipart/form-data; boundary=${BOUNDARY}`) {
  const hash = createHash('sha256')
  const reader = createFormReader({ 'content-type': type }, (text) => void hash.update(text))
  const document: Buffer[] = []
  for (const piece of pieces) document.push(Buffer.from(await reader.push(Buffer.from(piece))))
  document.push(await reader.end())
  const fields = reader.fields() as Record<string, unknown>
  return { document: Buffer.concat(document), fields, url: reader.text(), textSha256: hash.digest('hex'), reader }
}

const refusal = (message: RegExp, code = 'invalid_request') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

test('a form without its document is refused with the name of the part', async () => {
  proves('create.form.file')
  const { reader } = await read([form(field('printerId', ID), field('contentType', 'pdf'), file(PDF))])
  expect(reader.fileTitle()).toBe('a.pdf')
  await expect(read([form(field('printerId', ID), field('contentType', 'pdf'))])).rejects.toEqual(
    refusal(/^Missing: `file`/),
  )
})

test('a form has the fields, the document and the text of the same job as JSON, however it is cut', async () => {
  const next = random(7)
  const bytes = Buffer.concat([Buffer.from(PDF), Buffer.from(Array.from({ length: 2000 }, () => next(256)))])
  const whole = form(
    field('title', 'Ärger "1"'),
    file(bytes),
    field('printerId', ID),
    field('qty', '2'),
    field('options', '{"copies":3}'),
  )
  for (let round = 0; round < 50; round++) {
    const { document, fields, textSha256, reader } = await read(cutAnywhere(whole, next))
    expect(document.equals(bytes)).toBe(true)
    expect(fields).toEqual({
      title: 'Ärger "1"',
      printerId: ID,
      qty: 2,
      options: { copies: 3 },
      contentType: 'pdf_base64',
      content: 'x',
    })
    expect(textSha256).toBe(sha256(bytes.toString('base64')))
    expect(reader.checkedDocument('pdf_base64')).toEqual({ sizeBytes: bytes.length, sha256: sha256(bytes) })
  }
})

test.each([
  ['PDF bytes', [file(PDF)], 'pdf_base64'],
  ['other bytes', [file('^XA^XZ')], 'raw_base64'],
  ['`raw` after the file', [file(PDF), field('contentType', 'raw')], 'raw_base64'],
  ['`pdf` before the file', [field('contentType', 'pdf'), file('^XA')], 'pdf_base64'],
  ['text, which is refused later', [file('Hello')], 'raw_base64'],
])('the content type follows from the document, unless the form names one: %s', async (_, parts, contentType) => {
  expect((await read([form(...parts)])).fields).toEqual({ contentType, content: 'x' })
})

test.each([
  ['a Word document', [file(WORD)], /^This is a Word document\. Save it as PDF, or send it with `contentType=raw`/],
  ['text', [file('Hello')], /^This is plain text\. Save it as PDF, or send it with `contentType=raw`/],
  ['unknown bytes', [file('\0\x01')], /^The format of this document is not known\. Save it as PDF, or send it with/],
])('raw data must be asked for or recognized: %s', async (_, parts, message) => {
  const { reader } = await read([form(...parts)])
  expect(reader.requireFormat).toThrow(refusal(message, 'invalid_content'))
  for (const allowed of [[...parts, field('contentType', 'raw')], [file('^XA^XZ')], [field('contentType', 'pdf_uri')]])
    expect((await read([form(...allowed)])).reader.requireFormat()).toBeUndefined()
})

test('`content` is a URL', async () => {
  const url = 'https://files.example.com/1.pdf'
  const read1 = await read([form(field('contentType', 'pdf_uri'), field('content', url))])
  expect(read1.fields).toEqual({ contentType: 'pdf_uri', content: 'x' })
  expect([read1.url, read1.textSha256, read1.document.length]).toEqual([url, sha256(url), 0])
})

test.each([
  ['a part twice', form(field('title', 'a'), field('title', 'b')), /`title` was sent twice/],
  ['two documents', form(file(PDF), file(PDF)), /one `file`/],
  ['a document of another name', form(file(PDF, 'document')), /must be the part `file`, not `document`/],
  ['a part without a name', form(part('Content-Disposition: form-data', 'a')), /no name/],
  ['33 parts', form(...Array.from({ length: 33 }, (_, n) => field(`a${n}`, ''))), /at most 32 parts/],
  ['a field over 64 KiB', form(field('title', 'a'.repeat(65_537))), /at most 65536 bytes/],
  [
    'fields over 64 KiB',
    form(field('title', 'a'.repeat(40_000)), field('b', 'a'.repeat(40_000))),
    /at most 65536 bytes/,
  ],
  ['no end', form(file(PDF)).subarray(0, -6), /cut off/],
  ['no boundary in the body', Buffer.from('{"title":"a"}'), /cut off/],
  ['nothing', Buffer.alloc(0), /cut off/],
  ['a part without its header', form(part('Content-Type: application/json', '{"copies":2}'), file(PDF)), /malformed/],
  [
    'headers of a part without their end',
    Buffer.concat([
      field('options', '{"copies":2}'),
      part(
        'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf',
        '',
      ).subarray(0, -4),
      Buffer.from(`\r\r\n${PDF}\r\n--${BOUNDARY}--\r\n--${BOUNDARY}\r\n`),
    ]),
    /malformed/,
  ],
  [
    'a file in base64',
    form(
      part(
        'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Transfer-Encoding: BASE64',
        'JVBERi0=',
      ),
    ),
    /part `file` has the `Content-Transfer-Encoding` `base64`/,
  ],
  [
    'a field in quoted-printable',
    form(
      part('Content-Disposition: form-data; name="title"\r\nContent-Transfer-Encoding: quoted-printable', 'Gr=C3=BC'),
    ),
    /part `title` has the `Content-Transfer-Encoding` `quoted-printable`/,
  ],
  [
    'options as a file',
    form(
      part('Content-Disposition: form-data; name="options"; filename="blob"\r\nContent-Type: application/json', '{}'),
    ),
    /part `options` was sent as a file\. Send it as a field, without a file name/,
  ],
  ['a title in Latin-1', form(field('title', Buffer.from('Grüße', 'latin1'))), /part `title` is not UTF-8/],
  [
    'a title in Latin-1 that names UTF-8',
    form(
      part(
        'Content-Disposition: form-data; name="title"\r\nContent-Type: text/plain; charset=utf-8',
        Buffer.from('Grüße', 'latin1'),
      ),
    ),
    /part `title` is not UTF-8/,
  ],
  ['document and URL', form(file(PDF), field('content', 'https://a.example')), /cannot be combined with `file`/],
  ['base64 text', form(field('contentType', 'pdf_base64'), field('content', 'JVBERi0=')), /must be a URL/],
  ['a document that is base64', form(file(PDF), field('contentType', 'pdf_base64')), /must be `pdf`, `image` or `raw`/],
  ['options that are no JSON', form(field('options', '{copies:1}')), /`options` must be JSON: .*byte offset 1/],
  ['options with a key twice', form(field('options', '{"copies":1,"copies":2}')), /sent twice/],
])('a form with %s is refused', async (_, body, message) => {
  proves('create.form.transfer-encoding', 'create.form.utf-8', 'create.form.field-as-file')
  await expect(read([body])).rejects.toEqual(refusal(message))
})

test.each(['multipart/form-data; charset=utf-8', 'multipart/form-data', 'multipart/form-data; boundary'])(
  'a form without its boundary in the header is refused: %s',
  async (type) => {
    proves('create.form.boundary')
    expect(isForm({ 'content-type': type })).toBe(true)
    await expect(read([], type)).rejects.toEqual(refusal(/needs its `boundary`/))
  },
)

test('texts are UTF-8, also where they have a replacement character or name another charset', async () => {
  const latin = 'Content-Disposition: form-data; name="source"\r\nContent-Type: text/plain; charset=iso-8859-1'
  const binary = 'Content-Disposition: form-data; name="file"\r\nContent-Transfer-Encoding: 8bit'
  const { fields } = await read([form(field('title', 'a\ufffd'), part(latin, 'Grüße'), part(binary, PDF))])
  expect(fields).toMatchObject({ title: 'a\ufffd', source: 'Grüße', contentType: 'pdf_base64' })
})

test('a document over 25 MB is refused as soon as it is', async () => {
  const reader = createFormReader({ 'content-type': `multipart/form-data; boundary=${BOUNDARY}` })
  await reader.push(file('').subarray(0, -2))
  const piece = Buffer.alloc(1024 * 1024, 'a')
  for (let n = 0; n < 25; n++) await reader.push(piece)
  await expect(reader.push(piece)).rejects.toEqual(refusal(/larger than 26214400 bytes/, 'content_too_large'))
})

test('integers that are none stay texts, so that the validation names them', async () => {
  const { fields } = await read([form(field('qty', '1e3'), field('expireAfter', ''), file(PDF))])
  expect(fields).toMatchObject({ qty: '1e3', expireAfter: '' })
})

test('no form that arrives damaged fails by anything but a refusal', async () => {
  const next = random(11)
  const whole = form(field('title', 'a'), file(PDF), field('options', '{"copies":3}'))
  for (let round = 0; round < 500; round++) {
    const damaged = Buffer.from(whole)
    for (let change = next(6); change >= 0; change--) damaged[next(damaged.length)] = next(256)
    const kept = damaged.subarray(0, next(4) === 0 ? next(damaged.length) : damaged.length)
    const result = await read(cutAnywhere(kept, next)).catch((error: unknown) => error)
    if (result instanceof Error) expect(result).toMatchObject({ code: 'invalid_request' })
  }
})
