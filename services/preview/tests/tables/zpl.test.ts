import { readFileSync } from 'node:fs'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import type { Page } from '../../display-list.ts'
import { drawPreview } from '../../preview.ts'
import { toSvg } from '../../svg.ts'
import { findInk, rasterize, readCodes } from '../rasterize.ts'

const PAPER = { dpi: 203, widthMm: 50 }

const readDocument = (name: string): Uint8Array => readFileSync(new URL(`../documents/${name}`, import.meta.url))

function draw(zpl: string): Page {
  const [page] = drawPreview(Buffer.from(zpl, 'latin1'), { language: 'zpl', paper: PAPER }).pages
  if (!page) throw new Error('no page')
  return page
}

/** Where the only ink of a field is. */
const drawInk = (field: string) => findInk(rasterize(draw(`^XA${field}^XZ`)))

const listTexts = (page: Page | undefined) => page?.items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))

test('each bar code of a label is read with its data', async () => {
  const [page] = drawPreview(readDocument('parcel.zpl')).pages
  if (!page) throw new Error('no page')
  expect(await readCodes(rasterize(page))).toEqual([
    'Code128 PX6719400000DE',
    'DataMatrix PX6719400000DE',
    'EAN13 5901234123457',
    'QRCode https://example.com/t/PX6719400000DE',
  ])
})

test.each([
  ['Code 128 with changes of the subset', '^BY2^BCN,60^FD>;382436>6CODE128>752375152', 'Code128 382436CODE128TEST'],
  ['Code 128 of GS1', '^BY2^BCN,60,Y,N,N,D^FD(00)0340123450000000012', 'Code128 000340123450000000012'],
  ['Code 39', '^BY2^B3N,N,60^FDPLATEN-1', 'Code39 PLATEN-1'],
  ['Code 93', '^BY2^BAN,60^FDPLATEN', 'Code93 PLATEN'],
  ['Interleaved 2 of 5', '^BY2^B2N,60^FD12345678901231', 'ITF 12345678901231'],
  ['EAN-8', '^BY3^B8N,60^FD9031101', 'EAN8 90311017'],
  ['UPC-A', '^BY2^BUN,60^FD03600029145', 'UPCA 036000291452'],
  ['Codabar', '^BY2^BKN,N,60,Y,N,A,B^FD1234567', 'Codabar A1234567B'],
  ['PDF417', '^BY2^B7N,8,3,4^FDPlaten prints', 'PDF417 Platen prints'],
  ['Aztec', '^B0N,6^FDPlaten prints', 'Aztec Platen prints'],
  ['QR in UTF-8', '^CI28^BQN,2,6^FDMA,Zo\xc3\xab', 'QRCode Zoë'],
  ['DataMatrix with an escape', '^BXN,6,200,,,,_^FDA_d066C', 'DataMatrix ABC'],
])('%s is read with its data', async (_, field, expected) => {
  const page = draw(`^XA^PW560^LL200^FO40,40${field}^FS^XZ`)
  const codes = await readCodes(rasterize(page))
  expect(codes.map((code) => code.replace('EAN13 0036', 'UPCA 036').replaceAll('\u001d', ''))).toEqual([expected])
})

test('a bar code is read in each orientation, from its corner and from its baseline', async () => {
  const fields = ['N', 'R', 'I', 'B'].map((orientation, index) => {
    const [x, y] = [40 + (index % 2) * 300, 40 + Math.floor(index / 2) * 300]
    return `^FO${x},${y}^BC${orientation},60^FD${orientation}1^FS^FT${x + 120},${y + 260}^BC${orientation},60^FDF${orientation}^FS`
  })
  const codes = await readCodes(rasterize(draw(`^XA^PW700^LL800${fields.join('')}^XZ`)))
  expect(codes).toEqual(['B1', 'FB', 'FI', 'FN', 'FR', 'I1', 'N1', 'R1'].map((data) => `Code128 ${data}`))
})

test.each([
  ['a box', '^FO20,30^GB100,50,4^FS', { left: 20, top: 30, right: 119, bottom: 79 }],
  ['a line', '^FO20,30^GB100,0,3^FS', { left: 20, top: 30, right: 119, bottom: 32 }],
  ['a circle', '^FO20,30^GC60,3^FS', { left: 20, top: 30, right: 79, bottom: 89 }],
  ['a diagonal', '^FO20,30^GD60,40,5^FS', { left: 21, top: 30, right: 83, bottom: 69 }],
  ['a graphic', '^FO20,30^GFA,8,8,1,FF818181818181FF^FS', { left: 20, top: 30, right: 27, bottom: 37 }],
  ['a box from its baseline', '^FT20,80^GB100,50,4^FS', { left: 20, top: 30, right: 119, bottom: 79 }],
  ['a box from the label home', '^LH10,5^FO20,30^GB100,50,4^FS', { left: 30, top: 35, right: 129, bottom: 84 }],
  ['a box in millimetres', '^MUM^FO2,3^GB10,5,1^FS', { left: 16, top: 24, right: 95, bottom: 63 }],
  ['a box on an inverted label', '^POI^LL400^FO20,30^GB100,50,4^FS', { left: 280, top: 320, right: 379, bottom: 369 }],
  ['a box on a mirrored label', '^PMY^FO20,30^GB100,50,4^FS', { left: 280, top: 30, right: 379, bottom: 79 }],
])('%s is where printers put it, to the dot', (_, field, expected) => {
  expect(drawInk(field)).toEqual(expected)
})

test('capitals of font 0 are three quarters of its height, on the baseline of ^FT', () => {
  expect(drawInk('^FO50,50^A0N,100,100^FDH^FS')).toMatchObject({ top: 50, bottom: 124 })
  expect(drawInk('^FT50,200^A0N,100,100^FDH^FS')).toMatchObject({ top: 125, bottom: 199 })
})

test('a line of font 0 is as wide as the advances of its characters', () => {
  const one = drawInk('^FO0,50^A0N,50,50^FDH^FS')
  const ten = drawInk('^FO0,50^A0N,50,50^FDHHHHHHHHHH^FS')
  // 0.61 em each.
  expect((ten?.right ?? 0) - (one?.right ?? 0)).toBeCloseTo(9 * 30.5, -1)
})

test('bitmap fonts print in multiples of their cell', () => {
  const widthAt = (height: number) => {
    const ink = drawInk(`^FO20,20^ADN,${height},10^FDHHHH^FS`)
    return ink && { width: ink.right - ink.left, height: ink.bottom - ink.top }
  }
  expect(widthAt(18)).toEqual(widthAt(26))
  expect(widthAt(27)?.height).toBeGreaterThan((widthAt(26)?.height ?? 0) * 1.9)
})

test.each([
  ['R', { left: 20, top: 30 }],
  ['I', { left: 20, top: 30 }],
  ['B', { left: 20, top: 30 }],
])('rotated text begins at the same corner (%s)', (orientation, corner) => {
  const ink = drawInk(`^FO20,30^A0${orientation},60,60^FDHIH^FS`)
  expect(Math.abs((ink?.left ?? 0) - corner.left)).toBeLessThan(20)
  expect(Math.abs((ink?.top ?? 0) - corner.top)).toBeLessThan(20)
})

test('^FB breaks lines at spaces, aligns them and prints further lines over the last', () => {
  const page = draw('^XA^FO0,0^A0N,40,40^FB180,2,0,R^FDone two three four five^FS^XZ')
  expect(listTexts(page)).toEqual(['one two', 'three four', 'five'])
  const [first, second, third] = page.items.flatMap((item) => (item.kind === 'text' ? [item.glyphs[0]?.matrix] : []))
  expect(second?.[5]).toBe((first?.[5] ?? 0) + 40)
  expect(third?.[5]).toBe(second?.[5])
  expect(third?.[4]).toBeGreaterThan(second?.[4] ?? 0)
})

test('a reversed field is white on black and black on white', () => {
  const raster = rasterize(draw('^XA^FO0,0^GB100,100,100^FS^FO50,20^FR^GB100,50,50^FS^XZ'))
  expect([raster.isBlack(20, 50), raster.isBlack(75, 50), raster.isBlack(125, 50)]).toEqual([true, false, true])
})

test.each([
  ['hexadecimal', '00FF00FF'],
  ['run lengths', ',!:I0F'],
  ['base64', ':B64:AP8A/w==:3A09'],
])('a graphic is read from %s', (_, data) => {
  const raster = rasterize(draw(`^XA^FO0,0^GFA,4,4,1,${data}^FS^XZ`))
  expect([0, 1, 2, 3].map((y) => raster.isBlack(4, y))).toEqual(
    data.startsWith(',') ? [false, true, true, false] : [false, true, false, true],
  )
})

test('a format prints the data of each label that uses it', async () => {
  const { pages } = drawPreview(readDocument('shelf.zpl'))
  expect(pages.map((page) => listTexts(page)?.filter((text) => !text.startsWith('*')))).toEqual([
    ['Bolts M8'],
    ['Nuts M8'],
  ])
  expect(await Promise.all(pages.map((page) => readCodes(rasterize(page))))).toEqual([
    ['Code39 BOLT8'],
    ['Code39 NUT8'],
  ])
})

test('an unknown command is named with its offset and changes nothing', () => {
  const page = draw('^XA^FO0,0^A0N,30^QQ1,2^FDtext^FS^XZ')
  expect(page.warnings).toEqual([{ offset: 16, message: 'Unknown command "^QQ".' }])
  expect(listTexts(page)).toEqual(['text'])
})

test.each([
  ['a bar code with data that it cannot contain', '^FO0,0^B1N^FDabc^FS', /^The bar code \^B1 cannot be printed/],
  ['a font that printers lack', '^FO0,0^A1N,30^FDx^FS', /^Printers have no font 1/],
  [
    'a graphic that is not in the document',
    '^FO0,0^XGR:NONE.GRF,1,1^FS',
    /^The document does not define the graphic R:NONE.GRF/,
  ],
  ['a format that is not in the document', '^XFR:NONE.ZPL', /^The format R:NONE.ZPL of \^XF is not in the document/],
  ['a wrong CRC', '^FO0,0^GFA,1,1,1,:B64:AA==:1234^FS', /CRC/],
  ['a command that pictures do not show', '^ILR:FORM.GRF^FO0,0^FDx^FS', /does not show what \^IL does/],
  [
    'a bar code that ends beyond the label',
    '^PW400^BY3^FO60,0^BCN,50^FD0034043416^FS',
    /^The bar code \^BC ends 95 dots beyond the right edge/,
  ],
  [
    'a text that ends beyond the label',
    '^PW100^FO50,0^A0N,30^FDCorner shop^FS',
    /^The text ends 96 dots beyond the right edge/,
  ],
  [
    'a box below a label of fixed length',
    '^MNN^LL100^FO0,80^GB50,50^FS',
    /^The box or line ends 30 dots below the label/,
  ],
  ['a text above the label', '^FT50,10^A0N,60^FDx^FS', /^The text begins 35 dots above the label/],
  ['a field outside of the label', '^PW100^FO100,0^A0N,30^FDx^FS', /^The text is outside of the label/],
  [
    'a bar code without its quiet zone',
    '^BY3^FO10,0^BCN,50^FD1^FS',
    /^The quiet zone of the bar code \^BC is 20 dots too narrow/,
  ],
  [
    'a QR code without its quiet zone',
    '^BY3^FO0,20^BQN,2,5^FDQA,1^FS',
    /^The quiet zone of the bar code \^BQ is 5 dots too narrow/,
  ],
  [
    'a text that its block cuts',
    '^FO0,0^A0N,30^TBN,100,60^FDone two three four five six^FS',
    /^The text has \d lines more than its block of \^TB/,
  ],
  [
    'lines that are printed over each other',
    '^FO0,0^A0N,30^FB100,2^FDone two three four five six^FS',
    /^The text has \d lines more than the 2 of \^FB/,
  ],
  [
    'UTF-8 without its character set',
    '^FO0,0^A0N,30^FDGr\xc3\xbc\xc3\x9fe^FS',
    /^The text is UTF-8, but the label does not select it with \^CI28/,
  ],
  [
    'a character that no font has',
    '^CI28^FO0,0^A0N,30^FD\xe5\xad\x97^FS',
    /^The font of the picture has no character "字"/,
  ],
  [
    'data that its bar code cannot hold',
    '^FO30,0^BEN,50^FD12ab^FS',
    /^The bar code \^BE cannot hold "12ab"\. Printed is 000000000012\./,
  ],
  [
    'letters in digits of two widths',
    '^FO40,0^B2N,50^FD12a4^FS',
    /^The bar code \^B2 cannot hold "12a4"\. Printed is 0124\./,
  ],
  ['a last field without ^FS', '^FO0,0^A0N,30^FDtext', /^The last field has no \^FS/],
])('a warning names %s', (_, field, message) => {
  proves('preview.warnings.label')
  const { warnings } = draw(`^XA${field}^XZ`)
  expect(warnings.map((warning) => warning.message).filter((text) => message.test(text))).toHaveLength(1)
})

test('what just fits has no warning', () => {
  const fitting = '^PW400^LL100^MNN^BY2^FO20,0^BCN,100,N^FD>;0034043416^FS^FO398,0^GB2,100,2^FS^FO0,0^A0N,30^FDtext^FS'
  expect(draw(`^XA${fitting}^XZ`).warnings).toEqual([])
})

test.each([
  [0, '[', '['],
  [6, '[\\]{|}', 'ÄÖÜäöü'],
  [13, '\x84', 'ä'],
  [27, '\xe4', 'ä'],
  [28, '\xc3\xa4', 'ä'],
  [33, '\xc4', 'Д'],
])('^CI%i decodes field data', (set, bytes, expected) => {
  expect(listTexts(draw(`^XA^CI${set}^FO0,0^FD${bytes}^FS^XZ`))).toEqual([expected])
})

test('the document can change the characters of its commands', () => {
  expect(listTexts(draw('^XA^CC+^FO0,0+CD;+FO10;20+FH+FDa_5Eb~c+FS+XZ'.replace('^FO0,0', '+FO0,0')))).toEqual(['a^b~c'])
})

test('a graphic that a label has several times is written once', () => {
  const graphic = (y: number) => `^FO0,${y}^GFA,8,8,1,FF818181818181FF^FS`
  const { svg, isWhole } = toSvg(draw(`^XA${[0, 20, 40].map(graphic).join('')}^XZ`))
  expect([svg.match(/<image/g)?.length, svg.match(/<use/g)?.length, isWhole]).toEqual([1, 3, true])
})

test('a picture has the items that fit its size', () => {
  const page = draw('^XA^FO0,0^GB10,10,10^FS^FO20,0^GB10,10,10^FS^XZ')
  const { svg, isWhole } = toSvg(page, 1)
  expect([svg.includes('<path'), isWhole]).toEqual([false, false])
  expect(toSvg(page, 1_000).isWhole).toBe(true)
})

test('text in SVG is escaped', () => {
  const { svg } = toSvg(draw('^XA^FO0,0^FD</g><script>"&^FS^XZ'))
  expect(svg).toContain('aria-label="&#60;/g&#62;&#60;script&#62;&#34;&#38;"')
})

test.each([
  ['^LL on continuous media', '^MNN^LL100', 100],
  ['its lowest field otherwise', '^LL100', 180],
  ['^LL if nothing is below', '^LL300', 300],
])('a label is as long as %s', (_, commands, height) => {
  expect(draw(`^XA${commands}^FO20,130^GB50,50^FS^XZ`).height).toBe(height)
})

test('the paper of the caller is not extended', () => {
  const [page] = drawPreview(Buffer.from('^XA^LL100^FO20,130^GB50,50^FS^XZ'), {
    paper: {
      dpi: 300,
      widthMm: 20,
      heightMm: 10,
    },
  }).pages
  expect(page).toMatchObject({ width: 240, height: 120, dpi: 300 })
})

test('a resolution that is not given is that of most printers', () => {
  const paper = { dpi: undefined, widthMm: 101.6, heightMm: 152.4 }
  expect(drawPreview(Buffer.from('^XA^XZ'), { paper }).pages[0]).toMatchObject({ dpi: 203, widthMm: 101.625 })
})

test('a picture ends with a warning when its time is over', () => {
  const [page] = drawPreview(Buffer.from('^XA^FO0,0^FDtext^FS^XZ'), { timeoutMs: -1 }).pages
  expect(page?.warnings.map(({ message }) => message)).toEqual([
    'The picture ends here, because the document has too many parts that take long to draw.',
  ])
})

test('a document without a label has an empty page', () => {
  expect(draw('')).toMatchObject({ items: [], warnings: [] })
  expect(draw('hello').items).toEqual([])
})
