import { expect, test } from 'vitest'
import { toBitmap } from '../../spoolers/raster/bitmap.ts'
import { computeCrc } from '../../spoolers/raster/encode-zpl.ts'
import {
  explainNotAsked,
  parseRasterConfig,
  recognizeModel,
  recognizeRaster,
  resolveRaster,
} from '../../spoolers/raster/raster-printer.ts'

function findFaults(value: unknown): string[] {
  const faults: string[] = []
  parseRasterConfig(value, faults)
  return faults
}

test.each([
  [undefined],
  [{}],
  [{ Zebra: false }],
  [{ Zebra: { rawLanguage: 'zpl', dpi: 100, width: 64 }, Epson: { rawLanguage: 'escpos', dpi: 600, width: 4800 } }],
  [{ Star: { rawLanguage: 'star', deviceWord: false }, Sato: { rawLanguage: 'sbpl' } }],
])('`rasterize` can be %j', (value) => {
  expect(findFaults(value)).toEqual([])
})

test.each([
  [[], 'must have the form'],
  [{ Zebra: true }, '"rasterize.Zebra": must be an object with "rawLanguage", or false'],
  [{ Zebra: { rawLanguage: 'epl' } }, '"rawLanguage" must be one of "zpl", "escpos", "star", "sbpl", "pjl"'],
  [{ Zebra: { dpi: 99 } }, '"dpi" must be an integer from 100 to 600'],
  [{ Zebra: { dpi: 601 } }, '"dpi" must be'],
  [{ Zebra: { width: 63 } }, '"width" must be a number of dots from 64 to 4800'],
  [{ Zebra: { width: 4801 } }, '"width" must be'],
  [{ Zebra: { width: '812' } }, '"width" must be'],
  [{ Zebra: { language: 'zpl' } }, 'unknown field "language"'],
])('`rasterize` cannot be %j', (value, message) => {
  expect(findFaults(value)).toEqual([expect.stringContaining(message)])
})

test.each([
  ['usb://Zebra%20Technologies/ZTC%20ZD420-203dpi%20ZPL?serial=1', { rawLanguage: 'zpl', dpi: 203 }],
  ['usb://Zebra%20Technologies/ZTC%20ZT410-300dpi%20ZPL?serial=1', { rawLanguage: 'zpl', dpi: 300 }],
  ['usb://Zebra%20Technologies/ZTC%20GK420d%20(ZPL)', { rawLanguage: 'zpl' }],
  ['usb://Zebra%20Technologies/ZTC%20GK420d%20(EPL)', undefined],
  ['usb://EPSON/TM-T20III?serial=1', { rawLanguage: 'escpos', dpi: 203, width: 576 }],
  ['usb://EPSON/TM-T88V?serial=1', { rawLanguage: 'escpos', dpi: 180, width: 512 }],
  ['usb://EPSON/TM-U220?serial=1', undefined],
  ['usb://EPSON/WF-2010?serial=1', undefined],
  ['socket://192.168.0.9:9100', undefined],
  ['usb://%E0%A4%A', undefined],
])('the model of %s is recognized', (uri, expected) => {
  expect(recognizeRaster(uri)).toEqual(expected)
})

test.each([
  ['ZTC ZD420-203dpi ZPL', { rawLanguage: 'zpl', dpi: 203 }],
  ['EPSON TM-m30II', { rawLanguage: 'escpos', dpi: 203, width: 576 }],
  ['Star TSP654', { rawLanguage: 'star' }],
  ['Star mC-Print3', { rawLanguage: 'star' }],
  ['Star TSP143IIILAN', undefined],
  ['SATO CL4NX', { rawLanguage: 'sbpl' }],
  ['EPSON ET-2850 Series', undefined],
  ['ZD420', undefined],
  ['', undefined],
])('the announced model "%s" is recognized', (model, expected) => {
  expect(recognizeModel(model)).toEqual(expected)
})

test('the configuration has precedence over the model, and the rest has defaults', () => {
  const zebra = { rawLanguage: 'zpl', dpi: 300 } as const
  expect(resolveRaster(undefined, zebra)).toEqual({ rawLanguage: 'zpl', dpi: 300, width: 1200 })
  expect(resolveRaster({ width: 600 }, zebra)).toEqual({ rawLanguage: 'zpl', dpi: 300, width: 600 })
  expect(resolveRaster({ rawLanguage: 'escpos' }, undefined)).toEqual({ rawLanguage: 'escpos', dpi: 203, width: 576 })
  expect(resolveRaster(false, zebra)).toBeUndefined()
  expect(resolveRaster({ width: 600 }, undefined)).toBeUndefined()
  expect(resolveRaster({ rawLanguage: 'star' }, zebra)).toBeUndefined()
})

test('the checksum of Z64 is CRC-16/XMODEM', () => {
  expect(computeCrc('123456789')).toBe(0x31c3)
})

test('dots are bits from the left, black from a threshold on, and white rows at the end are omitted', () => {
  const gray = Uint8Array.from([0, 159, 160, 255, 255, 255, 255, 255, 0, ...Array(9).fill(255), ...Array(9).fill(255)])
  const { height, bytesPerRow, dots } = toBitmap(gray, 9, 3, [])
  expect([height, bytesPerRow, [...dots]]).toEqual([1, 2, [0b1100_0000, 0b1000_0000]])
})

test.each([
  [{ rawLanguage: 'zpl', deviceWord: false } as const, '"deviceWord" is false in its entry of "rasterize"'],
  [false as const, 'its entry of "rasterize" in agent.json names no language'],
  [{ dpi: 300 }, 'its entry of "rasterize" in agent.json names no language'],
])('a printer with the entry %j is not asked because of it, which the dashboard cannot change', (entry, cause) => {
  expect(explainNotAsked('Till', { Till: entry })).toContain(cause)
})
