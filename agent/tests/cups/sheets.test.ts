/**
 * How CUPS places pages on sheets, for the preview of the dashboard. PLATEN_RECORD_SHEETS=1 prints all cases (13 s) and
 * writes them to `test/cups/printed-sheets.json`; otherwise some are compared with it.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import {
  buildDocument,
  expectPrinted,
  formatSide,
  PRINTED_FILE,
  readSide,
  SHEET_CASES,
  type SheetCase,
  toPaper,
} from '../../../test/cups/sheet-cases.ts'
import { createSubmission, hasCups, openSpooler, print, useDevices } from './on-cups.ts'

const RECORDS = Boolean(process.env.PLATEN_RECORD_SHEETS)
const EVERY = RECORDS ? 1 : 5

describe.skipIf(!hasCups)('CUPS', () => {
  const printers = useDevices('borderless', 8)

  test('prints the pages where the preview of the dashboard shows them, and counts sides for pages with nup', async () => {
    proves('option.pages.sides')
    const countsSides = ({ options: { nup, pages } }: SheetCase) => nup && pages
    const cases = [...SHEET_CASES].filter(([, one], index) => index % EVERY === 0 || countsSides(one))
    const waiting = [...cases]
    const sides: Record<string, number[][][]> = {}
    const printAll = async ({ queue, device }: (typeof printers)[number]) => {
      const spooler = openSpooler()
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [title, one] = next
        const before = device.printed().length
        const options = { ...one.options, paper: toPaper(one) }
        const { end } = await print(spooler, createSubmission(queue, { document: buildDocument(one), options }))
        expect(end).toMatchObject({ is: 'completed' })
        const [printed = expect.fail(`nothing was printed: ${title}`)] = device.printed().slice(before)
        expect(printed.attributes.IPP_SIDES).toBe(one.options.duplex ? `two-sided-${one.options.duplex}` : 'one-sided')
        sides[title] = readSides(printed.file)
      }
    }
    await Promise.all(printers.map(printAll))
    const titles = cases.map(([title]) => title)
    if (RECORDS) {
      const recorded = titles.map((title) => [title, sides[title]?.map(formatSide)])
      writeFileSync(PRINTED_FILE, `${JSON.stringify(Object.fromEntries(recorded), null, 2)}\n`)
    }
    expect(sides).toEqual(Object.fromEntries(titles.map((title) => [title, expectPrinted(title)])))
  })
})

/** A pixel is a point. */
function readSides(file: string): number[][][] {
  const output = execFileSync('pdftoppm', ['-r', '72', '-aa', 'no', '-aaVector', 'no', file], { maxBuffer: 2 ** 28 })
  const sides: number[][][] = []
  for (let at = 0; at < output.length; ) {
    const [header = '', x, y] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(output.toString('latin1', at, at + 40)) ?? []
    const [width, height, start] = [Number(x), Number(y), at + header.length]
    at = start + width * height * 3
    sides.push(readSide({ width, height, channels: 3, pixels: output.subarray(start, at) }, 1))
  }
  return sides
}
