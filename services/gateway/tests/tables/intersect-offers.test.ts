/** What all printers of a destination offer: `gateway/ipp/intersect-offers.ts`. */
import { create, type JsonObject } from '@bufbuild/protobuf'
import { PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { intersectOffers } from '../../ipp/intersect-offers.ts'
import { createOffer, type Offer } from '../../ipp/offer.ts'
import { LASER } from '../ipp-client.ts'

interface Facts {
  capabilities?: object
  defaultOptions?: JsonObject
}

const toOffer = ({ capabilities, ...facts }: Facts = {}) =>
  createOffer(create(PrinterSchema, { ...facts, capabilities: { ...LASER, ...capabilities, extent: undefined } }), {
    os: 'linux',
  })

const laser = toOffer()
const names = (choices: { name: string }[]) => choices.map(({ name }) => name)
const size = (width: number, height: number) => ({ size: { width, height } })

test('one printer, and equal ones, offer what the printer offers', () => {
  expect(intersectOffers([laser])).toEqual(laser)
  expect(intersectOffers([laser, toOffer(), toOffer()])).toEqual(laser)
})

describe('a destination offers', () => {
  test.each<[what: string, other: Facts, expected: Partial<Offer>]>([
    ['the trays of all', { capabilities: { bins: ['tray-1', 'tray-9'] } }, { sources: laser.sources.slice(0, 1) }],
    ['no kind of paper that one lacks', { capabilities: { medias: [] } }, { types: [] }],
    ['the resolutions of all', { capabilities: { dpis: ['600x600'] } }, { resolutions: laser.resolutions.slice(1) }],
    [
      'the usual resolution without one of all',
      { capabilities: { dpis: ['203x203'] } },
      { resolutions: [{ x: 300, y: 300, dpi: undefined }] },
    ],
    ['duplex if all have it', { capabilities: { duplex: false } }, { duplex: false }],
    ['colour if all have it', { capabilities: { color: false } }, { color: false }],
    ['collation if all have it', { capabilities: { collate: false } }, { collate: false }],
    ['the copies that each makes', { capabilities: { copies: 5 } }, { copies: 5, copiesMax: laser.copiesMax }],
    ['the layouts of all', { capabilities: { nup: [1, 2] } }, { nup: [1, 2] }],
    ['one page a sheet without a layout of all', { capabilities: { nup: [9] } }, { nup: [1] }],
    ['the slowest speed', { capabilities: { printrate: { rate: 8, unit: 'ppm' } } }, { ppm: 8 }],
    [
      'raw data if all take them',
      { capabilities: { formats: { names: ['pdf'] } } },
      { raw: false, formats: laser.formats },
    ],
    [
      'no format that one does not take',
      { capabilities: { formats: { names: ['raw'] } } },
      { raw: true, formats: ['application/octet-stream'] },
    ],
    [
      'the defaults that all have',
      { defaultOptions: { duplex: 'long-edge', color: true } },
      { defaults: { color: true } },
    ],
  ])('%s', (_, other, expected) => {
    proves('ipp.destination.offer')
    const first = toOffer({ defaultOptions: { duplex: 'short-edge', color: true } })
    for (const offers of [
      [first, toOffer(other)],
      [toOffer(other), first],
    ])
      expect(intersectOffers(offers)).toMatchObject(expected)
  })

  test('the papers that all have by size and name, and a default of them', () => {
    const others = (papers: object[], facts: Facts = {}) => toOffer({ ...facts, capabilities: { papers } })
    const roll = others([
      { name: 'Letter', ...size(2159, 2794) },
      { name: 'A5', ...size(1480, 2100) },
      { name: 'Letterhead', ...size(2100, 2970) },
    ])
    const found = intersectOffers([laser, roll])
    // The option of a job is one name, so the second A4 is another paper.
    expect(names(found.papers)).toEqual(['A5', 'Letter'])
    expect(found.defaultPaper?.name).toBe('Letter')
    const onA5 = { defaultOptions: { paper: 'A5' } }
    expect(intersectOffers([toOffer(onA5), toOffer(onA5)]).defaultPaper?.name).toBe('A5')
    expect(intersectOffers([toOffer(onA5), laser]).defaultPaper?.name).toBe('A4')
    expect(intersectOffers([laser, others([])])).toMatchObject({ papers: [], defaultPaper: undefined })
  })

  test('the largest margin', () => {
    const margins = intersectOffers([{ ...laser, margin: 0 }, laser]).margin
    expect(margins).toBe(laser.margin)
  })
})
