/** Print options and attributes of IPP: both directions are equal. */

import { create, type JsonObject } from '@bufbuild/protobuf'
import { mapOptions } from '@platen/agent/spoolers/cups/options.ts'
import type { Queue } from '@platen/agent/spoolers/cups/queue.ts'
import type { IppAttributes, IppTyped, IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { UNSUPPORTED } from '@platen/ipp/typed.ts'
import { PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { JOB_TEMPLATE } from '../../ipp/attributes/job-template.ts'
import { toOptions } from '../../ipp/attributes/to-options.ts'
import { createOffer } from '../../ipp/offer.ts'
import { LASER } from '../ipp-client.ts'

const laser = create(PrinterSchema, {
  id: 'p',
  customPapers: [{ name: 'Delivery note', width: 2100, height: 1480 }],
  capabilities: { ...LASER, bins: ['tray-1', 'tray-2'], extent: undefined },
})
const offer = createOffer(laser, { os: 'linux' })

const toPlainValue = ({ syntax, value }: IppTyped) => (syntax === 'collection' ? toPlain(value) : value)

/** @returns the attributes as a printer decodes them. */
const toPlain = (attributes: IppTypedAttributes): IppAttributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, values]) => [name, [values].flat().map(toPlainValue)]),
  ) as IppAttributes

const supported = Object.fromEntries(
  JOB_TEMPLATE.map((row) => [`${row.name}-supported`, toPlain({ row: row.supported(offer) }).row]),
) as IppAttributes

/** A queue of CUPS for the printer as the gateway offers it. */
const queue: Queue = {
  attributes: {
    ...supported,
    'media-col-default': [{ 'media-size': [{ 'x-dimension': [21000], 'y-dimension': [29700] }] }],
    'media-size-supported': offer.papers.map(({ width, height }) => ({
      'x-dimension': [width * 10],
      'y-dimension': [height * 10],
    })),
    'media-source-supported': offer.sources.map(({ keyword }) => keyword),
    'media-type-supported': offer.types.map(({ keyword }) => keyword),
  },
  papers: new Map(offer.papers.map(({ name, width, height }) => [name, { width, height }])),
  dpis: ['300x300', '600x600'],
  copies: 99,
}

/** What an agent adds to each job, or sends for CUPS alone. */
const ADDED = ['Resolution', 'pdfAutoRotate']

describe('an option that an agent sends as an attribute is the option that the attribute is here', () => {
  test.each<JsonObject>([
    { copies: 2 },
    { copies: 99 },
    { duplex: 'one-sided' },
    { duplex: 'long-edge' },
    { duplex: 'short-edge' },
    { color: true },
    { color: false },
    { nup: 2 },
    { nup: 4 },
    { dpi: '600x600' },
    { dpi: '300x300' },
    { pages: '1-3,5,7-' },
    // Without it an agent that does not know the size of the pages fits them.
    { rotate: 90, fit_to_page: true },
    { rotate: 180 },
    { rotate: 270, fit_to_page: false },
    { fit_to_page: true },
    { fit_to_page: false },
    { paper: 'A4' },
    { paper: 'A5' },
    { paper: 'Letter' },
    { paper: 'A3' },
    { paper: 'Delivery note' },
    { bin: 'tray-2' },
    { media: 'labels' },
    { collate: true, copies: 2 },
    { collate: false, copies: 2 },
    { paper: 'A5', bin: 'tray-1', media: 'stationery', duplex: 'short-edge', color: true, pages: '2' },
  ])('%j', (options) => {
    proves('ipp.options')
    const { attributes, warnings } = mapOptions(options, 1, queue)
    expect(warnings).toEqual([])
    const sent = Object.fromEntries(Object.entries(attributes).filter(([name]) => !ADDED.includes(name)))
    const read = toOptions(toPlain(sent), offer)
    expect(read.unsupported).toEqual({})
    const byDefault = toOptions(toPlain(mapOptions({}, 1, queue).attributes), offer).options
    expect(read).toEqual({ options: { ...byDefault, ...options }, qty: 1, unsupported: {} })
  })
})

describe('an attribute that a computer sends', () => {
  const read = (attributes: IppAttributes, printer = offer) => toOptions(attributes, printer)

  test('of every row has a meaning for its default and for each value that is offered', () => {
    for (const row of JOB_TEMPLATE) {
      const values = row.name === 'page-ranges' || row.name === 'media-col' ? [] : row.supported(offer)
      for (const value of [...values, row.default(offer)].filter(({ syntax }) => syntax !== 'noValue')) {
        const plain = toPlainValue(value)
        const one = value.syntax === 'rangeOfInteger' ? value.value.upper : plain
        expect(read({ [row.name]: [one as never] }).unsupported, row.name).toEqual({})
      }
    }
  })

  test('as more copies than the printer makes prints the job so often', () => {
    proves('ipp.copies')
    const single = createOffer(create(PrinterSchema, { capabilities: { ...LASER, copies: 1 } }), { os: 'linux' })
    expect(read({ copies: [3] }, single)).toMatchObject({ options: { copies: 1 }, qty: 3 })
    expect(read({ copies: [100] }, single)).toMatchObject({ qty: 100 })
    expect(read({ copies: [101] }, single).unsupported).toEqual({ copies: [{ syntax: 'integer', value: 101 }] })
    expect(read({ copies: [0] }, single).unsupported).toHaveProperty('copies')
  })

  test.each<[IppAttributes, IppTypedAttributes]>([
    [{ sides: ['tumble'] }, { sides: [{ syntax: 'keyword', value: 'tumble' }] }],
    [{ 'print-quality': [5] }, { 'print-quality': [{ syntax: 'enum', value: 5 }] }],
    [{ media: ['iso_a0_841x1189mm'] }, { media: [{ syntax: 'keyword', value: 'iso_a0_841x1189mm' }] }],
    [{ 'job-password': ['1234'] }, { 'job-password': { syntax: 'unsupported', value: null } }],
    [{ 'media-col': [{ 'media-source': ['tray-9'] }] }, { 'media-col': [{ syntax: 'unsupported', value: null }] }],
    [{ 'media-col': [{ 'media-tooth': ['fine'] }] }, { 'media-col': [{ syntax: 'unsupported', value: null }] }],
    [{ 'page-ranges': [{ lower: 3, upper: 2 }] }, { 'page-ranges': [{ syntax: 'unsupported', value: null }] }],
    [{ 'number-up': [3] }, { 'number-up': [{ syntax: 'integer', value: 3 }] }],
    [{ 'orientation-requested': [9] }, { 'orientation-requested': [{ syntax: 'enum', value: 9 }] }],
    [Object.fromEntries([['constructor', ['x']]]), Object.fromEntries([['constructor', UNSUPPORTED]])],
    [{ 'print-color-mode': ['toString'] }, { 'print-color-mode': [{ syntax: 'keyword', value: 'toString' }] }],
  ])('without a meaning is dropped: %j', (attributes, unsupported) => {
    proves('ipp.unsupported')
    expect(read(attributes)).toEqual({ options: {}, qty: 1, unsupported })
  })

  test('as a size finds the paper within half a millimetre, and names of Windows have keywords that are no numbers', () => {
    proves('ipp.media-source')
    const size = (x: number) => ({ 'media-col': [{ 'media-size': [{ 'x-dimension': [x], 'y-dimension': [29700] }] }] })
    expect(read(size(21050)).options).toEqual({ paper: 'A4' })
    expect(read(size(21051)).unsupported).toHaveProperty('media-col')
    const windows = createOffer(
      create(PrinterSchema, { capabilities: { ...LASER, bins: ['2', 'Tray 2 (manual)', 'Fach für A4'] } }),
      { os: 'windows' },
    )
    expect(windows.sources).toEqual([
      { name: '2', keyword: 'x-2' },
      { name: 'Tray 2 (manual)', keyword: 'tray-2-manual' },
      { name: 'Fach für A4', keyword: 'fach-f-r-a4' },
    ])
    // What Windows ignores is not offered.
    expect(windows).toMatchObject({ types: [], collate: false, nup: [1] })
  })
})

test('papers of any name have keywords of PWG 5101.1, and each keyword stands for one paper', () => {
  const { papers } = createOffer(
    create(PrinterSchema, {
      capabilities: {
        ...LASER,
        papers: [
          ...[
            { name: 'A4', width: 2100, height: 2970 },
            { name: '4x6in', width: 1016, height: 1524 },
          ],
          ...[
            { name: 'Größe XL!', width: 2105, height: 2970 },
            { name: '***', width: 500, height: 250 },
          ],
          { name: 'iso_a2_420x594mm', width: 4200, height: 5940 },
          { name: '2.25x1.25in', width: 572, height: 318 },
        ].map(({ name, width, height }) => ({ name, size: { width, height } })),
      },
    }),
    { os: 'linux' },
  )
  expect(papers.map(({ keyword }) => keyword)).toEqual([
    'iso_a4_210x297mm',
    'na_index-4x6_4x6in',
    'custom_gr-e-xl_210.5x297mm',
    'custom_paper_50x25mm',
    'iso_a2_420x594mm',
    'custom_2-25x1-25in_57.2x31.8mm',
  ])
})
