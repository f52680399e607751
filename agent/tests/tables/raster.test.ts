/** Dots for raw printers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { proves } from '@platen/test/harness/rules.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStream, writePdf } from '../../../test/cups/build-pdf.ts'
import { drawPdf } from '../../spoolers/raster/draw-pdf.ts'
import { encodeEscpos } from '../../spoolers/raster/encode-escpos.ts'
import { type Dots, drawCode128, readCodes, readEscpos, readZpl } from '../read-raster.ts'
import { makeDataDir } from '../start-agent.ts'

/** Commands that an ESC/POS printer executes as soon as it has received them, also inside images. */
const REAL_TIME = ['\x10\x04', '\x10\x05', '\x10\x14']

test('the dots of an image are never a command that opens the cash drawer, in a row, across rows and across images', () => {
  proves('rasterize.drawer')
  const byte = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0x10, 0x04, 0x05, 0x14) }, fc.nat(255))
  const image = fc.record({
    bytesPerRow: fc.integer({ min: 1, max: 8 }),
    height: fc.integer({ min: 0, max: 250 }),
    pattern: fc.array(byte, { minLength: 1, maxLength: 64 }),
  })
  const check = ({ bytesPerRow, height, pattern }: { bytesPerRow: number; height: number; pattern: number[] }) => {
    const bytes = Array.from({ length: bytesPerRow * height }, (_, at) => pattern[at % pattern.length] ?? 0)
    const [width, dots] = [bytesPerRow * 8, Buffer.from(bytes)]
    const data = encodeEscpos({ width, height, bytesPerRow, dots })
    for (const command of REAL_TIME) expect(data.includes(command, 0, 'latin1')).toBe(false)
    const [receipt] = readEscpos(data)
    expect(receipt?.height).toBe(height)
    // No dot is missing, and one is added for each command.
    const commands = bytes.filter((_, at) => REAL_TIME.includes(dots.toString('latin1', at, at + 2)))
    let added = 0
    for (let at = 0; at < width * height; at++) {
      const isDrawn = ((dots[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0
      const isPrinted = receipt?.isBlack(at % width, Math.floor(at / width)) ?? false
      if (isDrawn && !isPrinted) expect.fail(`the dot ${at} is missing`)
      if (isPrinted && !isDrawn) added++
    }
    expect(added).toBe(commands.length)
  }
  fc.assert(fc.property(image, check), { numRuns: 100 })
})

const ZEBRA = { rawLanguage: 'zpl', dpi: 203, width: 812 } as const

/** Draws a page of 4 x 2 inches with the font `/F`. */
async function draw(content: string) {
  const file = join(makeDataDir(), 'document')
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>'
  const page = `/MediaBox [0 0 288 144] /Contents 4 0 R /Resources << /Font << /F ${font} >> >>`
  const pages = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>']
  writeFileSync(file, writePdf([...pages, `<< /Type /Page /Parent 2 0 R ${page} >>`, toStream(content)]))
  await drawPdf(file, `${file}.drawn`, { printer: ZEBRA, placement: {} })
  const [label] = readZpl(readFileSync(`${file}.drawn`))
  return label?.dots ?? expect.fail('nothing was drawn')
}

/** In dots. @param left in points, as the others, from the upper left corner. */
function listDots({ height, isBlack }: Dots, left: number, top: number, right: number, bottom: number): boolean[] {
  const [x1, y1, x2, y2] = [left, top, right, bottom].map((points) => Math.round((points / 72) * 203)) as Ink
  const dots: boolean[] = []
  for (let y = y1; y < y2; y++) for (let x = x1; x < x2; x++) dots.push(y < height && isBlack(x, y))
  return dots
}
type Ink = [number, number, number, number]

const share = (dots: boolean[]) => dots.filter(Boolean).length / dots.length

test.each([14, 40])('text of %i pt is read on grey, in grey and in white on grey', async (size) => {
  proves('rasterize.tones')
  const text = `BT /F ${size} Tf 30 50 Td (FRAGILE) Tj ET`
  const panel = '20 24 240 90 re f'
  const area = [30, 94 - 0.7 * size, 30 + 3.6 * size, 94] as const
  const black = listDots(await draw(`0 g ${text}`), ...area)
  for (const grey of [0.55, 0.7]) {
    const onGrey = await draw(`${grey} g ${panel} 0 g ${text}`)
    const letters = listDots(onGrey, ...area)
    // Each dot of a letter is black, and what is around it is as grey as the rest of the panel, or lighter.
    expect(share(letters.filter((_, at) => black[at]))).toBeGreaterThan(0.97)
    expect(share(letters.filter((_, at) => !black[at]))).toBeLessThan(1 - grey + 0.08)
    expect(share(listDots(onGrey, 22, 32, 258, 48))).toBeCloseTo(1 - grey, 1)
  }
  // Where strokes meet, a letter can be as wide as an area.
  for (const grey of [0.45, 0.667]) {
    const letters = listDots(await draw(`${grey} g ${text}`), ...area)
    expect(share(letters.filter((_, at) => black[at]))).toBeGreaterThan(0.9)
  }
  const inverted = await draw(`0.45 g ${panel} 1 g ${text}`)
  const white = listDots(inverted, ...area)
  expect(share(white.filter((_, at) => black[at]))).toBeLessThan(0.15)
  expect(share(white.filter((_, at) => !black[at]))).toBeGreaterThan(0.4)
})

test('a hairline and a grey line are not broken', async () => {
  for (const line of ['0 G 0.1 w', '0.6 G 0.3 w']) {
    const dots = await draw(`${line} 20 100 m 260 100 l S`)
    const columns = Array.from({ length: 600 }, (_, x) => [122, 123, 124, 125].some((y) => dots.isBlack(x + 70, y)))
    expect(share(columns), line).toBe(1)
  }
})

const code = (at: object = {}) => drawCode128('PLATEN-128', { x: 20, y: 40, module: 1.1, height: 60, ...at })

test.each([
  ['black on light grey', async () => `0.85 g 0 20 288 100 re f ${await code()}`],
  ['black on grey', async () => `0.7 g 0 20 288 100 re f ${await code()}`],
  ['dark grey on white', async () => (await code()).replace('0 g', '0.3 g')],
  ['grey on white', async () => (await code()).replace('0 g', '0.45 g')],
  ['of single dots', async () => await code({ module: (72 / 203) * 2 })],
])('a bar code %s is read from its dots', async (_, content) => {
  proves('rasterize.tones')
  expect(await readCodes(await draw(await content()))).toEqual(['PLATEN-128'])
})
