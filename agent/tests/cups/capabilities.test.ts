/** Pure: what CUPS and devices said, as it was recorded, in the words of the specification. */
import { describe, expect, test } from 'vitest'
import type { IppAttributes } from '../../ipp/attributes.ts'
import { capabilitiesOf } from '../../spoolers/cups/capabilities.ts'
import { findCups } from '../../spoolers/cups/connect-cups.ts'
import { mediaSizes } from '../../spoolers/cups/media-names.ts'
import { isConnecting, printerState } from '../../spoolers/cups/printer-state.ts'
import { recordedPrinter } from './recorded.ts'

const LASER = recordedPrinter('cups-printers', 'A4_Laser')
const LABEL = recordedPrinter('cups-printers', 'Label_4x6')

describe('capabilities', () => {
  test('of a driverless laser: the queue, and where that is lossy the device', () => {
    expect(capabilitiesOf(LASER, recordedPrinter('laser-device'))).toEqual({
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

  test('of a device that could not be asked: what CUPS knows, and no speed, since CUPS says 1 of all', () => {
    expect(capabilitiesOf(LASER)).toMatchObject({ dpis: ['300x300'], printrate: undefined, copies: 9999 })
    expect(capabilitiesOf({ ...LASER, 'pages-per-minute': [24] })).toMatchObject({
      printrate: { rate: 24, unit: 'ppm' },
    })
  })

  test('of a label printer: its papers by their sizes where people have no name', () => {
    expect(capabilitiesOf(LABEL, recordedPrinter('label-device'))).toMatchObject({
      papers: expect.arrayContaining([
        { name: '4x6in', size: { width: 1016, height: 1524 } },
        { name: '2x1in', size: { width: 508, height: 254 } },
      ]),
      dpis: ['203x203'],
      duplex: false,
      copies: 999,
      supportsCustomPaperSize: true,
    })
  })

  test('of a raw queue: none, since nothing in it heeds an option', () => {
    expect(capabilitiesOf(recordedPrinter('cups-printers', 'Zpl_Raw'))).toEqual({
      papers: [],
      bins: [],
      dpis: [],
      medias: [],
      duplex: false,
      color: false,
      collate: false,
      copies: 1,
      nup: [1],
      supportsCustomPaperSize: false,
    })
  })

  test('a range is rounded inwards, so that both of its ends are sizes that the printer takes', () => {
    const sizes = [{ 'x-dimension': [{ lower: 1905, upper: 10161 }], 'y-dimension': [{ lower: 635, upper: 100584 }] }]
    expect(capabilitiesOf({ 'media-size-supported': sizes }).extent).toEqual({
      min: { width: 191, height: 64 },
      max: { width: 1016, height: 10058 },
    })
  })

  test('several ranges reach from the smallest to the largest, a roll has a width and a range of lengths', () => {
    const sizes = [
      { 'x-dimension': [8000], 'y-dimension': [{ lower: 2500, upper: 300000 }] },
      { 'x-dimension': [{ lower: 5000, upper: 6000 }], 'y-dimension': [{ lower: 3000, upper: 4000 }] },
      { 'x-dimension': [21000], 'y-dimension': [29700] },
    ]
    expect(capabilitiesOf({ 'media-size-supported': sizes }).extent).toEqual({
      min: { width: 500, height: 250 },
      max: { width: 800, height: 30000 },
    })
  })

  test('resolutions per centimetre are said per inch, each once', () => {
    const resolutions = [
      { x: 118, y: 118, unit: 'dpcm' } as const,
      { x: 300, y: 300, unit: 'dpi' } as const,
      { x: 600, y: 1200, unit: 'dpi' } as const,
      { x: 0, y: 0, unit: 'dpi' } as const,
      null,
    ]
    expect(capabilitiesOf({ 'printer-resolution-supported': resolutions }).dpis).toEqual(['300x300', '600x1200'])
  })

  test('pages per sheet may be a range', () => {
    expect(capabilitiesOf({ 'number-up-supported': [{ lower: 1, upper: 9 }] }).nup).toEqual([1, 2, 4, 6, 8, 9])
  })

  test('what a printer says that makes no sense is left out', () => {
    const nonsense: IppAttributes = {
      'media-supported': [
        'A4',
        'custom_min_1x1mm',
        'iso_a4_0x297mm',
        `iso_x_${'9'.repeat(300)}x1mm`,
        'a\0_b_1x1mm',
        null,
        7,
      ],
      'media-size-supported': [null, 'a4', { 'x-dimension': [null], 'y-dimension': [{ lower: 1, upper: 2 }] }, {}],
      'media-source-supported': ['', 'tray-1\0', { lower: 1, upper: 2 }, 'tray-1', 'tray-1'],
      'copies-supported': [null],
      'number-up-supported': ['many'],
      'pages-per-minute': [-3],
      'color-supported': ['yes'],
    }
    expect(capabilitiesOf(nonsense, { 'pages-per-minute': [-3] })).toEqual({
      ...capabilitiesOf({}),
      bins: ['tray-1'],
    })
    expect(capabilitiesOf({})).toMatchObject({ papers: [], copies: 1, nup: [1], color: false, extent: undefined })
  })

  test('500 papers are reported and no more', () => {
    const media = (count: number) => Array.from({ length: count }, (_, n) => `custom_${n}_${n + 1}x10mm`)
    expect(capabilitiesOf({ 'media-supported': media(500) }).papers).toHaveLength(500)
    expect(capabilitiesOf({ 'media-supported': media(501) }).papers).toHaveLength(500)
  })
})

describe('papers', () => {
  test('are called as people call them or by their size, each name once, all else as CUPS does', () => {
    const keywords = [
      'iso_a4_210x297mm',
      'iso_a4_210x297mm.borderless',
      'na_index-4x6_4x6in',
      'na_number-10_4.125x9.5in',
      'om_small-photo_100x150mm',
      'custom_2x1in_2x1in',
      'oe_2x1-label_2x1in',
      'prc_10_324x458mm',
      'iso_a4_210x297mm',
    ]
    expect(mediaSizes({ 'media-supported': keywords })).toEqual([
      { name: 'A4', width: 2100, height: 2970 },
      { name: 'iso_a4_210x297mm.borderless', width: 2100, height: 2970 },
      { name: '4x6in', width: 1016, height: 1524 },
      { name: 'Envelope #10', width: 1048, height: 2413 },
      { name: '100x150mm', width: 1000, height: 1500 },
      { name: '2x1in', width: 508, height: 254 },
      { name: 'prc_10_324x458mm', width: 3240, height: 4580 },
    ])
  })

  test('a roll has no height', () => {
    expect(mediaSizes({ 'media-supported': ['roll_80mm_80x0mm', 'roll_max_4x39.6in'] })).toEqual([
      { name: 'roll_80mm_80x0mm', width: 800, height: undefined },
    ])
  })
})

describe('states', () => {
  const troubled = (name: string) => recordedPrinter('cups-troubled', name)

  test('an idle queue is online and nothing is the matter', () => {
    expect(printerState(LASER, false)).toEqual({ state: 'online', stateDetail: '', stateReasons: [] })
  })

  test('without paper it is online, and says so without what CUPS notes for itself', () => {
    expect(printerState(troubled('A4_Laser'), false)).toEqual({
      state: 'online',
      stateDetail: 'The printer is out of paper.',
      stateReasons: ['media-empty'],
    })
  })

  test('with an open cover it is online and says so', () => {
    const queue = { ...LASER, 'printer-state-reasons': ['cover-open-error'], 'printer-state-message': ['Printing.'] }
    expect(printerState(queue, false)).toEqual({
      state: 'online',
      stateDetail: 'A cover of the printer is open.',
      stateReasons: ['cover-open'],
    })
  })

  test('stopped, it is offline and says why somebody stopped it', () => {
    expect(printerState(troubled('Null_Raw'), false)).toEqual({
      state: 'offline',
      stateDetail: 'The printer is stopped: Service',
      stateReasons: ['paused', 'printer-stopped'],
    })
  })

  test('rejecting, it is offline though CUPS gives no reason', () => {
    expect(printerState(troubled('Receipt_Raw'), false)).toEqual({
      state: 'offline',
      stateDetail: 'The printer does not accept jobs.',
      stateReasons: ['printer-stopped'],
    })
  })

  test('a device that CUPS tries to reach is offline when that lasts', () => {
    for (const queue of [troubled('SockDown'), { ...LASER, 'printer-state-reasons': ['connecting-to-device'] }]) {
      expect(isConnecting(queue)).toBe(true)
      expect(printerState(queue, false)).toEqual({ state: 'online', stateDetail: '', stateReasons: [] })
      expect(printerState(queue, true)).toEqual({
        state: 'offline',
        stateDetail: 'The printer cannot be reached.',
        stateReasons: ['connecting-to-device'],
      })
    }
    expect([LASER, troubled('A4_Laser'), troubled('Null_Raw')].map(isConnecting)).toEqual([false, false, false])
  })

  test('a device that says that it is off is offline at once', () => {
    const queue = { ...LASER, 'printer-state-reasons': ['offline-report'] }
    expect(printerState(queue, false)).toMatchObject({ state: 'offline', stateReasons: ['offline'] })
  })

  test('reasons that have no sentence are told in the words of the printer, or as they are', () => {
    const queue = {
      ...LASER,
      'printer-state-reasons': ['fuser-over-temp-error', 'media-jam-error', 'media-jam-warning'],
    }
    expect(printerState(queue, false)).toMatchObject({
      stateReasons: ['fuser-over-temp', 'media-jam'],
      stateDetail: 'Paper is jammed in the printer.',
    })
    const unknown = { ...LASER, 'printer-state-reasons': ['fuser-over-temp-error'] }
    expect(printerState(unknown, false).stateDetail).toBe('fuser-over-temp')
    expect(printerState({ ...unknown, 'printer-state-message': ['Too\0hot'] }, false).stateDetail).toBe('Too hot')
  })
})

describe('CUPS is found', () => {
  const none = () => false

  test('at CUPS_SERVER: a host, a host with a port, a socket', () => {
    const found = (server: string) => findCups(server, none)
    expect(found('print.example')).toEqual({ url: 'ipp://print.example:631/' })
    expect(found('127.0.0.1:6631')).toEqual({ url: 'ipp://127.0.0.1:6631/' })
    expect(found('print.example:80/version=1.1')).toEqual({ url: 'ipp://print.example:80/' })
    expect(found('[::1]:6631')).toEqual({ url: 'ipp://[::1]:6631/' })
    expect(found('/tmp/cups.sock')).toEqual({ url: 'ipp://localhost/', socketPath: '/tmp/cups.sock' })
  })

  test('without it at the socket that is there, else at port 631', () => {
    const only = (there: string) => findCups('', (path) => path === there)
    expect(only('/run/cups/cups.sock').socketPath).toBe('/run/cups/cups.sock')
    expect(only('/private/var/run/cupsd').socketPath).toBe('/private/var/run/cupsd')
    expect(findCups('', none)).toEqual({ url: 'ipp://localhost:631/' })
  })

  test('a CUPS_SERVER that is none is said', () => {
    for (const server of ['http://host', 'host/path', 'a b', 'user@host', 'host:port'])
      expect(() => findCups(server, none), server).toThrow('CUPS_SERVER has to be')
  })
})
