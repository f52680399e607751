/** What becomes of PDFs that programs read differently. `agent/tests/cups/odd-pdfs.test.ts` prints them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { toStream, writePdf } from '../../../test/cups/build-pdf.ts'
import { drawPages, encryptPdf, makeLayered, ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { inspectDocument } from '../../spoolers/pdf/inspect.ts'
import { makeDataDir } from '../start-agent.ts'

const UNCHANGED = [
  'usual boxes',
  'an origin that is not 0',
  'a negative origin',
  'a small page without other content',
  'a trim box of the size of the page',
  'an inherited media box',
  'an indirect media box',
  'a rotation of 450',
  'a user unit',
  'bars on tones',
  'a font that it does not contain',
  'objects in a stream',
  'a linearized file',
  'a huge page',
  'a tiny page',
  'no newline at its end',
  'an incremental update',
  'no table of its objects',
  'its header after 1020 bytes',
]

const DAMAGED = 'The document cannot be printed: it is damaged or not a PDF.'

const REFUSED: [title: string, message: string, rule: string][] = [
  [
    'a crop box outside',
    'Page 1 of the document shows nothing: its crop box is outside of its media box.',
    'empty-page',
  ],
  ['no pages', 'The document cannot be printed: it has no pages.', 'no-pages'],
  ['fewer pages than it counts', 'Page 2 of the document is damaged.', 'damaged'],
  ['no bytes', DAMAGED, 'damaged'],
  ['its header after 1025 bytes', DAMAGED, 'damaged'],
  ['an end before its trailer', DAMAGED, 'damaged'],
  ['noise after its header', DAMAGED, 'damaged'],
  ['noise and a trailer', DAMAGED, 'damaged'],
]

const titles = Object.keys(ODD_PDFS)
const isKept = (title: string) => UNCHANGED.includes(title) || REFUSED.some(([refused]) => refused === title)

async function inspect(document: Buffer) {
  const file = join(makeDataDir(), 'document')
  const repaired = `${file}.repaired`
  writeFileSync(file, document)
  return { ...(await inspectDocument(file, repaired)), file, repaired }
}

test.each(UNCHANGED)('a PDF with %s is printed unchanged', async (title) => {
  expect(await inspect(ODD_PDFS[title] as Buffer)).toMatchObject({ isRepaired: false })
})

test.each(REFUSED)('a PDF with %s is refused: "%s"', async (title, message, rule) => {
  proves(`content.pdf.${rule}`)
  await expect(inspect(ODD_PDFS[title] as Buffer)).rejects.toMatchObject({
    name: 'SpoolerRefusal',
    message: `${message} Nothing was printed.`,
    reasons: ['document-format-error'],
  })
})

test.each(titles.filter((title) => !isKept(title)))(
  'a PDF with %s is repaired, and its pages look the same',
  async (title) => {
    proves('content.pdf.boxes')
    const { file, repaired, isRepaired } = await inspect(ODD_PDFS[title] as Buffer)
    expect(isRepaired).toBe(true)
    expect(await drawPages(repaired)).toEqual(await drawPages(file))
  },
)

test.each([
  ['it is protected by a password', 'password', { user: 'secret', permissions: 4 }],
  ['its owner forbids printing', 'forbidden', { user: '', permissions: 0 }],
])('an encrypted PDF is refused: "%s"', async (reason, name, encryption) => {
  proves(`content.pdf.${name}`)
  const message = `The document cannot be printed: ${reason}. Nothing was printed.`
  await expect(inspect(await encryptPdf('usual boxes', encryption))).rejects.toMatchObject({ message })
})

test('an encrypted PDF that permits printing is repaired and stays encrypted', async () => {
  proves('content.pdf.encrypted')
  const document = await encryptPdf('a reversed media box', { user: '', permissions: 4 })
  const { file, repaired } = await inspect(document)
  expect(await drawPages(repaired)).toEqual(await drawPages(file))
  expect(readFileSync(repaired, 'latin1')).toContain('/Encrypt')
})

test('the unit of each page is part of its size, also in a tree of pages', async () => {
  const at = (unit: string, node: number) =>
    `<< /Type /Page /Parent ${node} 0 R /MediaBox [0 0 100 50] ${unit} /Contents 9 0 R >>`
  const document = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 7 0 R] /Count 4 >>',
    '<< /Type /Pages /Parent 2 0 R /Kids 8 0 R /Count 3 >>',
    at('/UserUnit 2', 3),
    at('', 3),
    at('/UserUnit 1.5', 3),
    at('/UserUnit 0', 2),
    '[4 0 R 5 0 R 6 0 R]',
    toStream(''),
  ])
  const { info, file } = await inspect(document)
  const sizes = [200, 100, 150, 100].map((width) => ({ width, height: width / 2 }))
  expect((await drawPages(file)).map(({ width, height }) => ({ width, height }))).toEqual(sizes)
  expect(info.sizes).toEqual(sizes.slice(0, 3))
})

test('a layer for paper is printed, and one for the screen is not', async () => {
  proves('content.pdf.layers.paper')
  const { repaired, isRepaired, warnings } = await inspect(
    ODD_PDFS['a layer for the screen and one for paper'] as Buffer,
  )
  expect([isRepaired, warnings]).toEqual([true, []])
  // The layer for paper is below the mark, and the other one would be at its right.
  expect((await drawPages(repaired))[0]?.ink).toEqual([60, 60, 140, 542].map((edge) => expect.closeTo(edge, -1)))
})

test('a layer for paper is printed also in an encrypted document', async () => {
  proves('content.pdf.layers.paper')
  const title = 'a layer for the screen and one for paper'
  const { repaired, warnings } = await inspect(await encryptPdf(title, { user: '', permissions: 4 }))
  expect(warnings).toEqual([])
  expect((await drawPages(repaired))[0]?.ink?.[3]).toBeCloseTo(542, -1)
  expect(readFileSync(repaired, 'latin1')).toContain('/OFF [5 0 R]')
})

test('the configuration decides about layers whose use it does not apply, and the job has a warning', async () => {
  proves('content.pdf.layers.uncertain')
  const { repaired, warnings } = await inspect(makeLayered(''))
  expect(warnings).toMatchObject([{ reason: 'layers-uncertain' }])
  expect((await drawPages(repaired))[0]?.ink).toEqual([60, 60, 500, 140].map((edge) => expect.closeTo(edge, -1)))
})

test.each([
  ['names no layer', (text: string) => text.replaceAll('[5 0 R 6 0 R]', '[9 0 R 9 0 R]'), false],
  [
    'is a loop',
    (text: string) => text.replace('/D <<', '/D 7 0 R /E <<').replace(/xref/, '7 0 obj 7 0 R endobj xref'),
    true,
  ],
  ['has deep arrays', (text: string) => text.replace('/OFF [6 0 R]', `/OFF ${'['.repeat(99)}${']'.repeat(99)}`), true],
])('layers whose configuration %s are printed as they are', async (_, damage, isUncertain) => {
  const document = Buffer.from(damage(makeLayered('/Print').toString('latin1')), 'latin1')
  const { isRepaired, warnings } = await inspect(document)
  expect([isRepaired, warnings.map(({ reason }) => reason)]).toEqual([false, isUncertain ? ['layers-uncertain'] : []])
})

test('a layer that is off stays off, and what cannot be cut off is named', async () => {
  proves('content.pdf.layers')
  const { file, repaired, warnings } = await inspect(
    ODD_PDFS['a layer that is off and an annotation across the crop box'] as Buffer,
  )
  const [shown, printed] = await Promise.all([file, repaired].map((one) => drawPages(one)))
  expect(printed).toEqual(shown)
  // The mark and the half of the annotation that is on the page, without the layer.
  expect(shown?.[0]?.amount).toBeCloseTo(80 * 80 + 100 * 100, -3)
  const message = 'The document has layers, so what is outside of page 1 was not cut off and can be printed beside it.'
  expect(warnings).toEqual([{ reason: 'content-outside-page', message }])
})
