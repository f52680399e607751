import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import type { IppAttributes, IppTyped, IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { isRotated } from '../../spoolers/cups/media-col.ts'
import { mapOptions } from '../../spoolers/cups/options.ts'
import type { Queue } from '../../spoolers/cups/queue.ts'

type Value = IppAttributes[string]
const size = (x: Value, y: Value): IppAttributes => ({ 'x-dimension': x, 'y-dimension': y })
const resolution = (x: number, y = x) => ({ x, y, unit: 'dpi' }) as const

type Paper = [name: string, { width: number; height?: number }]
const A4: Paper = ['A4', { width: 2100, height: 2970 }]
const A5: Paper = ['A5', { width: 1480, height: 2100 }]

const RAW: Queue = {
  attributes: { 'copies-supported': [{ lower: 1, upper: 9999 }], 'printer-make-and-model': ['Local Raw Printer'] },
  papers: new Map(),
  dpis: [],
}

const LASER: Queue = {
  attributes: {
    ...RAW.attributes,
    'multiple-document-handling-supported': ['uncollated', 'collated'].map(
      (order) => `separate-documents-${order}-copies`,
    ),
    'number-up-supported': [1, 2, 4, 6, 9, 16],
    'print-scaling-supported': ['auto', 'auto-fit', 'fill', 'fit', 'none'],
    'printer-make-and-model': ['Printer - IPP Everywhere'],
    'media-col-default': [{ 'media-size': [size([21000], [29700])] }],
    'media-size-supported': [
      size([21000], [29700]),
      size([14800], [21000]),
      size([{ lower: 7620, upper: 21600 }], [{ lower: 12700, upper: 35600 }]),
    ],
    'media-source-supported': ['auto', 'tray-1', 'tray-2', 'manual'],
    'media-type-supported': ['auto', 'stationery', 'labels'],
    'print-color-mode-supported': ['monochrome'],
    'printer-resolution-supported': [resolution(300)],
    'sides-supported': ['one-sided', 'two-sided-long-edge', 'two-sided-short-edge'],
  },
  papers: new Map([A4, A5, ['Roll', { width: 2100 }]]),
  dpis: ['300x300', '600x600'],
  copies: 99,
}

const laserWith = (changes: IppAttributes, ...dpis: string[]): Queue => {
  return { ...LASER, dpis, attributes: { ...LASER.attributes, ...changes } }
}
const HIGH_RESOLUTION = { 'printer-resolution-supported': [resolution(600), resolution(1200, 600)] }
const COLOR = laserWith(
  { ...HIGH_RESOLUTION, 'print-color-mode-supported': ['monochrome', 'color'] },
  '600x600',
  '1200x600',
)

/** The attributes without their syntax. */
const toPlainValue = ({ syntax, value }: IppTyped): unknown => (syntax === 'collection' ? toPlain(value) : value)
function toPlain(typed: IppTypedAttributes): Record<string, unknown> {
  const entries = Object.entries(typed)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(toPlainValue) : toPlainValue(value)]),
  )
}

function map(options: JsonObject, queue = LASER, qty = 1) {
  const { attributes, warnings } = mapOptions(options, qty, queue)
  return { attributes: toPlain(attributes), warnings }
}

const AUTO = { copies: 1, 'print-scaling': 'auto-fit' }

const HANDLING = 'multiple-document-handling'
const copies = (count: number, order: string) => ({
  ...AUTO,
  copies: count,
  [HANDLING]: `separate-documents-${order}-copies`,
})
const media = (x: number, y: number, more = {}) => ({
  ...AUTO,
  'media-col': { 'media-size': { 'x-dimension': x, 'y-dimension': y }, ...more },
})
const rotated = (orientation: number, scaling: string) => ({
  ...scaled(scaling),
  'orientation-requested': orientation,
  pdfAutoRotate: false,
})
const scaled = (scaling: string) => ({ ...AUTO, 'print-scaling': scaling })
const dpi = (name: string, x: number, y = x) => ({ ...AUTO, 'printer-resolution': resolution(x, y), Resolution: name })
const range = (lower: number, upper: number) => ({ lower, upper })

describe('an offered option is converted to attributes of the job', () => {
  test.each<[JsonObject, Record<string, unknown>, Queue?]>([
    [{}, AUTO],
    [{ duplex: 'one-sided' }, { ...AUTO, sides: 'one-sided' }],
    [{ duplex: 'long-edge' }, { ...AUTO, sides: 'two-sided-long-edge' }],
    [{ duplex: 'short-edge' }, { ...AUTO, sides: 'two-sided-short-edge' }],
    [{ pages: '2,4-' }, { ...AUTO, 'page-ranges': [range(2, 2), range(4, 2147483647)] }],
    [{ pages: '-' }, AUTO],
    [{ nup: 4 }, { ...AUTO, 'number-up': 4 }],
    [{ color: false }, { ...AUTO, 'print-color-mode': 'monochrome' }],
    [{ color: true }, { ...AUTO, 'print-color-mode': 'color' }, COLOR],
    [{ collate: true, copies: 2 }, copies(2, 'collated')],
    [{ collate: false, copies: 2 }, copies(2, 'uncollated')],
    [{ copies: 1 }, AUTO],
    [{ copies: 99 }, { ...AUTO, copies: 99 }],
    [{ dpi: '1200x600' }, dpi('1200x600dpi', 1200, 600), COLOR],
    [{ dpi: '300x300' }, dpi('300dpi', 300), { ...LASER, dpis: ['300x300'] }],
    [{ fit_to_page: true }, scaled('fit')],
    [{ fit_to_page: false }, scaled('none')],
    [{ rotate: 0 }, AUTO],
    [{}, scaled('auto'), laserWith({ 'print-scaling-supported': ['auto', 'fit', 'none'] })],
    [{ rotate: 90 }, rotated(5, 'fit')],
    [{ rotate: 180 }, rotated(6, 'auto-fit')],
    [{ rotate: 270 }, rotated(4, 'fit')],
    [{ rotate: 90, fit_to_page: false }, rotated(5, 'none')],
    [{ paper: 'A5' }, media(14800, 21000)],
    [
      { paper: 'A4', bin: 'tray-2', media: 'labels' },
      media(21000, 29700, { 'media-source': 'tray-2', 'media-type': 'labels' }),
    ],
    [{ paper: { name: 'Ticket', width: 1000, height: 1500 } }, media(10000, 15000)],
    // The size differs from a size of the driver by half a millimetre, so the size of the driver is used.
    [{ paper: { name: 'Custom', width: 1485, height: 2095 } }, media(14800, 21000)],
  ])('%j', (options, attributes, queue) => {
    expect(map(options, queue)).toEqual({ attributes, warnings: [] })
  })
})

describe('an option that the queue does not offer is dropped, and the warning names the option, the value and the offered values', () => {
  test.each<[JsonObject, reason: string, Queue?]>([
    [{ duplex: 'long-edge' }, 'this printer offers `one-sided`', laserWith({ 'sides-supported': ['one-sided'] })],
    [{ nup: 3 }, 'this printer offers 1, 2, 4, 6, 9 and 1 more'],
    [{ color: true }, 'this printer does not offer it'],
    [{ dpi: '600x600' }, 'cannot select the resolution'],
    [{ dpi: '300x300' }, 'cannot select the resolution'],
    [{ dpi: '601x600' }, 'this printer offers `600x600`, `1200x600`', COLOR],
    [{ bin: 'tray-9' }, 'this printer offers `auto`, `tray-1`, `tray-2`, `manual`'],
    [{ media: 'velvet' }, 'this printer offers `auto`, `stationery`, `labels`'],
    [{ paper: 'A0' }, 'this printer offers `A4`, `A5`, `Roll`'],
    [{ paper: 'Roll' }, 'papers without a fixed length are not supported here'],
    [{ paper: { name: 'Huge', width: 2161, height: 3560 } }, 'its size of 216.1 x 356 mm'],
    [{ staple: true }, 'this version of the agent does not support it'],
    [{ bin: 'x'.repeat(65) }, ''],
  ])('%j', (options, reason, queue) => {
    const [[name, value] = expect.fail('no option')] = Object.entries(options)
    const text = typeof value === 'string' ? value : (value as { name?: string }).name
    const shown = text === undefined ? value : `\`${text.slice(0, 64)}\``
    const warning = expect.stringMatching(`^The computer ignored the option ${name} ${shown}: .*${reason}\\.$`)
    expect(map(options, queue)).toEqual({ attributes: AUTO, warnings: [warning] })
  })

  test('the other options are applied', () => {
    expect(map({ bin: 'tray-2', media: 'velvet', paper: 'A0', nup: 2 })).toEqual({
      attributes: { ...AUTO, 'number-up': 2, 'media-col': { 'media-source': 'tray-2' } },
      warnings: [expect.stringMatching(/paper/), expect.stringMatching(/media/)],
    })
  })
})

describe('a queue whose default paper is not one of its papers', () => {
  const A5 = { width: 420, height: 595 }
  const A4 = { width: 595, height: 842 }
  const letter: IppAttributes = { 'media-col-default': [{ 'media-size': [size([21590], [27940])] }] }
  const roll: IppAttributes = { 'media-size-supported': [size([21000], [29700]), size([14800], [21000])] }
  const map = (device: IppAttributes | undefined, sizes: (typeof A4)[]) => {
    const { attributes, warnings } = mapOptions(
      {},
      1,
      { ...laserWith({ ...roll, ...letter }), device },
      { pages: 9, sizes },
    )
    return { attributes: toPlain(attributes), warnings }
  }
  const a5: IppAttributes = { 'media-col-default': [{ 'media-size': [size([14800], [21000])] }] }

  test.each([
    ['the default of its device', a5, [A4]],
    ['the paper as large as all pages, without a device', undefined, [A5]],
    ['the paper as large as all pages, if it does not offer that of its device', letter, [A5]],
  ] as const)('prints for %s', (_, device, sizes) => {
    expect(map(device, [...sizes])).toEqual({ attributes: media(14800, 21000), warnings: [] })
  })

  test('has a warning if the pages do not name the paper', () => {
    const warnings = [expect.stringMatching(/does not know which paper is loaded.* option paper/)]
    expect(map(undefined, [A4, A5])).toEqual({ attributes: AUTO, warnings })
  })
})

test.each([
  [
    {},
    [
      { width: 1190, height: 1684 },
      { width: 595, height: 842 },
    ],
    'A page of 419.8 x 594.1 mm was printed at 50 % to fit the paper of 210 x 297 mm.',
  ],
  [
    { paper: 'A5' },
    [{ width: 842, height: 595 }],
    'A page of 297 x 209.9 mm was printed at 71 % to fit the paper of 148 x 210 mm.',
  ],
  [{ paper: 'A5', fit_to_page: true }, [{ width: 842, height: 595 }], undefined],
  [{}, [{ width: 842, height: 595 }], undefined],
  [{}, [{ width: 598, height: 845 }], undefined],
])('for the options %j and the pages %j the job has the warning %s', (options, sizes, message) => {
  proves('content.pdf.scaled')
  const { documentWarnings } = mapOptions(options, 1, LASER, { pages: 9, sizes })
  expect(documentWarnings).toEqual(message && [{ reason: 'page-scaled', message }])
})

describe('a default of the queue that changes what is printed is replaced, unless an option sets it', () => {
  const laserWithDefaults = (defaults: IppAttributes) =>
    laserWith(Object.fromEntries(Object.entries(defaults).map(([name, value]) => [`${name}-default`, value])))

  test.each<[IppAttributes, JsonObject, Record<string, unknown>]>([
    [{ 'number-up': [2], 'orientation-requested': [4] }, {}, { 'number-up': 1, 'orientation-requested': 3 }],
    [
      { 'number-up': [2], 'orientation-requested': [4] },
      { nup: 4, rotate: 0 },
      { 'number-up': 4, 'orientation-requested': 3 },
    ],
    [{ landscape: [true], 'orientation-requested': [4] }, { rotate: 90 }, { ...rotated(5, 'fit'), landscape: null }],
    [{ 'job-sheets': ['standard', 'none'], booklet: [true] }, {}, { 'job-sheets': 'none', booklet: null }],
    [{ 'page-set': ['even'], 'page-ranges': ['1-1'] }, {}, { 'page-set': null, 'page-ranges': null }],
    [{ 'page-ranges': ['1-1'] }, { pages: '2' }, { 'page-ranges': [range(2, 2)] }],
    [{ 'number-up': [1], 'orientation-requested': [null], 'job-sheets': ['none', 'none'] }, {}, {}],
    [{ 'orientation-requested': [7] }, {}, {}],
    [{ sides: ['two-sided-long-edge'], media: ['iso_a5_148x210mm'], mirror: [true] }, {}, {}],
    [
      { media: ['iso_a5_148x210mm'], PageSize: ['A5'] },
      { paper: 'A4' },
      { ...media(21000, 29700), media: null, PageSize: null },
    ],
    [
      { media: ['iso_a5_148x210mm'], InputSlot: ['Tray1'] },
      { bin: 'tray-2' },
      { 'media-col': { 'media-source': 'tray-2' }, InputSlot: null },
    ],
    [{ Duplex: ['DuplexTumble'] }, { duplex: 'one-sided' }, { sides: 'one-sided', Duplex: null }],
    [{ 'number-up-layout': ['btrl'] }, { nup: 4 }, { 'number-up': 4, 'number-up-layout': null }],
    [{ PageRegion: ['A5'] }, { paper: 'A4' }, { ...media(21000, 29700), PageRegion: null }],
    [{ MediaType: ['Labels'] }, { media: 'labels' }, { 'media-col': { 'media-type': 'labels' }, MediaType: null }],
    [{ Collate: ['True'] }, { collate: false }, { [HANDLING]: 'separate-documents-uncollated-copies', Collate: null }],
    [{ ColorModel: ['RGB'] }, { color: false }, { 'print-color-mode': 'monochrome', ColorModel: null }],
  ])('%j with %j', (defaults, options, attributes) => {
    expect(map(options, laserWithDefaults(defaults)).attributes).toEqual({ ...AUTO, ...attributes })
  })
})

describe('a custom paper that a raster filter would print across gets the next wider or longer size', () => {
  // The paper of 50 x 80 mm and the limits of the driver of CUPS for ZPL printers.
  const range = (upper: number) => [{ lower: 1270, upper }]
  const labels = (extent = size(range(20320), range(127000)), ...more: IppAttributes[]): Queue => ({
    ...laserWith({ 'media-size-supported': [size([5009], [8008]), ...more, extent] }),
    isRaster: true,
  })
  const LABEL = size([8000], [5000])

  test.each<[number, number, [number, number], string?, Queue?]>([
    [800, 500, [8125, 5000], '80 x 50 mm across', labels()],
    [790, 498, [8125, 4980], '79 x 49.8 mm across', labels()],
    [789, 500, [7890, 5000], undefined, labels()],
    [813, 500, [8130, 5000], undefined, labels()],
    [800, 493, [8125, 4930], '80 x 49.3 mm across', labels()],
    [800, 492, [8000, 4920], undefined, labels()],
    [900, 550, [9000, 5500], undefined, labels()],
    [500, 800, [5009, 8008], undefined, labels()],
    [800, 500, [8000, 5000], undefined, labels(undefined, LABEL)],
    [800, 500, [8000, 5096], '80 x 50 mm across', labels(size(range(8100), range(127000)))],
    [800, 500, [8202, 5000], '80 x 50 mm across', labels(undefined, size([5080], [8085]))],
    [800, 500, [8125, 5000], '80 x 50 mm across', labels(undefined, size([8000], [9000]), size([9000], [5000]))],
    [800, 500, [8000, 5000], undefined, { ...labels(), isRaster: false }],
  ])('%i x %i is printed on %j', (width, height, [x, y], warning, queue) => {
    const mapped = map({ paper: { name: 'Label', width, height } }, queue)
    expect(mapped.attributes).toEqual(media(x, y))
    expect(mapped.warnings).toEqual(warning ? [expect.stringContaining(warning)] : [])
  })

  test.each<[JsonValue, boolean]>([
    [{ name: 'Label', width: 800, height: 500 }, true],
    [{ name: 'Label', width: 900, height: 550 }, false],
    [{ name: 'Label', width: 3000, height: 550 }, false],
    ['Unknown', false],
  ])('%j: %s', (paper, expected) => {
    expect(isRotated(paper, labels())).toBe(expected)
  })

  test('unless the printer supports neither, which drops the paper with a warning', () => {
    const queue = labels(size(range(8100), range(5050)))
    const { attributes, warnings } = map({ paper: { name: 'Label', width: 800, height: 500 } }, queue)
    expect(attributes).toEqual(AUTO)
    expect(warnings).toEqual([
      'The computer ignored the option paper `Label`: the driver of this printer prints 80 x 50 mm across.',
    ])
  })
})

describe('a job makes qty times copies sets, and each of the qty sets is complete', () => {
  test.each<[number, JsonObject, number, warnings?: unknown[]]>([
    [3, {}, 3],
    [3, { copies: 2 }, 6],
    [3, { copies: 2, collate: true }, 6],
    [3, { collate: false }, 3],
    [3, { copies: 2, collate: false }, 6, [expect.stringMatching(/option collate false:/)]],
    [3, { copies: 33 }, 99],
  ])('qty %i with %j', (qty, options, sheets, warnings = []) => {
    expect(map(options, LASER, qty)).toEqual({ attributes: copies(sheets, 'collated'), warnings })
  })

  test.each([
    [1, 1, 1, 1, 1],
    [100, 1, 99, 2, 50],
    [2, 50, 99, 2, 50],
    [3, 1, 1, 3, 1],
    [97, 1, 50, 97, 1],
    [4, 30, 99, 2, 60],
  ])('qty %i of %i copies on a device that makes %i are %i jobs of %s copies', (qty, count, maximum, jobs, perJob) => {
    const options = { copies: count }
    const mapped = mapOptions(options, qty, { ...LASER, copies: maximum })
    expect([mapped.jobs, mapped.attributes.copies]).toEqual([jobs, { syntax: 'integer', value: perJob }])
    expect(mapped.warnings).toEqual([])
  })

  test('copies that the device does not make are ignored with a warning, and qty is not', () => {
    const { jobs, warnings } = mapOptions({ copies: 100 }, 2, { ...LASER, copies: 1 })
    expect(jobs).toBe(2)
    expect(warnings).toEqual(['The computer ignored the option copies 100: this printer makes at most 1.'])
  })
})

test('pages counts sides with nup, and sides that the document does not have are not printed', () => {
  const mapPages = (pages: string) => mapOptions({ pages, nup: 4 }, 1, LASER, { pages: 7, sizes: [] })
  expect(toPlain(mapPages('2-3').attributes)).toMatchObject({ 'page-ranges': [range(2, 2)] })
  expect(mapPages('2-3').warnings).toEqual(['The computer ignored the option pages `3`: the document has 2 sides.'])
  expect(() => mapPages('5')).toThrow('The option pages selects 5, but the document has 2 sides. Nothing was printed.')
})

describe('pages that are rotated by a quarter', () => {
  const points = (width: number, height: number) => ({ width, height })
  const [LABEL, A4_PAGE, A4_ACROSS] = [points(142, 85), points(595, 842), points(842, 595)]

  test.each([
    ['a small page is not scaled', 'A4', [LABEL], 'none', 0],
    ['a page of the size of the rotated sheet is not scaled', 'A4', [A4_ACROSS], 'none', 0],
    ['a page that exceeds the sheet is scaled to it', 'A4', [A4_PAGE], 'fit', 0],
    ['a page that exceeds the smaller sheet is scaled to it', 'A5', [A4_ACROSS], 'fit', 0],
    ['pages of different sizes that fit are not scaled', 'A4', [LABEL, A4_ACROSS], 'none', 0],
    ['pages of different sizes are scaled with a warning if one exceeds the sheet', 'A4', [LABEL, A4_PAGE], 'fit', 1],
  ])('%s', (_, paper, sizes, scaling, count) => {
    const { attributes, warnings } = mapOptions({ rotate: 90, paper }, 1, LASER, { pages: 2, sizes })
    expect(attributes).toMatchObject({ 'print-scaling': { value: scaling } })
    expect(warnings).toHaveLength(count)
  })

  test.each<[string, IppAttributes, string]>([
    ['larger default paper of the queue', { 'media-size': [size([29700], [42000])] }, 'none'],
    ['smaller default paper of the queue', { 'media-size': [size([14800], [21000])] }, 'fit'],
    ['default paper without a length', { 'media-size': [size([29700], [range(12700, 42000)])] }, 'fit'],
    ['default paper without a size', { 'media-source': ['tray-1'] }, 'fit'],
  ])('without the option paper are placed on the %s', (_, media, scaling) => {
    const queue = laserWith({ 'media-col-default': [media], 'media-size-supported': [] })
    const { attributes } = mapOptions({ rotate: 90 }, 1, queue, { pages: 1, sizes: [A4_PAGE] })
    expect(attributes).toMatchObject({ 'print-scaling': { value: scaling } })
  })
})
