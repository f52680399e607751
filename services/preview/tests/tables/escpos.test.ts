import { readFileSync } from 'node:fs'
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import receiptline from 'receiptline'
import { expect, test } from 'vitest'
import type { Page } from '../../display-list.ts'
import { detectLanguage, drawPreview } from '../../preview.ts'
import { findInk, rasterize, readCodes } from '../rasterize.ts'

const toBytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')

function draw(document: string | Uint8Array): Page {
  const [page] = drawPreview(typeof document === 'string' ? toBytes(document) : document, { language: 'escpos' }).pages
  if (!page) throw new Error('no page')
  return page
}

test.each([
  [
    'a bar code wider than the paper',
    `\x1dw\x06\x1dk\x49\x14{B123456789012345678`,
    /^A bar code or image is \d+ dots wider than the paper/,
  ],
  [
    'UTF-8 in a character table',
    'Gr\xc3\xbc\xc3\x9fe\n',
    /^The text is UTF-8, but printers print it in their character table/,
  ],
  ['double-byte characters', '\x1c&\x30\x21\n', /^The picture does not show the double-byte characters of FS &/],
])('a warning names %s', (_, document, message) => {
  const { warnings } = draw(Buffer.from(document, 'latin1'))
  expect(warnings.map((warning) => warning.message).filter((text) => message.test(text))).toHaveLength(1)
})

test('a receipt has its lines, its bar codes and what the printer does beside printing', async () => {
  const page = draw(readFileSync(new URL('../documents/receipt.escpos', import.meta.url)))
  expect(page.lines.filter(Boolean)).toEqual([
    'Corner Bakery',
    'Market Street 12',
    'Croissant x2                              € 5.00',
    'TOTAL                                     € 5.00',
  ])
  expect(page.events.map(({ kind }) => kind)).toEqual(['drawer', 'cut'])
  expect(page.warnings).toEqual([])
  expect(await readCodes(rasterize(page))).toEqual(['Code128 PLATEN-1', 'QRCode https://example.com'])
})

test('the lines of receipt-printer-encoder are printed as they were composed', () => {
  const items = [
    ['Coffee', '3.50'],
    ['Käsebrötchen', '12.00'],
  ]
  const columns = [
    { width: 36, align: 'left' as const },
    { width: 12, align: 'right' as const },
  ]
  const encoder = new ReceiptPrinterEncoder({ language: 'esc-pos', columns: 48 })
  const receipt = encoder.initialize().codepage('cp858').line('Hello').bold(true).line('Bold').bold(false)
  const bytes = receipt.table(columns, items).rule().align('right').line('Total € 15.50').cut().encode()
  expect(draw(bytes).lines.filter(Boolean)).toEqual([
    'Hello',
    'Bold',
    ...items.map(([left = '', right = '']) => left.padEnd(36) + right.padStart(12)),
    '─'.repeat(48),
    'Total € 15.50'.padStart(48),
  ])
})

test('the lines of receiptline are those that it draws itself', () => {
  const document = 'Asparagus | 1.00\nBroccoli | 2.00\n---\nTotal | 3.00\n2026-11-26 |\n| paid\n'
  const settings = { cpl: 48, encoding: 'multilingual' as const, upsideDown: false, spacing: false }
  const printed = draw(receiptline.transform(document, { ...settings, command: 'escpos', cutting: false }))
  const drawn = receiptline.transform(document, { ...settings, command: 'text' }).split('\n')
  const toLines = (lines: string[]) => lines.map((line) => line.trimEnd().replaceAll('─', '-')).filter(Boolean)
  expect(toLines(printed.lines)).toEqual(toLines(drawn))
  expect(printed.warnings).toEqual([])
})

test.each([
  ['font A', '', { width: 12, height: 24 }],
  ['font B', '\x1bM\x01', { width: 9, height: 17 }],
  ['three times as wide and twice as high', '\x1d!\x21', { width: 36, height: 48 }],
])('the cells of %s are fixed', (_, command, { width, height }) => {
  const page = draw(`\x1b@\x1b3\x00\x1dB\x01${command}XX\n`)
  expect(findInk(rasterize(page))).toEqual({ left: 0, top: 0, right: 2 * width - 1, bottom: height - 1 })
})

test('48 characters of font A fit a line of 72 mm, and the 49th begins the next', () => {
  expect(draw(`${'x'.repeat(48)}\n`).lines).toEqual(['x'.repeat(48)])
  expect(draw(`${'x'.repeat(49)}\n`).lines).toEqual(['x'.repeat(48), 'x'])
})

test.each([
  ['GS v 0', '\x1dv0\x00\x01\x00\x02\x00\xff\x81'],
  ['GS v 0 twice as large', '\x1dv0\x03\x01\x00\x02\x00\xff\x81'],
  ['GS ( L', '\x1d(L\x0c\x000p0\x01\x011\x08\x00\x02\x00\xff\x81\x1d(L\x02\x0002'],
  ['GS 8 L', '\x1d8L\x0c\x00\x00\x000p0\x01\x011\x08\x00\x02\x00\xff\x81\x1d(L\x02\x0002'],
  [
    'ESC *',
    '\x1b*\x21\x08\x00\xc0\x00\x00\x80\x00\x00\x80\x00\x00\x80\x00\x00\x80\x00\x00\x80\x00\x00\x80\x00\x00\xc0\x00\x00\n',
  ],
])('%s prints the dots of an image', (name, command) => {
  const scale = name.includes('twice') ? 2 : 1
  const raster = rasterize(draw(command))
  expect(findInk(raster)).toEqual({ left: 0, top: 0, right: 8 * scale - 1, bottom: 2 * scale - 1 })
  expect([raster.isBlack(0, 2 * scale - 1), raster.isBlack(4 * scale, 2 * scale - 1)]).toEqual([true, false])
})

test.each([
  ['UPC-A', '\x1dk\x41\x0b03600029145', 'EAN13 0036000291452'],
  ['EAN-13', '\x1dk\x02590123412345\x00', 'EAN13 5901234123457'],
  ['EAN-8', '\x1dk\x44\x079031101', 'EAN8 90311017'],
  ['Code 39', '\x1dk\x45\x06PLATEN', 'Code39 PLATEN'],
  ['ITF', '\x1dk\x46\x0e12345678901231', 'ITF 12345678901231'],
  ['Codabar', '\x1dk\x47\x09A1234567B', 'Codabar A1234567B'],
  ['Code 93', '\x1dk\x48\x06PLATEN', 'Code93 PLATEN'],
  ['Code 128 in subset C', '\x1dk\x49\x04{C\x0c\x22', 'Code128 1234'],
  ['PDF417', '\x1d(k\x09\x000P0Platen\x1d(k\x03\x000Q0', 'PDF417 Platen'],
  ['DataMatrix', '\x1d(k\x03\x006C\x06\x1d(k\x09\x006P0Platen\x1d(k\x03\x006Q0', 'DataMatrix Platen'],
])('the %s code is read with its data', async (_, command, expected) => {
  const page = draw(`\x1ba\x01\n\n\x1dh\x50${command}\n\n`)
  expect(page.warnings).toEqual([])
  expect(await readCodes(rasterize(page))).toEqual([expected])
})

test.each([
  ['an unknown command', 'a\x1b~b\n', 1, 'Unknown command ESC ~.', 'ab'],
  ['an unknown command with a length', 'a\x1d(\x7f\x02\x00xxb\n', 1, 'Unknown command GS ( 0x7f.', 'ab'],
  ['an unknown character', 'a\x07b\n', 1, 'Unknown command 0x07.', 'ab'],
  ['an unknown character table', '\x1bt\xf0ab\n', 0, 'Unknown character table 240 of ESC t.', 'ab'],
  [
    'a bar code with wrong data',
    '\x1dk\x45\x01\x80ab\n',
    0,
    expect.stringMatching(/^The Code 39 bar code cannot be printed: /),
    'ab',
  ],
])('%s is named with its offset, and the text after it is printed', (_, document, offset, message, line) => {
  const { warnings, lines } = draw(document)
  expect(warnings).toEqual([{ offset, message }])
  expect(lines).toEqual([line])
})

test.each([
  '\x1b=\x01',
  '\x1dI\x01',
  '\x1d(E\x03\x00\x01\x02\x03',
  '\x1b%\x00',
  '\x10\x04\x01',
  '\x1cp\x01\x00',
  '\x1da\xff',
])('a command without ink is skipped by its length (%j)', (command) => {
  expect(draw(`a${command}b\n`)).toMatchObject({ lines: ['ab'], warnings: [] })
})

test.each([
  [0, '\x82', 'é'],
  [16, '\x80', '€'],
  [17, '\x80', 'А'],
  [19, '\xd5', '€'],
])('ESC t %i selects the character table', (table, bytes, expected) => {
  expect(draw(`\x1bt${String.fromCharCode(table)}${bytes}\n`).lines).toEqual([expected])
})

test.each([
  ['zpl', '^XA^FDx^FS^XZ'],
  ['zpl', '\ufeff^xa'.replace('\ufeff', '\xef\xbb\xbf')],
  ['zpl', '~DGR:A.GRF,1,1,00^XA^XZ'],
  ['escpos', '\x1b@Hello\n'],
  ['escpos', 'plain text\n'],
])('the language %s is detected in %j', (language, document) => {
  expect(detectLanguage(toBytes(document))).toBe(language)
})
