/** The documents that we ship or send ourselves: what a checker, a scanner and the preview say of them. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { drawPreview } from '@platen/preview/preview.ts'
import { rasterize, readCodes } from '@platen/preview/tests/rasterize.ts'
import { SAMPLE_LABEL, SAMPLE_LETTER, SAMPLE_RECEIPT } from '@platen/resources/test-documents/samples.ts'
import type { TestSubject } from '@platen/resources/test-documents/subject.ts'
import { makeTestLabel } from '@platen/resources/test-documents/test-label.ts'
import { makeTestPage } from '@platen/resources/test-documents/test-page.ts'
import { makeTestReceipt } from '@platen/resources/test-documents/test-receipt.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { programPath } from '../../../test/cups/find-cups.ts'
import { hasCups } from './on-cups.ts'

const run = promisify(execFile)
const MM = 72 / 25.4

const SUBJECT: TestSubject = {
  heading: 'Platen test',
  printer: 'Till (7) \\ Ä ^XZ 3.14159',
  printerNumber: 7,
  at: new Date('2026-03-02T09:30:07.921Z'),
  link: 'https://print.example.com/app/go/019a5c1e-7d11-7e55-8a42-94c1b0d7f602',
}
const CODES = ['Code128 0007202603020930', `QRCode ${SUBJECT.link}`]
const SIZES = {
  A4: [210, 297],
  A6: [105, 148],
  'a label of 4 x 6 in': [101.6, 152.4],
  'a label of 100 x 50 mm': [100, 50],
}

/** @returns the bar codes of the first page at 300 dpi. @throws if a checker complains. */
async function checkPdf(pdf: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-shipped-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'page.pdf')
  await writeFile(file, pdf, 'latin1')
  await run(programPath('qpdf'), ['--check', file])
  const { stderr } = await run(programPath('pdftoppm'), [
    '-r',
    '300',
    '-png',
    '-singlefile',
    file,
    join(directory, 'page'),
  ])
  expect(stderr).toBe('')
  return await readCodes({ png: await readFile(join(directory, 'page.png')) })
}

describe.skipIf(!hasCups)('a PDF', () => {
  test.each(Object.entries(SIZES))(
    'test page for %s is correct, and a scanner reads its codes',
    async (_, [width = 0, height = 0]) => {
      const page = makeTestPage(SUBJECT, { width: width * MM, height: height * MM })
      expect(page).toContain('(Till \\(7\\) \\\\ ? ^XZ 3.14159)')
      expect(await checkPdf(page)).toEqual(CODES)
    },
  )

  test('sample is correct', async () => {
    expect(await checkPdf(SAMPLE_LETTER)).toEqual([])
  })
})

test.each([
  ['test label', makeTestLabel(SUBJECT), CODES],
  ['test receipt', makeTestReceipt(SUBJECT), CODES],
  ['sample label', SAMPLE_LABEL, ['Code128 00340434161094015902']],
  ['sample receipt', SAMPLE_RECEIPT, []],
])('the %s is drawn as it is meant, and a scanner reads its codes', async (_, document, codes) => {
  const { pages } = drawPreview(Buffer.from(document, 'latin1'))
  expect(pages.map(({ warnings }) => warnings)).toEqual([[]])
  for (const page of pages) expect(await readCodes(rasterize(page))).toEqual(codes)
})
