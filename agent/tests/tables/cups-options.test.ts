import type { JsonObject } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import type { IppAttributes, IppTyped, IppTypedAttributes } from '../../ipp/attributes.ts'
import { mapOptions } from '../../spoolers/cups/options.ts'
import type { Queue } from '../../spoolers/cups/queue.ts'
import { SpoolerRefusal } from '../../spoolers/spooler.ts'

const size = (x: IppAttributes[string], y: IppAttributes[string]): IppAttributes => ({
  'x-dimension': x,
  'y-dimension': y,
})

/** Of each driverless queue of CUPS 2.4.2. */
const EVERY_QUEUE: IppAttributes = {
  'copies-supported': [{ lower: 1, upper: 9999 }],
  'multiple-document-handling-supported': [
    'separate-documents-uncollated-copies',
    'separate-documents-collated-copies',
  ],
  'number-up-supported': [1, 2, 4, 6, 9, 16],
  'print-scaling-supported': ['auto', 'auto-fit', 'fill', 'fit', 'none'],
}

const LASER: Queue = {
  attributes: {
    ...EVERY_QUEUE,
    'printer-make-and-model': ['Printer - IPP Everywhere'],
    'media-size-supported': [
      size([21000], [29700]),
      size([14800], [21000]),
      size([{ lower: 7620, upper: 21600 }], [{ lower: 12700, upper: 35600 }]),
    ],
    'media-source-supported': ['auto', 'tray-1', 'tray-2', 'manual'],
    'media-type-supported': ['auto', 'stationery', 'labels'],
    'print-color-mode-supported': ['monochrome'],
    'printer-resolution-supported': [{ x: 300, y: 300, unit: 'dpi' }],
    'sides-supported': ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'],
  },
  papers: new Map([
    ['A4', { width: 2100, height: 2970 }],
    ['A5', { width: 1480, height: 2100 }],
    ['Roll', { width: 2100 }],
  ]),
  dpis: ['300x300', '600x600'],
  copies: 99,
}

const COLOR: Queue = {
  ...LASER,
  attributes: {
    ...LASER.attributes,
    'print-color-mode-supported': ['monochrome', 'color'],
    'printer-resolution-supported': [
      { x: 600, y: 600, unit: 'dpi' },
      { x: 1200, y: 600, unit: 'dpi' },
    ],
  },
  dpis: ['600x600', '1200x600'],
}

const RAW: Queue = {
  attributes: { ...EVERY_QUEUE, 'printer-make-and-model': ['Local Raw Printer'] },
  papers: new Map(),
  dpis: [],
}

/** Without the syntax. */
function plain(typed: IppTypedAttributes): Record<string, unknown> {
  const plainValue = ({ syntax, value }: IppTyped): unknown => (syntax === 'collection' ? plain(value) : value)
  return Object.fromEntries(
    Object.entries(typed).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(plainValue) : plainValue(value),
    ]),
  )
}

function map(options: JsonObject, queue = LASER, qty = 1) {
  const { attributes, warnings } = mapOptions(options, qty, queue)
  return { attributes: plain(attributes), warnings }
}

const AUTO = { 'print-scaling': 'auto' }

const copies = (count: number, how: string) => ({
  ...AUTO,
  copies: count,
  'multiple-document-handling': `separate-documents-${how}-copies`,
})
const dimensions = (x: number, y: number) => ({ 'media-size': { 'x-dimension': x, 'y-dimension': y } })
const turned = (orientation: number, scaling: string) => ({
  'print-scaling': scaling,
  'orientation-requested': orientation,
  pdfAutoRotate: false,
})
const ranges = [
  { lower: 2, upper: 2 },
  { lower: 4, upper: 2147483647 },
]
const dpi = (x: number, y: number, name: string) => ({
  ...AUTO,
  'printer-resolution': { x, y, unit: 'dpi' },
  Resolution: name,
})

describe('an option that the queue offers becomes attributes of the job', () => {
  test.each<[JsonObject, Record<string, unknown>, Queue?]>([
    [{}, AUTO],
    [{ duplex: 'one-sided' }, { ...AUTO, sides: 'one-sided' }],
    [{ duplex: 'long-edge' }, { ...AUTO, sides: 'two-sided-long-edge' }],
    [{ duplex: 'short-edge' }, { ...AUTO, sides: 'two-sided-short-edge' }],
    [{ pages: '2,4-' }, { ...AUTO, 'page-ranges': ranges }],
    [{ pages: '-' }, AUTO],
    [{ nup: 4 }, { ...AUTO, 'number-up': 4 }],
    [{ color: false }, { ...AUTO, 'print-color-mode': 'monochrome' }],
    [{ color: true }, { ...AUTO, 'print-color-mode': 'color' }, COLOR],
    [{ collate: true, copies: 2 }, copies(2, 'collated')],
    [{ collate: false, copies: 2 }, copies(2, 'uncollated')],
    [{ copies: 1 }, AUTO],
    [{ copies: 99 }, { ...AUTO, copies: 99 }],
    [{ dpi: '1200x600' }, dpi(1200, 600, '1200x600dpi'), COLOR],
    [{ dpi: '300x300' }, dpi(300, 300, '300dpi'), { ...LASER, dpis: ['300x300'] }],
    [{ fit_to_page: true }, { 'print-scaling': 'fit' }],
    [{ fit_to_page: false }, { 'print-scaling': 'none' }],
    [{ rotate: 0 }, AUTO],
    [{ rotate: 90 }, turned(5, 'fit')],
    [{ rotate: 180 }, turned(6, 'auto')],
    [{ rotate: 270 }, turned(4, 'fit')],
    [{ rotate: 90, fit_to_page: false }, turned(5, 'none')],
    [{ paper: 'A5' }, { ...AUTO, 'media-col': dimensions(14800, 21000) }],
    [
      { paper: 'A4', bin: 'tray-2', media: 'labels' },
      { ...AUTO, 'media-col': { ...dimensions(21000, 29700), 'media-source': 'tray-2', 'media-type': 'labels' } },
    ],
    [{ paper: { name: 'Ticket', width: 1000, height: 1500 } }, { ...AUTO, 'media-col': dimensions(10000, 15000) }],
    // Half a millimetre off a size of the driver: that size.
    [{ paper: { name: 'Mine', width: 1485, height: 2095 } }, { ...AUTO, 'media-col': dimensions(14800, 21000) }],
  ])('%j', (options, attributes, queue) => {
    expect(map(options, queue)).toEqual({ attributes, warnings: [] })
  })
})

describe('an option that the queue does not offer is dropped, with a sentence that names it and its value', () => {
  test.each<[JsonObject, RegExp, Queue?]>([
    [
      { duplex: 'long-edge' },
      /^The computer ignored the option duplex `long-edge`: .+\.$/,
      { ...LASER, attributes: { ...LASER.attributes, 'sides-supported': ['one-sided'] } },
    ],
    [{ nup: 3 }, /option nup 3:/],
    [{ color: true }, /option color true:/],
    [{ dpi: '600x600' }, /option dpi `600x600`: .*no choice/],
    [{ dpi: '300x300' }, /option dpi `300x300`: .*no choice/],
    [{ dpi: '601x600' }, /option dpi `601x600`:/, COLOR],
    [{ bin: 'tray-9' }, /option bin `tray-9`:/],
    [{ media: 'velvet' }, /option media `velvet`:/],
    [{ paper: 'A0' }, /option paper `A0`: .*no such paper/],
    [{ paper: 'Roll' }, /option paper `Roll`: .*no fixed size/],
    [{ paper: { name: 'Huge', width: 2161, height: 3560 } }, /option paper `Huge`: .*its size/],
    [{ staple: true }, /option staple true:/],
    [{ bin: 'x'.repeat(65) }, /option bin `x{64}`:/],
  ])('%j', (options, warning, queue) => {
    const mapped = map(options, queue)
    expect(mapped.warnings).toEqual([expect.stringMatching(warning)])
    expect(mapped.attributes).toEqual(AUTO)
  })
})

test('of several options only those that the queue does not offer are dropped', () => {
  expect(map({ bin: 'tray-2', media: 'velvet', paper: 'A0', nup: 2 })).toEqual({
    attributes: { ...AUTO, 'number-up': 2, 'media-col': { 'media-source': 'tray-2' } },
    warnings: [expect.stringMatching(/paper/), expect.stringMatching(/media/)],
  })
})

describe('sheets are qty times copies, and each of qty sets comes out whole', () => {
  test.each<[number, JsonObject, number]>([
    [3, {}, 3],
    [3, { copies: 2 }, 6],
    [3, { copies: 2, collate: true }, 6],
    [3, { collate: false }, 3],
  ])('qty %i with %j', (qty, options, sheets) => {
    expect(map(options, LASER, qty)).toEqual({ attributes: copies(sheets, 'collated'), warnings: [] })
  })

  test('collate false is dropped for several sets of several copies', () => {
    const { attributes, warnings } = map({ copies: 2, collate: false }, LASER, 3)
    expect(attributes).toEqual(copies(6, 'collated'))
    expect(warnings).toEqual([expect.stringMatching(/option collate false:/)])
  })

  test('more sets than the device prints in one job are refused', () => {
    expect(map({ copies: 33 }, LASER, 3).attributes).toMatchObject({ copies: 99 })
    expect(() => map({ copies: 50 }, LASER, 2)).toThrow(SpoolerRefusal)
    expect(() => map({ copies: 50 }, LASER, 2)).toThrow('100 sets (qty times copies), and prints at most 99 in one job')
  })

  test('CUPS makes the copies for a device that makes one', () => {
    expect(map({}, { ...LASER, copies: 1 }, 100).attributes).toMatchObject({ copies: 100 })
    expect(() => map({ copies: 100 }, { ...LASER, copies: 1 }, 100)).toThrow('at most 9999')
  })
})

test('a raw queue prints sets and drops all other options', () => {
  const options = { copies: 2, duplex: 'long-edge', rotate: 90, fit_to_page: true, bin: 'tray-1', paper: 'A4' }
  const { attributes, warnings } = map(options, RAW, 2)
  expect(attributes).toEqual({ copies: 4 })
  for (const name of ['duplex', 'rotate', 'fit_to_page', 'bin', 'paper'])
    expect(warnings).toContainEqual(expect.stringMatching(new RegExp(`option ${name} .*as they are`)))
  expect(warnings).toHaveLength(5)
})
