/** Windows' structures by koffi, which lies them out alike on each 64-bit computer. Sizes and places are those of the Windows SDK. */
import koffi from 'koffi'
import { expect, test } from 'vitest'
import { structures } from '../../spoolers/windows/structures.ts'

const types = structures(koffi)

test.each([
  ['PRINTER_INFO_2W', 136],
  ['JOB_INFO_2W', 160],
  ['DOC_INFO_1W', 24],
  ['DOCINFOW', 40],
] as const)('%s has %d bytes', (name, bytes) => {
  expect(koffi.sizeof(types[name])).toBe(bytes)
})

test.each([
  ['PRINTER_INFO_2W', 'pPrinterName', 8],
  ['PRINTER_INFO_2W', 'Attributes', 104],
  ['PRINTER_INFO_2W', 'Status', 124],
  ['JOB_INFO_2W', 'pDocument', 32],
  ['JOB_INFO_2W', 'pStatus', 88],
  ['JOB_INFO_2W', 'Status', 104],
  ['JOB_INFO_2W', 'Size', 128],
  ['JOB_INFO_2W', 'Submitted', 132],
] as const)('%s has its %s at byte %d', (name, member, at) => {
  expect(koffi.offsetof(types[name], member)).toBe(at)
})

/** A buffer as Windows fills it: structures first, and the texts that they point at behind them. */
function filled(bytes: number, texts: { at: number; text: string }[]) {
  const buffer = Buffer.alloc(bytes + texts.reduce((sum, { text }) => sum + (text.length + 1) * 2, 0))
  const address = BigInt(koffi.address(buffer))
  let free = bytes
  for (const { at, text } of texts) {
    buffer.writeBigUInt64LE(address + BigInt(free), at)
    free += buffer.write(`${text}\0`, free, 'utf16le')
  }
  return buffer
}

test('printers are read out of a buffer that points into itself', () => {
  const size = koffi.sizeof(types.PRINTER_INFO_2W)
  const buffer = filled(size * 2, [
    { at: 8, text: 'Büro 😀' },
    { at: 24, text: 'USB001' },
    { at: 32, text: 'Acme' },
    { at: size + 8, text: '\\\\server\\Labels' },
    { at: size + 32, text: 'Zebra' },
  ])
  buffer.writeUInt32LE(0x442, 104)
  buffer.writeUInt32LE(0x80, size + 124)
  expect(types.readPrinters(buffer, 2)).toEqual([
    { name: 'Büro 😀', port: 'USB001', driver: 'Acme', attributes: 0x442, status: 0 },
    {
      name: '\\\\server\\Labels',
      port: '',
      driver: 'Zebra',
      attributes: 0,
      status: 0x80,
    },
  ])
  expect(types.readPrinters(buffer, 0)).toEqual([])
})

test('jobs are read with their status, size and time', () => {
  const buffer = filled(koffi.sizeof(types.JOB_INFO_2W), [
    { at: 32, text: 'Label [token]' },
    { at: 88, text: 'Load A4' },
  ])
  buffer.writeUInt32LE(4_294_967_295, 0)
  buffer.writeUInt32LE(0x2080, 104)
  buffer.writeUInt32LE(25_000_000, 128)
  for (const [index, part] of [2026, 11, 6, 21, 22, 5, 7, 125].entries()) buffer.writeUInt16LE(part, 132 + index * 2)
  expect(types.readJobs(buffer, 1)).toEqual([
    {
      id: 4_294_967_295,
      document: 'Label [token]',
      status: 0x2080,
      statusText: 'Load A4',
      sizeBytes: 25_000_000,
      submittedAtMs: Date.UTC(2026, 10, 21, 22, 5, 7, 125),
    },
  ])
})
