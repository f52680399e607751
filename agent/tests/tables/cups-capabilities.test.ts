/** Recorded responses of CUPS and devices are converted to capabilities, papers and states of printers. */

import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { toMediaSizes } from '@platen/ipp/media-names.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { toCapabilities } from '../../spoolers/cups/capabilities.ts'
import { findCups } from '../../spoolers/cups/connect-cups.ts'
import { isConnecting, toPrinterState } from '../../spoolers/cups/printer-state.ts'
import { recordedPrinter } from '../cups/recorded.ts'

const LASER = recordedPrinter('cups-printers', 'A4_Laser')

describe('the capabilities', () => {
  test('of a driverless laser printer are those of the queue, and those of the device where CUPS loses values', () => {
    proves('printer.cups.bins', 'printer.cups.medias')
    expect(toCapabilities(LASER, recordedPrinter('laser-device'))).toEqual({
      papers: [
        { name: 'A4', size: { width: 2100, height: 2970 } },
        { name: 'A5', size: { width: 1480, height: 2100 } },
        { name: 'Envelope DL', size: { width: 1100, height: 2200 } },
        { name: 'Legal', size: { width: 2159, height: 3556 } },
        { name: 'Letter', size: { width: 2159, height: 2794 } },
      ],
      bins: ['auto', 'tray-1', 'tray-2', 'manual'],
      dpis: ['300x300', '600x600'],
      medias: ['auto', 'stationery', 'labels', 'envelope', 'cardstock'],
      extent: { min: { width: 762, height: 1270 }, max: { width: 2160, height: 3560 } },
      printrate: { rate: 38, unit: 'ppm' },
      duplex: true,
      color: false,
      collate: true,
      copies: 99,
      nup: [1, 2, 4, 6, 9, 16],
      supportsCustomPaperSize: true,
    })
  })

  test('of a device that does not answer are those of the queue without the speed', () => {
    expect(toCapabilities(LASER)).toMatchObject({ dpis: ['300x300'], printrate: undefined, copies: 9999 })
    const { printrate } = toCapabilities({ ...LASER, 'pages-per-minute': [24] })
    expect(printrate).toEqual({ rate: 24, unit: 'ppm' })
  })

  test('of a colour printer without duplex include colour only', () => {
    const queue = { 'color-supported': [true], 'sides-supported': ['one-sided'] }
    expect(toCapabilities(queue)).toMatchObject({ color: true, duplex: false })
  })

  test('of a raw queue are empty', () => {
    const none = { papers: [], bins: [], dpis: [], medias: [], duplex: false, color: false, collate: false }
    const raw = toCapabilities(recordedPrinter('cups-printers', 'Zpl_Raw'))
    expect(raw).toEqual({ ...none, copies: 1, nup: [1], supportsCustomPaperSize: false, formats: { names: ['raw'] } })
  })

  const range = (lower: number, upper: number) => [{ lower, upper }]
  const sheet = (x: IppAttributes[string], y: IppAttributes[string]) => ({ 'x-dimension': x, 'y-dimension': y })

  test.each([
    ['a range of sizes, rounded inwards', [sheet(range(1905, 10161), range(635, 100584))], [191, 64, 1016, 10058]],
    [
      'several ranges, sheets and rolls with a range of lengths',
      [sheet([8000], range(2500, 300000)), sheet(range(5000, 6000), range(3000, 4000)), sheet([21000], [29700])],
      [500, 250, 800, 30000],
    ],
  ])('include the extent of %s', (_, sizes, expected) => {
    const { min, max } = toCapabilities({ 'media-size-supported': sizes }).extent ?? {}
    expect([min?.width, min?.height, max?.width, max?.height]).toEqual(expected)
  })

  test('include resolutions per centimetre converted to dpi, without duplicates, and pages per sheet of a range', () => {
    const resolution = (unit: 'dpi' | 'dpcm', x: number, y = x) => ({ x, y, unit })
    const all = [
      resolution('dpcm', 118),
      resolution('dpi', 300),
      resolution('dpi', 600, 1200),
      resolution('dpi', 0),
      null,
    ]
    expect(toCapabilities({ 'printer-resolution-supported': all }).dpis).toEqual(['300x300', '600x1200'])
    expect(toCapabilities({ 'number-up-supported': range(1, 9) }).nup).toEqual([1, 2, 4, 6, 8, 9])
  })

  test('omit invalid values', () => {
    const papers = ['A4', 'custom_min_1x1mm', 'iso_a4_0x297mm', `iso_x_${'9'.repeat(300)}x1mm`, 'a\0_b_1x1mm']
    const invalid: IppAttributes = {
      'media-supported': [...papers, null, 7],
      'media-size-supported': [null, 'a4', sheet([null], range(1, 2)), {}],
      'media-source-supported': ['', 'tray-1\0', '\0tray-1', ...range(1, 2), 'tray-1', 'tray-1'],
      'copies-supported': [null, 0],
      'number-up-supported': ['many'],
      'pages-per-minute': [-3],
      'color-supported': ['yes'],
    }
    const read = toCapabilities(invalid, { 'pages-per-minute': [-3] })
    expect(read).toEqual({ ...toCapabilities({}), bins: ['tray-1'] })
    const none = { papers: [], bins: [], medias: [], copies: 1, nup: [1], color: false, extent: undefined }
    expect(toCapabilities({})).toMatchObject({ ...none, supportsCustomPaperSize: false })
  })

  test.each([500, 501])('of %d papers, bins and resolutions include 500 of each', (count) => {
    const all = Array.from({ length: count }, (_, n) => n + 1)
    const { papers, bins, dpis } = toCapabilities({
      'media-supported': all.map((n) => `custom_${n}_${n}x10mm`),
      'media-source-supported': all.map((n) => `tray-${n}`),
      'printer-resolution-supported': all.map((n) => ({ x: n, y: n, unit: 'dpi' })),
    })
    expect([papers, bins, dpis].map((list) => list?.length)).toEqual([500, 500, 500])
  })
})

describe('papers', () => {
  test('are named by their common name or size, each name once; other papers keep the name of CUPS', () => {
    const papers: [keyword: string, name: string, width: number, height: number][] = [
      ['iso_a4_210x297mm', 'A4', 2100, 2970],
      ['iso_a4_210x297mm.borderless', 'iso_a4_210x297mm.borderless', 2100, 2970],
      ['na_index-4x6_4x6in', '4x6in', 1016, 1524],
      ['na_number-10_4.125x9.5in', 'Envelope #10', 1048, 2413],
      ['om_small-photo_100x150mm', '100x150mm', 1000, 1500],
      ['custom_2x1in_2x1in', '2x1in', 508, 254],
      ['prc_10_324x458mm', 'prc_10_324x458mm', 3240, 4580],
    ]
    const keywords = [...papers.map(([keyword]) => keyword), 'oe_2x1-label_2x1in', 'iso_a4_210x297mm']
    const expected = papers.map(([, name, width, height]) => ({ name, width, height }))
    expect(toMediaSizes({ 'media-supported': keywords })).toEqual(expected)
  })

  test('a roll has no height', () => {
    const [roll, ...others] = toMediaSizes({ 'media-supported': ['roll_80mm_80x0mm', 'roll_max_4x39.6in'] })
    expect([roll, others]).toEqual([{ name: 'roll_80mm_80x0mm', width: 800, height: undefined }, []])
  })
})

describe('the state', () => {
  const troubled = (name: string) => recordedPrinter('cups-troubled', name)
  const laser = (reasons: string[], message?: string): IppAttributes => ({
    ...LASER,
    'printer-state-reasons': reasons,
    ...(message && { 'printer-state-message': [message] }),
  })
  const OVERHEATED = 'fuser-over-temp-error'

  const STOPPED = ['paused', 'printer-stopped']

  test.each<[string, IppAttributes, state: string, stateDetail: string, stateReasons: string[]]>([
    ['an idle queue', LASER, 'online', '', []],
    ['a queue without paper', troubled('A4_Laser'), 'online', 'The printer is out of paper.', ['media-empty']],
    [
      'an open cover',
      laser(['cover-open-error'], 'Printing.'),
      'online',
      'A cover of the printer is open.',
      ['cover-open'],
    ],
    ['a stopped queue', troubled('Null_Raw'), 'offline', 'The printer is stopped: Service.', STOPPED],
    ['a rejecting queue', troubled('Receipt_Raw'), 'offline', 'The printer does not accept jobs.', ['printer-stopped']],
    ['a device that is off', laser(['offline-report']), 'offline', 'The printer is offline.', ['offline']],
    [
      'several reasons',
      laser([OVERHEATED, 'media-jam-error', 'media-jam-warning']),
      'online',
      'Paper is jammed in the printer.',
      ['fuser-over-temp', 'media-jam'],
    ],
    ['a reason without a sentence', laser([OVERHEATED]), 'online', 'fuser-over-temp', ['fuser-over-temp']],
    [
      'a reason with a message of the printer',
      laser([OVERHEATED], 'Too\0hot'),
      'online',
      'Too hot',
      ['fuser-over-temp'],
    ],
  ])('of %s', (_, queue, state, stateDetail, stateReasons) => {
    proves('printer.open-cover', 'state-reason.cover-open')
    expect(toPrinterState(queue, false)).toEqual({ state, stateDetail, stateReasons })
  })

  test('of a device that CUPS cannot reach is offline only after a time', () => {
    for (const queue of [troubled('SockDown'), laser(['connecting-to-device'])]) {
      expect(isConnecting(queue)).toBe(true)
      expect(toPrinterState(queue, false)).toEqual({ state: 'online', stateDetail: '', stateReasons: [] })
      const stateDetail = 'The printer cannot be reached.'
      const stateReasons = ['connecting-to-device']
      expect(toPrinterState(queue, true)).toEqual({ state: 'offline', stateDetail, stateReasons })
    }
    expect([LASER, troubled('A4_Laser'), troubled('Null_Raw')].map(isConnecting)).toEqual([false, false, false])
  })
})

describe('findCups', () => {
  const none = () => false

  test.each([
    ['print.example', { url: 'ipp://print.example:631/' }],
    ['127.0.0.1:6631', { url: 'ipp://127.0.0.1:6631/' }],
    ['print.example:80/version=1.1', { url: 'ipp://print.example:80/' }],
    ['[::1]:6631', { url: 'ipp://[::1]:6631/' }],
    ['/tmp/cups.sock', { url: 'ipp://localhost/', socketPath: '/tmp/cups.sock' }],
    ['', { url: 'ipp://localhost:631/' }],
  ])('uses CUPS_SERVER %j', (server, found) => {
    expect(findCups(server, none)).toEqual(found)
  })

  test.each(['/run/cups/cups.sock', '/private/var/run/cupsd'])('uses the socket %s without CUPS_SERVER', (existing) => {
    expect(findCups('', (path) => path === existing).socketPath).toBe(existing)
  })

  test('rejects an invalid CUPS_SERVER', () => {
    for (const server of ['http://host', 'host/path', 'a b', 'user@host', 'host:port'])
      expect(() => findCups(server, none), server).toThrow('It must be `host`')
  })
})
