/**
 * The paper of PDFs that programs read differently. PLATEN_PRINT_ALL_PDFS=1 prints all of them (2 min), otherwise some.
 */
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { type DrawnPage, drawPages, findInk, ODD_PDFS } from '../../../test/cups/odd-pdfs.ts'
import { readZplGraphic } from '../../../test/cups/read-zpl.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { addRawQueue, createSubmission, hasCups, openSpooler, PRINT_TIMEOUT_MS, print, useDevices } from './on-cups.ts'

const SOME = [
  'a reversed media box',
  'a crop box that hides content',
  'a media box that hides content',
  'a crop box around the media box',
  'an annotation across the crop box',
  'pages that share an array of content',
  'a layer for the screen and one for paper',
]
const titles = process.env.PLATEN_PRINT_ALL_PDFS ? Object.keys(ODD_PDFS) : SOME

/** Its annotation is printed also beside the page, of which the job warns. */
const UNCUT = 'a layer that is off and an annotation across the crop box'

const A4 = { width: 595, height: 842 }
const LABEL = { width: 288, height: 432 }

/** The size of a page relative to the sheet from which CUPS shrinks it. */
const LARGER = 1.02

/** In points. */
type Ink = [left: number, top: number, right: number, bottom: number]

describe.skipIf(!hasCups)('CUPS prints what viewers show', () => {
  const printers = useDevices('borderless', 4)

  test('on A4', { timeout: 300_000 }, async () => {
    const waiting = [...titles]
    const printAll = async ({ queue, device }: (typeof printers)[number]) => {
      const spooler = openSpooler()
      for (let title = waiting.shift(); title !== undefined; title = waiting.shift()) {
        const before = device.printed().length
        const job = createSubmission(queue, { document: ODD_PDFS[title] as Buffer, options: { paper: 'A4' } })
        const outcome = await print(spooler, job).catch((error: Error) => error)
        const printed = device.printed().slice(before)
        if (outcome instanceof Error) {
          expect([outcome.message, printed], title).toEqual([expect.stringContaining('Nothing was printed.'), []])
          console.log(`| ${title} | refused: ${outcome.message} |`)
        } else {
          expect(outcome.end, title).toMatchObject({ is: 'completed' })
          const sheets = readSheets(printed[0]?.file ?? '')
          expect(sheets, title).toEqual(
            (await drawPages(job.file)).map((page) => expectPlaced(page, A4, title === UNCUT)),
          )
          if (titles !== SOME) console.log(`| ${title} | printed as shown |`)
        }
      }
    }
    await Promise.all(printers.map(printAll))
  })

  test('on a Zebra label printer', async () => {
    const printer = await startRawPrinter()
    const queue = await addRawQueue(printer.uri, '-m', 'drv:///sample.drv/zebra.ppd')
    for (const title of [
      'a reversed media box',
      'a crop box that hides content',
      'a crop box around the media box',
      'a layer for the screen and one for paper',
    ]) {
      const before = printer.printed().length
      const job = createSubmission(queue, { document: ODD_PDFS[title] as Buffer, options: { paper: '4x6in' } })
      expect((await print(openSpooler(), job)).end).toMatchObject({ is: 'completed' })
      const printed = () => printer.printed()[before] ?? expect.fail('nothing was printed')
      const { ink } = readZplGraphic((await waitFor(printed, PRINT_TIMEOUT_MS)).toString('latin1'))
      const [page] = await drawPages(job.file)
      expect(
        ink.map((dots) => (dots * 72) / 203),
        title,
      ).toEqual(expectPlaced(page as DrawnPage, LABEL))
    }
  })
})

/** The ink of each sheet. */
function readSheets(file: string): (Ink | undefined)[] {
  const output = execFileSync('pdftoppm', ['-gray', '-r', '72', '-l', '12', file], { maxBuffer: 2 ** 28 })
  const sheets: (Ink | undefined)[] = []
  for (let at = 0; at < output.length; ) {
    const [header = '', x, y] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(output.toString('latin1', at, at + 40)) ?? []
    const [width, height, start] = [Number(x), Number(y), at + header.length]
    at = start + width * height
    sheets.push(toInk(width, height, output.subarray(start, at)))
  }
  return sheets
}

function toInk(width: number, height: number, pixels: Uint8Array): Ink | undefined {
  const { ink } = findInk(width, height, (at) => pixels[at] ?? 0)
  return ink && [...ink]
}

/**
 * For `toEqual`: a landscape page is turned clockwise, a larger page is shrunk, each page is in the middle of its
 * sheet, within 2 mm.
 */
function expectPlaced({ ink, ...size }: DrawnPage, sheet: typeof A4, isUncut = false): unknown {
  if (!ink) return undefined
  const isLandscape = size.width > size.height
  const [left, top, right, bottom] = isLandscape ? [size.height - ink[3], ink[0], size.height - ink[1], ink[2]] : ink
  const [width, height] = [size.width, size.height].toSorted((a, b) => a - b) as [number, number]
  const excess = Math.max(width / sheet.width, height / sheet.height)
  const scale = excess > LARGER ? 1 / excess : 1
  const x = (sheet.width - width * scale) / 2
  const y = (sheet.height - height * scale) / 2
  const edges = [left, top, right, bottom].map((edge, at) => (at % 2 === 0 ? x : y) + edge * scale)
  return edges.map((edge, at) => (isUncut && at === 2 ? expect.any(Number) : expect.closeTo(edge, -1)))
}
