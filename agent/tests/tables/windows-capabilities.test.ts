import { create } from '@bufbuild/protobuf'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { expect, test } from 'vitest'
import { DC, readOffer } from '../../spoolers/windows/device-capabilities.ts'
import { stateOfPrinter } from '../../spoolers/windows/printer-status.ts'
import { createPrinters } from '../../spoolers/windows/printers.ts'
import { type DriverAnswers, extent, LASER, longs, recordedAnswers, texts, words } from '../windows/driver-answers.ts'
import { createFakeWinspool } from '../windows/fake-winspool.ts'

const PRINTER = { name: 'Office', port: 'IP_10.0.0.7' }

const offerOf = (answers: DriverAnswers) => readOffer(createFakeWinspool({ answers }).winspool, PRINTER)

const capabilitiesOf = async (answers: DriverAnswers) => (await offerOf(answers)).capabilities

test("a driver's answers become the specification's capabilities, field by field", async () => {
  const { capabilities, paperIds, binIds } = await offerOf(LASER)
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
  })
  expect([...paperIds]).toEqual([
    ['A4', 9],
    ['A5', 11],
    ['Letter', 1],
  ])
  expect([...binIds]).toEqual([
    ['Automatic', 15],
    ['Tray 1', 257],
    ['Tray 2', 258],
  ])
})

test('a driver that knows no capability (-1 to all) makes a printer that prints one page once', async () => {
  const none = { papers: [], bins: [], dpis: [], medias: [], extent: undefined, printrate: undefined }
  const off = { duplex: false, color: false, collate: false, supportsCustomPaperSize: false }
  expect(await capabilitiesOf({})).toEqual({ ...none, ...off, copies: 1, nup: [1] })
})

/** The papers of a driver with these names and sizes. */
const papersOf = async (names: string[], sizes: number[]) =>
  (await capabilitiesOf({ [DC.PAPERNAMES]: texts(names, 64), [DC.PAPERSIZE]: longs(sizes, 2) })).papers

test('names that fill their place have no NUL, and a pair of surrogates that is cut leaves nothing behind', async () => {
  const full = 'x'.repeat(64)
  const cut = `${'y'.repeat(63)}😀`
  const whole = `${'z'.repeat(62)}😀`
  const papers = await papersOf([full, cut, whole], [1, 1, 2, 2, 3, 3])
  expect(papers?.map(({ name }) => name)).toEqual([full, 'y'.repeat(63), whole])
})

test('control characters, blanks around a name and text behind its NUL are left out', async () => {
  const { bins } = await capabilitiesOf({ [DC.BINNAMES]: texts(['Tray 1\0rubbish', ' Tray\u0007 2 ', '\0\0'], 24) })
  expect(bins).toEqual(['Tray 1', 'Tray 2'])
})

test.each([0, -1, 32_767, 100_000, 32_766])(
  'a paper with a length of %d is a roll unless it is 32,766',
  async (height) => {
    const size = { width: 800, height: height === 32_766 ? height : undefined }
    expect(await papersOf(['Roll'], [800, height])).toEqual([{ name: 'Roll', size }])
  },
)

test('entries without a counterpart in lists of different lengths are left out', async () => {
  const { capabilities, paperIds } = await offerOf({
    [DC.PAPERNAMES]: texts(['A4', 'A5', 'B5'], 64),
    [DC.PAPERSIZE]: longs([2100, 2970, 1480, 2100], 2),
    [DC.PAPERS]: words([9]),
  })
  expect(capabilities.papers?.map(({ name }) => name)).toEqual(['A4', 'A5'])
  expect([...paperIds]).toEqual([['A4', 9]])
})

test('of two papers of one name the first one is used', async () => {
  const { capabilities, paperIds } = await offerOf({
    [DC.PAPERNAMES]: texts(['A4', 'A4'], 64),
    [DC.PAPERSIZE]: longs([2100, 2970, 1, 1], 2),
    [DC.PAPERS]: words([9, 10]),
  })
  expect(capabilities.papers).toEqual([{ name: 'A4', size: { width: 2100, height: 2970 } }])
  expect(paperIds.get('A4')).toBe(9)
})

test('a list that shrinks between two calls has the second length', async () => {
  const { winspool } = createFakeWinspool({ answers: LASER })
  const { capabilities } = await readOffer(
    {
      ...winspool,
      deviceCapabilities: async (printer, capability, output) => {
        const count = await winspool.deviceCapabilities(printer, capability, output)
        return capability === DC.BINNAMES && output ? 1 : count
      },
    },
    PRINTER,
  )
  expect(capabilities.bins).toEqual(['Automatic'])
})

test.each([
  [4096, 4096],
  [4097, 0],
])('of a list of %d resolutions %d are used', async (count, believed) => {
  const numbers = Array.from({ length: count * 2 }, (_, index) => Math.floor(index / 2) + 1)
  expect((await capabilitiesOf({ [DC.ENUMRESOLUTIONS]: longs(numbers, 2) })).dpis).toHaveLength(believed)
})

test.each([
  [
    { [DC.PRINTRATE]: 20, [DC.PRINTRATEUNIT]: 1 },
    { rate: 20, unit: 'ppm' },
  ],
  [
    { [DC.PRINTRATE]: 20, [DC.PRINTRATEUNIT]: 2 },
    { rate: 20, unit: 'cps' },
  ],
  [
    { [DC.PRINTRATE]: 20, [DC.PRINTRATEUNIT]: 3 },
    { rate: 20, unit: 'lpm' },
  ],
  [
    { [DC.PRINTRATE]: 20, [DC.PRINTRATEUNIT]: 4 },
    { rate: 20, unit: 'ipm' },
  ],
  [{ [DC.PRINTRATE]: 500 }, undefined],
  [
    { [DC.PRINTRATE]: 500, [DC.PRINTRATEPPM]: 22 },
    { rate: 22, unit: 'ppm' },
  ],
])('the print rate of %j is %j', async (answers, printrate) => {
  expect((await capabilitiesOf(answers)).printrate).toEqual(printrate)
})

test('a length above 32,767 in the largest size is no negative number', async () => {
  const answers = { [DC.MINEXTENT]: extent(100, 100), [DC.MAXEXTENT]: extent(1000, 40_000) }
  expect((await capabilitiesOf(answers)).extent?.max).toEqual({ width: 1000, height: 40_000 })
})

test('invalid answers of a driver become valid capabilities', async () => {
  const capabilities = await capabilitiesOf({
    [DC.COPIES]: -7,
    [DC.NUP]: longs([0, -1, 2, 2]),
    [DC.ENUMRESOLUTIONS]: longs([0, 600, -1, 600, 600, 600], 2),
    [DC.MINEXTENT]: 0,
    [DC.MAXEXTENT]: -1,
  })
  expect(create(PrinterCapabilitiesSchema, capabilities)).toMatchObject({ copies: 1, nup: [2], dpis: ['600x600'] })
})

test.each([
  ['nothing', 0, 0, 'online', '', []],
  ['busy, printing, warming up', 0x200 | 0x400 | 0x10000, 0, 'online', '', []],
  ['paused', 0x1, 0, 'offline', 'Paused', ['printer-stopped', 'paused']],
  ['offline', 0x80, 0, 'offline', 'Offline', ['offline']],
  ['not available', 0x1000, 0, 'offline', 'Not available', ['offline']],
  ['print server offline', 0x2000000, 0, 'offline', 'Print server offline', ['offline']],
  ['set to be used offline', 0, 0x400, 'offline', 'Set to be used offline', ['offline']],
  ['out of paper', 0x10, 0, 'online', 'Out of paper', ['media-empty']],
  ['door open and jam', 0x400000 | 0x8, 0, 'online', 'Paper jam. Door open', ['media-jam', 'cover-open']],
  ['toner low', 0x20000, 0, 'online', 'Toner low', ['toner-low']],
  ['two problems', 0x20 | 0x40, 0, 'online', 'Waits for paper to be fed by hand. Paper problem', ['media-needed']],
] as const)('a printer with %s', (_, status, attributes, state, stateDetail, stateReasons) => {
  expect(stateOfPrinter({ status, attributes })).toEqual({ state, stateDetail, stateReasons })
})

test('a printer without spooling is offline and tells what to do', () => {
  expect(stateOfPrinter({ status: 0, attributes: 0x2 })).toMatchObject({
    state: 'offline',
    stateDetail: expect.stringContaining('allow spooling'),
    stateReasons: ['spooling-disabled'],
  })
})

test('printers are reported by their names, with the default one and what their driver says', async () => {
  const { winspool } = createFakeWinspool({
    printers: [{ name: 'A', driver: 'Zebra ZD420' }, { name: '\\\\server\\B' }],
  })
  expect(await createPrinters(winspool).report()).toMatchObject([
    { osName: 'A', name: 'A', description: 'Zebra ZD420', isDefault: true, capabilities: { copies: 999 } },
    { osName: '\\\\server\\B', description: 'Acme Laser', isDefault: false },
  ])
})

test('a printer at a port that asks a person, or prints nothing, is not reported', async () => {
  const ports = ['PORTPROMPT:', 'FILE:', 'SHRFAX:', 'nul:', 'USB001']
  const { winspool } = createFakeWinspool({ printers: ports.map((port) => ({ name: port, port })) })
  expect((await createPrinters(winspool).report()).map(({ osName }) => osName)).toEqual(['USB001'])
})

test('a driver is asked once a minute, and at once when it was replaced', async () => {
  const fake = createFakeWinspool()
  let asked = 0
  const winspool = {
    ...fake.winspool,
    deviceCapabilities: async (...call: Parameters<typeof fake.winspool.deviceCapabilities>) => {
      if (call[1] === DC.COPIES) asked++
      return await fake.winspool.deviceCapabilities(...call)
    },
  }
  let nowMs = 0
  const printers = createPrinters(winspool, () => nowMs)
  await printers.report()
  nowMs = 59_999
  await printers.report()
  expect(asked).toBe(1)
  nowMs = 60_000
  await printers.report()
  expect(asked).toBe(2)
  for (const printer of fake.printers) printer.driver = 'Acme Laser v2'
  await printers.report()
  expect(asked).toBe(3)
})

test('the recorded answers of two drivers are read', async () => {
  const laser = await offerOf(recordedAnswers('laser'))
  expect(laser.capabilities.papers?.map(({ name }) => name)).toEqual(['A4', 'A5', 'EnvDL', 'Legal', 'Letter'])
  expect(laser.capabilities).toMatchObject({
    bins: ['Automatically Select', 'Auto', 'Tray1', 'Tray2', 'Manual'],
    extent: { min: { width: 1100, height: 2100 }, max: { width: 2159, height: 3556 } },
    printrate: undefined,
    duplex: true,
    color: false,
    copies: 9999,
    nup: [1],
  })
  expect([laser.paperIds.get('A4'), laser.binIds.size]).toEqual([9, 5])
  const { capabilities } = await offerOf(recordedAnswers('generic'))
  expect(capabilities.papers).toHaveLength(15)
  expect(capabilities.dpis).toEqual(['150x150', '300x300', '600x600', '1200x1200', '2400x2400'])
  expect(capabilities).toMatchObject({ duplex: true, color: true, supportsCustomPaperSize: true })
})
