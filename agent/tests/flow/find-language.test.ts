/** The questions for the language of a printer, on simulated devices that record each byte and each sheet. */
import { expect, test } from 'vitest'
import { openDeviceSpooler, useEpson, useZebra } from '../../../test/devices/print-on.ts'
import { proves } from '../../../test/harness/rules.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startRawPrinter } from '../raw-printer.ts'

const SHEET = { sheetMs: 40 }
const CUT = '\x1dVB\0'
const T88 = { 66: 'EPSON', 67: 'TM-T88V' }
const ZD420 = { identity: 'ZD420-300dpi,V84.20.15Z,12,8176KB', variables: { 'ezpl.print_width': '640' } }
const [DLE_EOT, GS_R, GS_H, INITIALIZE] = ['\x10\x04\x01', '\x1dr\x01', '\x1d(H\x06\x0000', '\x1b@']
const GET_WIDTH = '! U1 getvar "ezpl.print_width"\r\n'

test.each([
  ['says its resolution and width', useZebra, ZD420, { rawLanguage: 'zpl', dpi: 300, width: 640 }],
  ['says nothing else', useZebra, {}, { rawLanguage: 'zpl' }],
  ['says an impossible width', useZebra, { variables: { 'ezpl.print_width': '9' } }, { rawLanguage: 'zpl' }],
  ['answers in pieces', useZebra, { ...ZD420, pieceMs: 1 }, { rawLanguage: 'zpl', dpi: 300, width: 640 }],
  ['sends a byte that answers no question', useZebra, { garbage: Buffer.from([0x12]) }, { rawLanguage: 'zpl' }],
  [
    'has ids and a known model',
    useEpson,
    { hasIds: true, names: T88 },
    { rawLanguage: 'escpos', dpi: 180, width: 512, hasIds: true },
  ],
  ['has no ids', useEpson, { hasIds: false }, { rawLanguage: 'escpos' }],
  ['imitates a model', useEpson, { hasIds: false, names: { ...T88, 66: 'EPOSN' } }, { rawLanguage: 'escpos' }],
  ['answers nothing', useEpson, { hasIds: true, isOneWay: true }, undefined],
] as const)('the language of a printer that %s is what it says', async (_, startDevice, traits, found) => {
  proves('ask.answers')
  const device = await startDevice({ ...SHEET, ...traits } as never)
  expect(await openDeviceSpooler(device, undefined).findLanguage()).toEqual(found)
})

test('a printer with an open cover or without paper is found as well', async () => {
  const [till, label] = [await useEpson({ ...SHEET, hasIds: true }), await useZebra(SHEET)]
  till.machine.isOpen = true
  label.machine.paper = 0
  expect(await openDeviceSpooler(till, undefined).findLanguage()).toEqual({ rawLanguage: 'escpos' })
  expect(await openDeviceSpooler(label, undefined).findLanguage()).toEqual({ rawLanguage: 'zpl' })
})

test('the questions come in one order, and what a receipt printer could take for text is removed', async () => {
  proves('ask.order', 'ask.residue')
  const till = await useEpson({ ...SHEET, hasIds: true, names: T88 })
  const label = await useZebra({ ...SHEET, ...ZD420 })
  const oneWay = await useEpson({ ...SHEET, hasIds: true, isOneWay: true })
  const spooler = openDeviceSpooler(oneWay, undefined)
  await Promise.all([
    openDeviceSpooler(till, undefined).findLanguage(),
    openDeviceSpooler(label, undefined).findLanguage(),
  ])
  await spooler.findLanguage()
  await waitFor(() => expect(till.received().toString('latin1')).toContain(INITIALIZE))
  // The id has four characters.
  const fence = till.received().indexOf(GS_H)
  const bytes = till.received().fill('?', fence + GS_H.length, fence + GS_H.length + 4)
  const fences = `${GS_R}${GS_H}????`
  expect(bytes.toString('latin1')).toBe(`${DLE_EOT}${DLE_EOT}${fences}\x1dIB\x1dIC${INITIALIZE}`)
  expect(label.received().toString('latin1')).toBe(`${DLE_EOT}~HS~HI${GET_WIDTH}`)
  await waitFor(() => expect(oneWay.received().toString('latin1')).toBe(`${DLE_EOT}~HS${INITIALIZE}`))
  await spooler.print(`one${CUT}`)
  await waitFor(() => expect(oneWay.sheets.map(({ text }) => text)).toEqual(['one']))
})

test('a printer with a job is not asked, and a job waits for the end of the questions', async () => {
  proves('ask.job')
  const device = await startRawPrinter('reads nothing')
  const busy = openDeviceSpooler(device, undefined)
  const { states } = await busy.submit(Buffer.alloc(8 * 1024 * 1024))
  await waitFor(() => expect(states.at(-1)?.state.is).toBe('processing'))
  await expect(busy.findLanguage()).rejects.toThrow('The printer has a job. Ask it when the job has ended.')

  const oneWay = await useEpson({ ...SHEET, hasIds: true, isOneWay: true })
  const { findLanguage, print } = openDeviceSpooler(oneWay, undefined)
  const asking = findLanguage()
  await waitFor(() => expect(oneWay.received().toString('latin1')).toBe(DLE_EOT))
  await print(`one${CUT}`)
  await asking
  expect(oneWay.received().toString('latin1')).toBe(`${DLE_EOT}~HS${INITIALIZE}one${CUT}`)
})

test('a receipt printer that has answered with an id confirms its first document of a user', async () => {
  proves('ask.remembered')
  const device = await useEpson({ ...SHEET, hasIds: true })
  const { findLanguage, print } = openDeviceSpooler(device, 'escpos')
  await findLanguage()
  expect((await print(`one${CUT}`)).state).toMatchObject({ is: 'completed', confirmedBy: 'printer' })
})
