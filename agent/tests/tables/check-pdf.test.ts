import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { checkPdf } from '../../spoolers/cups/check-pdf.ts'
import { makeDataDir } from '../start-agent.ts'

const PDF = buildPdf({ pages: 2 })
const MB = 1024 * 1024

function check(document: string | Buffer): Promise<void> {
  const file = join(makeDataDir(), 'document')
  writeFileSync(file, document, 'latin1')
  return checkPdf(file)
}

const text = PDF.toString('latin1')

test.each<[string, string | Buffer]>([
  ['that is complete', PDF],
  ['with 1019 bytes before its header', Buffer.concat([Buffer.alloc(1019, 'x'), PDF])],
  ['without a newline at its end', text.trimEnd()],
  ['with spaces after its end', `${text}${' '.repeat(MB)}`],
  ['with an incremental update', `${text}5 0 obj\n<< >>\nendobj\nxref\n0 0\ntrailer\n<< /Root 1 0 R >>\n%%EOF`],
  ['that is linearised', `%PDF-1.5\ntrailer\n<< /Root 1 0 R >>\n${'x'.repeat(3 * MB)}\n%%EOF\n`],
  [
    'with a cross-reference stream',
    `%PDF-1.5\n<< /Type /XRef /Root 1 0 R >>\nstream\n${'x'.repeat(MB)}endstream\n%%EOF`,
  ],
  ['with a trailer that spans two reads', `%PDF-1.4\n${'x'.repeat(1000)}trailer<<>>${'x'.repeat(256 * 1024 - 12)}`],
  ['without `%%EOF` and `startxref`', text.slice(0, text.indexOf('startxref'))],
])('a PDF %s is accepted', async (_, document) => {
  await expect(check(document)).resolves.toBeUndefined()
})

test.each<[string, string | Buffer]>([
  ['that is empty', ''],
  ['with its header after 1024 bytes', Buffer.concat([Buffer.alloc(1020, 'x'), PDF])],
  ['that ends before its trailer', PDF.subarray(0, text.indexOf('trailer'))],
  ['with random data after its header', `%PDF-1.4\n${'noise '.repeat(MB)}`],
])('a document %s is refused', async (_, document) => {
  const refused = { reasons: ['document-format-error'], message: expect.stringContaining('Nothing was printed') }
  await expect(check(document)).rejects.toMatchObject({ name: 'SpoolerRefusal', ...refused })
})
