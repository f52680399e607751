/** What a raw printer says about its paper, on simulated devices that record each sheet. */
import { RAW_LANGUAGES, type RawLanguage } from '@platen/proto/raw-languages.ts'
import { describe, expect, test } from 'vitest'
import type { Device } from '../../../test/devices/device.ts'
import { openDeviceSpooler, useEpson, useLaser, useSato, useStar, useZebra } from '../../../test/devices/print-on.ts'
import { proves } from '../../../test/harness/rules.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { encodeEscpos } from '../../spoolers/raster/encode-escpos.ts'
import { getWordLanguage } from '../../spoolers/raster/raster-printer.ts'
import { DRAWN } from '../../spoolers/spooler.ts'
import { startRawPrinter } from '../raw-printer.ts'

const label = (name: string, quantity = 1) => `^XA^FO20,20^FD${name}^FS^PQ${quantity}^XZ`
const CUT = Buffer.from([0x1d, 0x56, 66, 0])
const receipt = (name: string) => Buffer.concat([Buffer.from(`\x1b@${name}\n`), CUT])
const drawnReceipt = encodeEscpos({ width: 16, height: 8, bytesPerRow: 2, dots: new Uint8Array(16).fill(0x81) })
const starReceipt = (name: string) => `\x1b@${name}\n\x1bd\x03`
const satoLabel = (name: string, quantity = 1) => `\x1bA\x1bH0100\x1bV0100\x1bS${name}\x1bQ${quantity}\x1bZ`
const pages = (name: string, count = 1) => `\x1bE${`${name}\n\f`.repeat(count)}`
const UEL = '\x1b%-12345X'
const SHEET = { sheetMs: 40 }
const texts = ({ sheets }: { sheets: { text: string }[] }) => sheets.map(({ text }) => text)
const BY_PRINTER = { is: 'completed', confirmedBy: 'printer' }

describe('a label printer', () => {
  test.each([
    ['counts the label that moves', { countsMoving: true }],
    ['does not', {}],
    ['has no odometer', { hasNoOdometer: true }],
    ['answers in pieces', { pieceMs: 1 }],
    ['serves one connection', { isSingle: true }],
    ['resets a connection at its end', { resetsAtEnd: true }],
    ['sends unsolicited bytes', { garbage: Buffer.from('\x02hello\x03\r\n\x00"12"') }],
  ])('that %s confirms a job when its last label is out, not before', async (_, traits) => {
    const device = await useZebra({ ...SHEET, ...traits })
    const { print } = openDeviceSpooler(device, 'zpl')
    const { state, atMs } = await print(label('a', 3), { qty: 2 })
    expect(state).toMatchObject(BY_PRINTER)
    expect(texts(device)).toEqual(Array.from({ length: 6 }, () => 'a'))
    expect(atMs).toBeGreaterThanOrEqual(device.sheets.at(-1)?.atMs ?? Number.POSITIVE_INFINITY)
  })

  test('without paper gets no byte of the job, says why, and prints it when paper is there', async () => {
    proves('word.before')
    const device = await useZebra(SHEET)
    device.machine.paper = 0
    const { submit, printer } = openDeviceSpooler(device, 'zpl')
    const { states, end } = await submit(label('a'))
    await waitFor(() => expect(states.at(-1)?.state).toMatchObject({ is: 'pending', reasons: ['media-empty'] }))
    expect(await printer()).toMatchObject({
      state: 'online',
      stateReasons: ['media-empty'],
      stateDetail: 'The printer is out of paper.',
    })
    expect(device.received().toString()).not.toContain('^XA')
    device.machine.paper = 10
    expect((await end).state).toMatchObject(BY_PRINTER)
    expect(texts(device)).toEqual(['a'])
  })

  test.each([
    ['media-empty', { paper: 0 }, { paper: 10 }],
    ['cover-open', { isOpen: true }, { isOpen: false }],
    ['device-paused', { isPaused: true }, { isPaused: false }],
  ])(
    'that stops in the middle shows %s and how many labels are out, and the rest comes afterwards',
    async (reason, fault, repair) => {
      proves('word.middle')
      const device = await useZebra(SHEET)
      const { submit } = openDeviceSpooler(device, 'zpl')
      const { states, end } = await submit(label('a', 4))
      await waitFor(() => expect(device.sheets.length).toBeGreaterThanOrEqual(2))
      Object.assign(device.machine, fault)
      await waitFor(() =>
        expect(states.at(-1)?.state).toMatchObject({ is: 'processing', reasons: ['job-printing', reason] }),
      )
      const { message } = states.at(-1)?.state ?? {}
      expect(message).toContain(`${device.sheets.length} of 4 are printed.`)
      Object.assign(device.machine, repair)
      expect((await end).state).toMatchObject(BY_PRINTER)
      expect(texts(device)).toEqual(['a', 'a', 'a', 'a'])
    },
  )

  test('that has answered before and is silent holds the job', async () => {
    proves('word.silent')
    const device = await useZebra({ ...SHEET, isSilentInFaults: true })
    const { print, submit, printer } = openDeviceSpooler(device, 'zpl')
    await print(label('a'))
    device.machine.isOpen = true
    const { states, end } = await submit(label('b'))
    await waitFor(() =>
      expect(states.at(-1)?.state).toMatchObject({ is: 'pending', reasons: ['device-not-answering'] }),
    )
    expect(await printer()).toMatchObject({ stateReasons: ['device-not-answering'] })
    device.machine.isOpen = false
    expect((await end).state).toMatchObject(BY_PRINTER)
    expect(texts(device)).toEqual(['a', 'b'])
  })

  test('that is silent while it is open after a document that prints nothing, and idle then, ends the job as done', async () => {
    const device = await useZebra({ ...SHEET, isSilentInFaults: true })
    const { submit } = openDeviceSpooler(device, 'zpl')
    const { states, end } = await submit('^FXnothing')
    await waitFor(() => expect(device.received().toString()).toContain('^FXnothing'))
    device.machine.isOpen = true
    await waitFor(() => expect(states.at(-1)?.state.reasons).toContain('device-not-answering'))
    device.machine.isOpen = false
    expect((await end).state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
  })

  test('that loses its buffer at the end of a connection prints the job, since the connection ends after the paper', async () => {
    proves('word.end')
    const device = await useZebra({ ...SHEET, losesAtEnd: true })
    const { print } = openDeviceSpooler(device, 'zpl')
    expect((await print(label('a', 3))).state).toMatchObject(BY_PRINTER)
    expect(texts(device)).toEqual(['a', 'a', 'a'])
  })

  test('that loses power in the middle is not believed, and nothing is sent again', async () => {
    const device = await useZebra(SHEET)
    const { submit, print } = openDeviceSpooler(device, 'zpl')
    const { end } = await submit(label('a', 4))
    await waitFor(() => expect(device.sheets.length).toBeGreaterThanOrEqual(2))
    device.switchOff()
    expect((await end).state).toMatchObject({ is: 'aborted', reasons: ['unconfirmed'] })
    await device.switchOn()
    expect((await print(label('b'))).state).toMatchObject(BY_PRINTER)
    expect(texts(device).filter((text) => text === 'b')).toEqual(['b'])
    expect(texts(device).length).toBeLessThan(5)
  })

  test('that answers nothing gets its documents as before, and is asked again later only', async () => {
    proves('word.never')
    const device = await useZebra({ ...SHEET, isOneWay: true })
    const { print } = openDeviceSpooler(device, 'zpl')
    for (const name of ['a', 'b']) {
      const { state } = await print(label(name))
      expect(state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
    }
    await waitFor(() => expect(texts(device)).toEqual(['a', 'b']))
    expect(device.received().toString()).toBe(`~HS${label('a')}${label('b')}`)
  })
})

describe('a receipt printer', () => {
  test('gets no command that it has not answered after a document of a user, until a drawn one has shown it', async () => {
    proves('word.user-document')
    const device = await useEpson({ ...SHEET, hasIds: true })
    const { print } = openDeviceSpooler(device, 'escpos')
    expect((await print(receipt('a'))).state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
    expect(device.received().includes(Buffer.from([0x1d, 0x28, 0x48]))).toBe(false)
    expect((await print(drawnReceipt, { contentType: DRAWN })).state).toMatchObject(BY_PRINTER)
    const { state, atMs } = await print(receipt('b'), { qty: 2 })
    expect(state).toMatchObject(BY_PRINTER)
    expect(texts(device)).toEqual(['a', `picture ${16 * 0x81}`, 'b', 'b'])
    expect(atMs).toBeGreaterThanOrEqual(device.sheets.at(-1)?.atMs ?? Number.POSITIVE_INFINITY)
  })

  test('without ids confirms a drawn document by the order of its data', async () => {
    const device = await useEpson({ ...SHEET, hasIds: false })
    const { print } = openDeviceSpooler(device, 'escpos')
    for (let n = 1; n <= 2; n++) {
      const { state, atMs } = await print(drawnReceipt, { contentType: DRAWN, qty: 2 })
      expect(state).toMatchObject(BY_PRINTER)
      expect(atMs).toBeGreaterThanOrEqual(device.sheets.at(-1)?.atMs ?? Number.POSITIVE_INFINITY)
      expect(device.sheets).toHaveLength(2 * n)
    }
    expect((await print(receipt('a'))).state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
  })

  test('whose cover opens in the middle shows it, and the receipt is confirmed when it is out', async () => {
    const device = await useEpson({ ...SHEET, hasIds: true })
    const { print, submit } = openDeviceSpooler(device, 'escpos')
    await print(drawnReceipt, { contentType: DRAWN })
    const { states, end } = await submit(receipt('a'), { qty: 3 })
    await waitFor(() => expect(device.sheets.length).toBeGreaterThanOrEqual(2))
    device.machine.isOpen = true
    await waitFor(() =>
      expect(states.at(-1)?.state).toMatchObject({ is: 'processing', reasons: ['job-printing', 'cover-open'] }),
    )
    device.machine.isOpen = false
    expect((await end).state).toMatchObject(BY_PRINTER)
    expect(device.sheets).toHaveLength(4)
  })
})

describe('a receipt printer of Star', () => {
  const FENCE = Buffer.from([0x1b, 0x1d, 0x03, 0x01])

  test.each([
    ['answers questions', {}],
    ['sends its state without being asked, and answers none', { isAutomatic: true }],
    ['answers in pieces', { pieceMs: 1 }],
    [
      'loses its buffer at the end of a connection, and sends unsolicited bytes',
      { losesAtEnd: true, garbage: Buffer.from('\x00\x12\x02x\x03#\x06\x7f') },
    ],
  ])('that %s confirms each document when its last receipt is out', async (_, traits) => {
    proves('word.star')
    const device = await useStar({ ...SHEET, hasIds: true, ...traits })
    const { print } = openDeviceSpooler(device, 'star')
    for (const name of ['a', 'b']) {
      const { state, atMs } = await print(starReceipt(name), { qty: 2 })
      expect(state).toMatchObject(BY_PRINTER)
      expect(atMs).toBeGreaterThanOrEqual(device.sheets.at(-1)?.atMs ?? Number.POSITIVE_INFINITY)
    }
    expect(texts(device)).toEqual(['a', 'a', 'b', 'b'])
  })

  test('that does not answer the command behind a document gets it once, before the first document', async () => {
    const device = await useStar({ ...SHEET, hasIds: false })
    const { print } = openDeviceSpooler(device, 'star')
    for (const name of ['a', 'b'])
      expect((await print(starReceipt(name))).state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
    const bytes = device.received()
    expect(bytes.indexOf(FENCE)).toBeLessThan(bytes.indexOf('a\n'))
    expect(bytes.lastIndexOf(FENCE)).toBe(bytes.indexOf(FENCE))
  })

  test.each([
    ['media-empty', { paper: 0 }, { paper: 10 }, {}],
    ['cover-open', { isOpen: true }, { isOpen: false }, {}],
    ['cover-open', { isOpen: true }, { isOpen: false }, { isAutomatic: true }],
    ['offline', { isPaused: true }, { isPaused: false }, {}],
  ])('shows %s before a document, without a byte of it, and in the middle', async (reason, fault, repair, traits) => {
    const device = await useStar({ ...SHEET, hasIds: true, ...traits })
    const job = { language: 'star', document: starReceipt('a'), qty: 4, begin: 'a\n' } as const
    await printThroughFaults(device, job, { reason, fault, repair })
  })
})

describe('a label printer of SATO', () => {
  test.each([
    ['answers with the name of the job, in pieces', { hasNames: true, pieceMs: 1 }],
    ['makes the picture of a label first, and loses its buffer at the end', { editMs: 60, losesAtEnd: true }],
    ['sends unsolicited bytes', { garbage: Buffer.from('\x02hello\x03\x0001A') }],
  ])('that %s confirms a job when its last label is out, not before', async (_, traits) => {
    proves('word.sato')
    const device = await useSato({ ...SHEET, ...traits })
    const { print } = openDeviceSpooler(device, 'sbpl')
    const { state, atMs } = await print(satoLabel('a', 3), { qty: 2 })
    expect(state).toMatchObject(BY_PRINTER)
    expect(texts(device)).toEqual(Array.from({ length: 6 }, () => 'a'))
    expect(atMs).toBeGreaterThanOrEqual(device.sheets.at(-1)?.atMs ?? Number.POSITIVE_INFINITY)
  })

  test.each([
    ['media-empty', { paper: 0 }, { paper: 10 }],
    ['offline', { isPaused: true }, { isPaused: false }],
  ])('shows %s before a job, without a byte of it, and in the middle', async (reason, fault, repair) => {
    const job = { language: 'sbpl', document: satoLabel('a', 4), begin: '\x1bA' } as const
    await printThroughFaults(await useSato(SHEET), job, { reason, fault, repair })
  })
})

describe('an office printer that knows PJL', () => {
  test.each([
    ['reads commands in the order of the data', {}],
    ['reads ahead, and answers in pieces', { readsAhead: true, pieceMs: 1 }],
    [
      'loses its buffer at the end of a connection, and sends unsolicited bytes',
      { losesAtEnd: true, garbage: Buffer.from('@PJL INFO STATUS\r\nCODE=41213\r\n\f@PJL') },
    ],
  ])('that %s confirms a job when its last page is out, and its document is unchanged', async (_, traits) => {
    proves('word.pjl')
    const device = await useLaser({ ...SHEET, ...traits })
    const { print } = openDeviceSpooler(device, 'pjl')
    const { state, states, atMs } = await print(pages('a', 3), { qty: 2 })
    expect(state).toMatchObject(BY_PRINTER)
    expect(texts(device)).toEqual(Array.from({ length: 6 }, () => 'a'))
    expect(atMs).toBeGreaterThanOrEqual(device.sheets.at(-1)?.atMs ?? Number.POSITIVE_INFINITY)
    expect(states.map(({ state: { printed } }) => printed)).toContain(2)
    const [, before, after] = device.received().toString('latin1').replaceAll(UEL, '<UEL>').split(pages('a', 3))
    expect(before).toMatch(/^<UEL>@PJL\r\n@PJL EOJ NAME="(Platen \w+)".*@PJL JOB NAME="(?!\1)Platen \w+"\r\n$/s)
    expect(after).toMatch(/^<UEL>@PJL\r\n@PJL EOJ NAME="Platen \w+"\r\n<UEL>/)
  })

  test('that never reports the end of a job is not believed to have printed, and the job is done', async () => {
    const device = await useLaser({ ...SHEET, hasNoEnd: true })
    const { print } = openDeviceSpooler(device, 'pjl')
    expect((await print(pages('a', 2))).state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
    expect(texts(device)).toEqual(['a', 'a'])
  })

  test('that reports a cancelled job ends it without a confirmation', async () => {
    const device = await useLaser({ ...SHEET, isCancelled: true })
    const { print } = openDeviceSpooler(device, 'pjl')
    const { state } = await print(pages('a'))
    expect(state).toMatchObject({ is: 'aborted', reasons: ['unconfirmed'] })
    expect(state.message).toContain('The job was cancelled at the printer.')
  })

  test('does not confirm a document without pages', async () => {
    const { print } = openDeviceSpooler(await useLaser(SHEET), 'pjl')
    expect((await print('\x1bE')).state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
  })

  test.each([
    ['media-empty', { paper: 0 }, { paper: 10 }],
    ['cover-open', { isOpen: true }, { isOpen: false }],
    ['offline', { isPaused: true }, { isPaused: false }],
  ])('shows %s before a job, without a byte of it, and in the middle', async (reason, fault, repair) => {
    const job = { language: 'pjl', document: pages('a', 4), begin: 'JOB' } as const
    await printThroughFaults(await useLaser(SHEET), job, { reason, fault, repair })
  })
})

interface SheetsJob {
  language: RawLanguage
  /** Four sheets, or one that is printed four times. */
  document: string
  qty?: number
  /** Bytes that the device receives of the job alone. */
  begin: string
}

/** The device has the fault before the job, and again after two sheets or more. */
async function printThroughFaults(
  device: Device,
  { language, document, qty = 1, begin }: SheetsJob,
  { reason, fault, repair }: { reason: string; fault: object; repair: object },
) {
  Object.assign(device.machine, fault)
  const { submit } = openDeviceSpooler(device, language)
  const { states, end } = await submit(document, { qty })
  await waitFor(() => expect(states.at(-1)?.state).toMatchObject({ is: 'pending', reasons: [reason] }))
  expect(device.received().includes(begin)).toBe(false)
  Object.assign(device.machine, repair)
  await waitFor(() => expect(device.sheets.length).toBeGreaterThanOrEqual(2))
  Object.assign(device.machine, fault)
  await waitFor(() =>
    expect(states.at(-1)?.state).toMatchObject({ is: 'processing', reasons: ['job-printing', reason] }),
  )
  Object.assign(device.machine, repair)
  expect((await end).state).toMatchObject(BY_PRINTER)
  expect(texts(device)).toEqual(['a', 'a', 'a', 'a'])
}

const DOCUMENTS = {
  zpl: label('a'),
  escpos: receipt('a'),
  star: starReceipt('a'),
  sbpl: satoLabel('a'),
  pjl: pages('a'),
}

test.each(
  RAW_LANGUAGES.flatMap((rawLanguage) => [
    [rawLanguage, 'without a chosen language', undefined] as const,
    [rawLanguage, 'of which its owner forbids questions', { rawLanguage, deviceWord: false }] as const,
  ]),
)('a document in %s for a printer %s is all that the printer gets', async (language, _, raster) => {
  proves('word.no-language', 'word.off')
  const device = await startRawPrinter()
  const { print } = openDeviceSpooler(device, getWordLanguage(raster))
  const document = Buffer.from(DOCUMENTS[language])
  expect((await print(document, { qty: 2 })).state).toMatchObject({ is: 'completed', confirmedBy: 'spooler' })
  const received = device.connections.map(({ chunks }) => Buffer.concat(chunks))
  expect(received.filter(({ length }) => length > 0)).toEqual([Buffer.concat([document, document])])
})
