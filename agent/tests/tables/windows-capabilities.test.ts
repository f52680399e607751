import { create } from '@bufbuild/protobuf'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { expect, test } from 'vitest'
import { DC, readOffer } from '../../spoolers/windows/device-capabilities.ts'
import { toPrinterState } from '../../spoolers/windows/printer-status.ts'
import { createPrinters } from '../../spoolers/windows/printers.ts'
import type { Winspool } from '../../spoolers/windows/winspool.ts'
import { type DriverAnswers, extent, LASER, longs, RECORDED, texts, words } from '../windows/driver-answers.ts'
import { createFakeWinspool } from '../windows/fake-winspool.ts'

const readDriver = (answers: DriverAnswers, changes: Partial<Winspool> = {}) =>
  readOffer({ ...createFakeWinspool({ answers }).winspool, ...changes }, { name: 'Office', port: 'IP_10.0.0.7' })
const readCapabilities = async (answers: DriverAnswers) => (await readDriver(answers)).capabilities

test('the answers of a driver are converted to the capabilities of the printer', async () => {
  const { capabilities, paperIds, binIds } = await readDriver(LASER)
  expect(capabilities).toEqual({
    papers: [
      { name: 'A4', size: { width: 2100, height: 2970 } },
      { name: 'A5', size: { width: 1480, height: 2100 } },
      { name: 'Letter', size: { width: 2159, height: 2794 } },
    ],
    bins: ['Automatic', 'Tray 1', 'Tray 2'],
    dpis: ['300x300', '600x600'],
    medias: ['Plain', 'Labels'],
    extent: { min: { width: 762, height: 1270 }, max: { width: 2160, height: 3560 } },
    printrate: { rate: 38, unit: 'ppm' },
    duplex: true,
    color: false,
    collate: true,
    copies: 999,
    nup: [1, 2, 4],
    supportsCustomPaperSize: true,
    formats: { names: ['pdf', 'raw'] },
  })
  expect(Object.fromEntries(paperIds)).toEqual({ A4: 9, A5: 11, Letter: 1 })
  expect(Object.fromEntries(binIds)).toEqual({ Automatic: 15, 'Tray 1': 257, 'Tray 2': 258 })
})

test('a driver without capabilities (-1 for all) is a printer with one copy and one page per sheet', async () => {
  const none = { papers: [], bins: [], dpis: [], medias: [], extent: undefined, printrate: undefined }
  const off = {
    duplex: false,
    color: false,
    collate: false,
    supportsCustomPaperSize: false,
    formats: { names: ['pdf', 'raw'] },
  }
  expect(await readCapabilities({})).toEqual({ ...none, ...off, copies: 1, nup: [1] })
})

/** The papers of a driver with these names, sizes and ids. */
const readPapers = async (names: string[], sizes: number[], ...ids: number[]) => {
  const lists = { [DC.PAPERNAMES]: texts(names, 64), [DC.PAPERSIZE]: longs(sizes, 2), [DC.PAPERS]: words(...ids) }
  const { capabilities, paperIds } = await readDriver(lists)
  return { papers: capabilities.papers, ids: [...paperIds], names: capabilities.papers?.map(({ name }) => name) }
}

test('a name of the full length has no NUL; unpaired surrogates, control characters and surrounding spaces are removed', async () => {
  const full = 'x'.repeat(64)
  const truncated = `${'y'.repeat(63)}😀`
  const complete = `${'z'.repeat(62)}😀`
  expect((await readPapers([full, truncated, complete], [1, 1, 2, 2, 3, 3])).names).toEqual([
    full,
    'y'.repeat(63),
    complete,
  ])
  const { bins } = await readCapabilities({ [DC.BINNAMES]: texts(['Tray 1\0random', ' Tray\u0007 2 ', '\0\0'], 24) })
  expect(bins).toEqual(['Tray 1', 'Tray 2'])
})

test.each([0, -1, 32_766, 32_767, 100_000])('a paper of length %d is a roll unless it is 32,766', async (length) => {
  const size = { width: 800, height: length === 32_766 ? length : undefined }
  expect((await readPapers(['Roll'], [800, length])).papers).toEqual([{ name: 'Roll', size }])
})

test('entries without a counterpart in a shorter list and duplicate names are omitted', async () => {
  const shorter = await readPapers(['A4', 'A5', 'B5'], [2100, 2970, 1480, 2100], 9)
  expect(shorter).toMatchObject({ names: ['A4', 'A5'], ids: [['A4', 9]] })
  const twice = await readPapers(['A4', 'A4'], [2100, 2970, 1, 1], 9, 10)
  expect(twice).toMatchObject({ papers: [{ name: 'A4', size: { width: 2100 } }], ids: [['A4', 9]] })
})

test('a list that is shorter at the second call has the second length', async () => {
  const { deviceCapabilities } = createFakeWinspool().winspool
  const { capabilities } = await readDriver(LASER, {
    async deviceCapabilities(printer, capability, output) {
      const count = await deviceCapabilities(printer, capability, output)
      return capability === DC.BINNAMES && output ? 1 : count
    },
  })
  expect(capabilities.bins).toEqual(['Automatic'])
})

test.each([
  [4096, 4096],
  [4097, 0],
])('of a list of %d resolutions %d are used', async (count, used) => {
  const numbers = Array.from({ length: count * 2 }, (_, index) => Math.floor(index / 2) + 1)
  expect((await readCapabilities({ [DC.ENUMRESOLUTIONS]: longs(numbers, 2) })).dpis).toHaveLength(used)
})

const rate = (unit: number) => ({ [DC.PRINTRATE]: 20, [DC.PRINTRATEUNIT]: unit })

test.each([
  [rate(1), '20 ppm'],
  [rate(2), '20 cps'],
  [rate(3), '20 lpm'],
  [rate(4), '20 ipm'],
  [{ [DC.PRINTRATE]: 500 }, undefined],
  [{ [DC.PRINTRATE]: 500, [DC.PRINTRATEPPM]: 22 }, '22 ppm'],
])('the print rate of %j is %s', async (answers, expected) => {
  const { printrate } = await readCapabilities(answers)
  expect(printrate && `${printrate.rate} ${printrate.unit}`).toBe(expected)
})

test('invalid answers of a driver are converted to valid capabilities; a length above 32,767 is positive', async () => {
  const resolutions = longs([0, 600, -1, 600, 600, 600], 2)
  const invalid = { [DC.COPIES]: -7, [DC.NUP]: longs([0, -1, 2, 2]), [DC.ENUMRESOLUTIONS]: resolutions }
  const capabilities = await readCapabilities({ ...invalid, [DC.MINEXTENT]: 0, [DC.MAXEXTENT]: -1 })
  expect(create(PrinterCapabilitiesSchema, capabilities)).toMatchObject({ copies: 1, nup: [2], dpis: ['600x600'] })
  const long = { [DC.MINEXTENT]: extent(100, 100), [DC.MAXEXTENT]: extent(1000, 40_000) }
  expect((await readCapabilities(long)).extent?.max).toEqual({ width: 1000, height: 40_000 })
})

test.each([
  ['no status', 0, 0, 'online', '', []],
  ['busy, printing, warming up', 0x200 | 0x400 | 0x10000, 0, 'online', '', []],
  ['paused', 0x1, 0, 'offline', 'Paused', ['printer-stopped', 'paused']],
  ['offline', 0x80, 0, 'offline', 'Offline', ['offline']],
  ['not available', 0x1000, 0, 'offline', 'Not available', ['offline']],
  ['print server offline', 0x2000000, 0, 'offline', 'Print server offline', ['offline']],
  ['set to offline', 0, 0x400, 'offline', 'Set to "Use printer offline"', ['offline']],
  ['out of paper', 0x10, 0, 'online', 'Out of paper', ['media-empty']],
  ['door open and jam', 0x400000 | 0x8, 0, 'online', 'Paper jam. Door open', ['media-jam', 'cover-open']],
  ['toner low', 0x20000, 0, 'online', 'Toner low', ['toner-low']],
  ['two problems', 0x20 | 0x40, 0, 'online', 'Waiting for manually fed paper. Paper problem', ['media-needed']],
  ['no spooling', 0, 0x2, 'offline', expect.stringContaining('enable spooling'), ['spooling-disabled']],
] as const)(
  'a printer with the status %s is reported with state, text and keywords',
  (_, status, attributes, state, stateDetail, stateReasons) => {
    expect(toPrinterState({ status, attributes })).toEqual({ state, stateDetail, stateReasons })
  },
)

test('printers are reported by name, except for ports that need a user or print nothing', async () => {
  const ports = ['PORTPROMPT:', 'FILE:', 'SHRFAX:', 'nul:'].map((port) => ({ name: port, port }))
  const reported = [{ name: 'A', driver: 'Zebra ZD420' }, { name: '\\\\server\\B' }]
  expect(
    await createPrinters(createFakeWinspool({ printers: [...reported, ...ports] }).winspool).report(),
  ).toMatchObject([
    { osName: 'A', name: 'A', description: 'Zebra ZD420', isDefault: true, capabilities: { copies: 999 } },
    { osName: '\\\\server\\B', description: 'Acme Laser', isDefault: false },
  ])
})

test('a driver is queried once a minute, and immediately after it was replaced', async () => {
  const { winspool, printers } = createFakeWinspool()
  let queries = 0
  const deviceCapabilities: Winspool['deviceCapabilities'] = (printer, capability, output) => {
    if (capability === DC.COPIES) queries++
    return winspool.deviceCapabilities(printer, capability, output)
  }
  let nowMs = 0
  const { report } = createPrinters({ ...winspool, deviceCapabilities }, () => nowMs)
  for (const [atMs, count, driver] of [
    [0, 1, 'Acme Laser'],
    [59_999, 1, 'Acme Laser'],
    [60_000, 2, 'Acme Laser'],
    [60_000, 3, 'Acme Laser v2'],
  ] as const) {
    nowMs = atMs
    for (const printer of printers) printer.driver = driver
    await report()
    expect(queries).toBe(count)
  }
})

test('the recorded answers of a driver are read', async () => {
  const { capabilities, paperIds, binIds } = await readDriver(RECORDED)
  expect(capabilities.papers?.map(({ name }) => name)).toEqual(['A4', 'A5', 'EnvDL', 'Legal', 'Letter'])
  expect(capabilities).toMatchObject({
    bins: ['Automatically Select', 'Auto', 'Tray1', 'Tray2', 'Manual'],
    extent: { min: { width: 1100, height: 2100 }, max: { width: 2159, height: 3556 } },
    ...{ printrate: undefined, duplex: true, color: false, copies: 9999, nup: [1] },
  })
  expect([paperIds.get('A4'), binIds.size]).toEqual([9, 5])
})
