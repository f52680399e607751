import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { checkPdf } from '../../spoolers/cups/check-pdf.ts'
import { SpoolerRefusal } from '../../spoolers/spooler.ts'

const PDF = buildPdf({ pages: 2 })
const MB = 1024 * 1024

function check(document: Buffer): Promise<void> {
  const file = join(mkdtempSync(join(tmpdir(), 'platen-pdf-')), 'document')
  writeFileSync(file, document)
  return checkPdf(file)
}

const text = PDF.toString('latin1')
const incremental = `${text}5 0 obj\n<< >>\nendobj\nxref\n0 0\ntrailer\n<< /Prev 9 /Root 1 0 R >>\nstartxref\n0\n%%EOF`
const linearised = `%PDF-1.5\n1 0 obj\n<< /Linearized 1 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n${'x'.repeat(3 * MB)}\n%%EOF\n`
const xrefStream = `%PDF-1.5\n7 0 obj\n<< /Type /XRef /Root 1 0 R >>\nstream\n${'x'.repeat(MB)}endstream\nstartxref\n9\n%%EOF`
const endsBetweenChunks = `%PDF-1.4\n${'x'.repeat(1000)}trailer<<>>${'x'.repeat(256 * 1024 - 12)}`

test.each<[string, Buffer]>([
  ['plain', PDF],
  ['with 1019 bytes before its header', Buffer.concat([Buffer.alloc(1019, 'x'), PDF])],
  ['without a newline at its end', Buffer.from(text.trimEnd(), 'latin1')],
  ['with blanks behind its end', Buffer.from(`${text}${' '.repeat(MB)}`, 'latin1')],
  ['with an incremental update', Buffer.from(incremental, 'latin1')],
  ['whose trailer stands at its beginning, as in linearised ones', Buffer.from(linearised)],
  ['with a cross-reference stream instead of a trailer', Buffer.from(xrefStream)],
  ['whose trailer lies across the borders of what is read at a time', Buffer.from(endsBetweenChunks)],
  ['without `%%EOF` and `startxref`, which CUPS mends', Buffer.from(text.slice(0, text.indexOf('startxref')))],
])('a PDF passes %s', async (_, document) => {
  await expect(check(document)).resolves.toBeUndefined()
})

test.each<[string, Buffer]>([
  ['that is empty', Buffer.alloc(0)],
  ['whose header comes after 1024 bytes', Buffer.concat([Buffer.alloc(1020, 'x'), PDF])],
  ['that is cut off before its trailer', PDF.subarray(0, text.indexOf('trailer'))],
  ['that is noise behind its header', Buffer.from(`%PDF-1.4\n${'noise '.repeat(MB)}`)],
])('a document is refused %s', async (_, document) => {
  const refusal = await check(document).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SpoolerRefusal)
  expect(refusal).toMatchObject({
    reasons: ['document-format-error'],
    message: expect.stringMatching(/Nothing was printed/),
  })
})
