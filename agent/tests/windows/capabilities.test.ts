import { create } from '@bufbuild/protobuf'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { expect, test } from 'vitest'
import { DC, readOffer } from '../../spoolers/windows/device-capabilities.ts'
import { stateOfPrinter } from '../../spoolers/windows/printer-status.ts'
import { createPrinters } from '../../spoolers/windows/printers.ts'
import { type DriverAnswers, extent, LASER, longs, recordedAnswers, texts, words } from './driver-answers.ts'
import { createFakeWinspool } from './fake-winspool.ts'

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
  expect(await capabilitiesOf({})).toEqual({
    papers: [],
    bins: [],
    dpis: [],
    medias: [],
    extent: undefined,
    printrate: undefined,
    duplex: false,
    color: false,
    collate: false,
    copies: 1,
    nup: [1],
    supportsCustomPaperSize: false,
  })
})

test('names that fill their place have no NUL, and a pair of surrogates that is cut leaves nothing behind', async () => {
  const full = 'x'.repeat(64)
  const cut = `${'y'.repeat(63)}😀`
  const whole = `${'z'.repeat(62)}😀`
  const { papers } = await capabilitiesOf({
    [DC.PAPERNAMES]: texts([full, cut, whole], 64),
    [DC.PAPERSIZE]: longs([1, 1, 2, 2, 3, 3], 2),
  })
  expect(papers?.map(({ name }) => name)).toEqual([full, 'y'.repeat(63), whole])
})

test('what stands behind the NUL, control characters and blanks around a name are left out', async () => {
  const { bins } = await capabilitiesOf({ [DC.BINNAMES]: texts(['Tray 1\0rubbish', ' Tray\u0007 2 ', '\0\0'], 24) })
  expect(bins).toEqual(['Tray 1', 'Tray 2'])
})

test.each([0, -1, 32_767, 100_000])('a paper with a length of %d is a roll', async (height) => {
  const { papers } = await capabilitiesOf({
    [DC.PAPERNAMES]: texts(['Roll'], 64),
    [DC.PAPERSIZE]: longs([800, height], 2),
  })
  expect(papers).toEqual([{ name: 'Roll', size: { width: 800, height: undefined } }])
})

test('the longest paper that is no roll has 32,766 tenths of a millimetre', async () => {
  const { papers } = await capabilitiesOf({
    [DC.PAPERNAMES]: texts(['Long'], 64),
    [DC.PAPERSIZE]: longs([800, 32_766], 2),
  })
  expect(papers).toEqual([{ name: 'Long', size: { width: 800, height: 32_766 } }])
})

test('of lists that should be of one length what has no counterpart is left out', async () => {
  const { capabilities, paperIds } = await offerOf({
    [DC.PAPERNAMES]: texts(['A4', 'A5', 'B5'], 64),
    [DC.PAPERSIZE]: longs([2100, 2970, 1480, 2100], 2),
    [DC.PAPERS]: words([9]),
  })
  expect(capabilities.papers?.map(({ name }) => name)).toEqual(['A4', 'A5'])
  expect([...paperIds]).toEqual([['A4', 9]])
})

test('of two papers of one name the first is meant', async () => {
  const { capabilities, paperIds } = await offerOf({
    [DC.PAPERNAMES]: texts(['A4', 'A4'], 64),
    [DC.PAPERSIZE]: longs([2100, 2970, 1, 1], 2),
    [DC.PAPERS]: words([9, 10]),
  })
  expect(capabilities.papers).toEqual([{ name: 'A4', size: { width: 2100, height: 2970 } }])
  expect(paperIds.get('A4')).toBe(9)
})

test('a driver that says less the second time is believed the second time', async () => {
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
])('of a list of %d resolutions %d are believed', async (count, believed) => {
  const numbers = Array.from({ length: count * 2 }, (_, index) => Math.floor(index / 2) + 1)
  expect((await capabilitiesOf({ [DC.ENUMRESOLUTIONS]: longs(numbers, 2) })).dpis).toHaveLength(believed)
})

test.each([
  [1, 'ppm'],
  [2, 'cps'],
  [3, 'lpm'],
  [4, 'ipm'],
])('a print rate of unit %d is in %s', async (number, unit) => {
  expect((await capabilitiesOf({ [DC.PRINTRATE]: 20, [DC.PRINTRATEUNIT]: number })).printrate).toEqual({
    rate: 20,
    unit,
  })
})

test('a rate whose unit the driver does not say is the one in pages per minute, if there is one', async () => {
  expect((await capabilitiesOf({ [DC.PRINTRATE]: 500 })).printrate).toBeUndefined()
  expect((await capabilitiesOf({ [DC.PRINTRATE]: 500, [DC.PRINTRATEPPM]: 22 })).printrate).toEqual({
    rate: 22,
    unit: 'ppm',
  })
})

test('a length above 32,767 in the largest size is no negative number', async () => {
  const answers = { [DC.MINEXTENT]: extent(100, 100), [DC.MAXEXTENT]: extent(1000, 40_000) }
  expect((await capabilitiesOf(answers)).extent?.max).toEqual({ width: 1000, height: 40_000 })
})

test('whatever a driver answers, the service can be told', async () => {
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
  [
    'two paper problems',
    0x20 | 0x40,
    0,
    'online',
    'Waits for paper to be fed by hand. Paper problem',
    ['media-needed'],
  ],
] as const)('a printer with %s', (_, status, attributes, state, stateDetail, stateReasons) => {
  expect(stateOfPrinter({ status, attributes })).toEqual({ state, stateDetail, stateReasons })
})

test('a printer that Windows prints to directly is offline, and says what to do', () => {
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

test.each(['PORTPROMPT:', 'FILE:', 'SHRFAX:', 'nul:'])(
  'a printer at %s, where a person would be asked, is not reported',
  async (port) => {
    const { winspool } = createFakeWinspool({
      printers: [
        { name: 'Asks', port },
        { name: 'Prints', port: 'USB001' },
      ],
    })
    expect((await createPrinters(winspool).report()).map(({ osName }) => osName)).toEqual(['Prints'])
  },
)

test('a driver is asked once a minute, and at once when it is another one', async () => {
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

test('what a driver with a printer description answered when it was recorded is read as that printer is', async () => {
  const { capabilities, paperIds, binIds } = await offerOf(recordedAnswers('laser'))
  expect(capabilities).toMatchObject({
    papers: [
      { name: 'A4', size: { width: 2100, height: 2970 } },
      { name: 'A5', size: { width: 1480, height: 2100 } },
      { name: 'EnvDL', size: { width: 1100, height: 2200 } },
      { name: 'Legal', size: { width: 2159, height: 3556 } },
      { name: 'Letter', size: { width: 2159, height: 2794 } },
    ],
    bins: ['Automatically Select', 'Auto', 'Tray1', 'Tray2', 'Manual'],
    extent: { min: { width: 1100, height: 2100 }, max: { width: 2159, height: 3556 } },
    printrate: undefined,
    duplex: true,
    color: false,
    copies: 9999,
    nup: [1],
  })
  expect(paperIds.get('A4')).toBe(9)
  expect(binIds.size).toBe(5)
})

test('what a generic driver answered when it was recorded is read with all its papers and resolutions', async () => {
  const { capabilities } = await offerOf(recordedAnswers('generic'))
  expect(capabilities.papers).toHaveLength(15)
  expect(capabilities.dpis).toEqual(['150x150', '300x300', '600x600', '1200x1200', '2400x2400'])
  expect(capabilities).toMatchObject({ duplex: true, color: true, supportsCustomPaperSize: true })
})
