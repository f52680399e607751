/** Printers on port 9100, on real connections. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { NetworkPrinter } from '../../spoolers/network/config.ts'
import { NothingSent } from '../../spoolers/network/device.ts'
import { openJobStore } from '../../spoolers/network/job-store.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import { createQueue } from '../../spoolers/network/queue.ts'
import { createRawDevice } from '../../spoolers/network/raw-device.ts'
import { RAW_TIMINGS, sendRaw } from '../../spoolers/network/send-raw.ts'
import type { SpoolerState, Submission } from '../../spoolers/spooler.ts'
import { type Behaviour, startRawPrinter } from '../raw-printer.ts'
import { makeDataDir } from '../start-agent.ts'
import { makeSubmission } from '../submission.ts'

const TIMINGS = { ...RAW_TIMINGS, stalledAfterMs: 40, eofTimeoutMs: 300, onlineMs: 0, offlineMs: 0 }
const BACKOFF = { baseMs: 10, maxMs: 40 }
const LABEL = Buffer.from('^XA^FO50,50^FDHello^FS^XZ\r\n\0\xff', 'latin1')
/** More than connections hold. */
const LONG = Buffer.alloc(20_000_000, 'x')
const silent = pino({ level: 'silent' })

const submission = (document: Buffer, changes?: Partial<Submission>) => makeSubmission(document, 'Zebra', changes)

function open(printers: NetworkPrinter[], dir = makeDataDir()) {
  const openDevice = (printer: NetworkPrinter) => createRawDevice(printer, TIMINGS)
  const spooler = createNetworkSpooler({ dir, printers, log: silent, openDevice, backoff: BACKOFF })
  onTestFinished(() => void spooler.close?.())
  return {
    dir,
    spooler,
    async print(...args: Parameters<typeof submission>): Promise<string> {
      const { spoolerJobId } = await spooler.submitHeld(submission(...args))
      await spooler.release(spoolerJobId)
      return spoolerJobId
    },
    becomes: (id: string, state: Partial<SpoolerState>) =>
      waitFor(async () => expect(await spooler.state(id)).toMatchObject(state)),
  }
}

async function openWith(behaviour?: Behaviour, suffix = '') {
  const device = await startRawPrinter(behaviour)
  return { device, ...open([{ name: 'Zebra', uri: device.uri + suffix }]) }
}

const COMPLETED: Partial<SpoolerState> = { is: 'completed' }
const REMOVED: Partial<SpoolerState> = { is: 'aborted', reasons: ['job-canceled-by-user'] }
const UNCONFIRMED: Partial<SpoolerState> = { is: 'aborted', reasons: ['unconfirmed'] }
const UNREACHABLE: Partial<SpoolerState> = { is: 'processing', message: expect.stringContaining('cannot be reached') }
const TAKES_NOTHING: Partial<SpoolerState> = { is: 'processing', message: expect.stringContaining('takes no data') }
const NOT_CONFIRMED: Partial<SpoolerState> = { is: 'completed', message: expect.stringContaining('did not confirm') }

test('a held job is not sent; after its release it is sent once, qty times on one connection, and its document is deleted', async () => {
  const { device, dir, spooler, print, becomes } = await openWith()
  const { spoolerJobId } = await spooler.submitHeld(submission(LABEL, { qty: 3 }))
  expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'held' })
  const other = Buffer.from('another')
  await becomes(await print(other), COMPLETED)
  expect(device.printed()).toEqual([other])
  await spooler.release(spoolerJobId)
  await expect(spooler.release(spoolerJobId)).rejects.toThrow('released before')
  await becomes(spoolerJobId, COMPLETED)
  expect(device.printed()).toEqual([other, Buffer.concat([LABEL, LABEL, LABEL])])
  await waitFor(() => expect(readdirSync(join(dir, 'documents'))).toEqual([]))
})

test('jobs of one printer are sent in the order of their releases, one at a time', async () => {
  const { device, print, becomes } = await openWith()
  const documents = Array.from({ length: 20 }, (_, index) => Buffer.from(`label ${index}`))
  const ids: string[] = []
  for (const document of documents) ids.push(await print(document))
  await becomes(ids.at(-1) ?? '', COMPLETED)
  expect(device.printed().map(String)).toEqual(documents.map(String))
  expect(device.mostAtOnce()).toBe(1)
})

test('printers do not wait for each other', async () => {
  const [stuck, free] = await Promise.all([startRawPrinter('reads nothing'), startRawPrinter()])
  const { print, becomes } = open([
    { name: 'Stuck', uri: stuck.uri },
    { name: 'Zebra', uri: free.uri },
  ])
  await print(LONG, { printerOsName: 'Stuck' })
  await becomes(await print(LABEL), COMPLETED)
})

test.each([
  ['a PDF', { contentType: 'pdf_base64' }, 'document-format-not-supported'],
  ['an unknown printer', { printerOsName: 'Other' }, 'printer-not-found'],
])('a job is refused for %s', async (_, facts, reason) => {
  const { spooler, dir } = await openWith()
  const refused = { name: 'SpoolerRefusal', reasons: [reason] }
  await expect(spooler.submitHeld(submission(LABEL, facts))).rejects.toMatchObject(refused)
  expect(readdirSync(dir)).toEqual([])
})

test('an unreachable printer is tried until it can be reached, and prints once; a watch shows each state once', async () => {
  const { device, spooler, print, becomes } = await openWith()
  device.switchOff()
  const id = await print(LABEL)
  await becomes(id, UNREACHABLE)
  const behind = await print(Buffer.from('behind'))
  expect(await spooler.state(behind)).toMatchObject({ is: 'pending' })
  const seen: string[] = []
  for await (const { is, message } of spooler.watch(id, new AbortController().signal)) {
    seen.push(is)
    if (message?.includes('cannot be reached')) await device.switchOn()
  }
  expect([...new Set(seen)]).toEqual(['processing', 'completed'])
  await becomes(behind, COMPLETED)
  expect(device.printed()).toEqual([LABEL, Buffer.from('behind')])
})

test.each<[string, off: boolean]>([
  ['for an unreachable printer is not sent', true],
  ['that is being sent sends nothing more', false],
])('a removed job %s, and the next job prints', async (_, off) => {
  const { device, spooler, print, becomes } = await openWith('reads nothing')
  if (off) device.switchOff()
  const id = await print(LONG)
  await becomes(id, off ? UNREACHABLE : TAKES_NOTHING)
  await spooler.remove(id)
  expect(await spooler.state(id)).toMatchObject(REMOVED)
  device.behaviour = 'prints'
  if (off) await device.switchOn()
  await becomes(await print(LABEL), COMPLETED)
  expect(device.printed()).toEqual([LABEL])
})

test('nothing is sent when the printer closes the connection before the first byte', async () => {
  const device = await startRawPrinter('hangs up')
  const { file } = submission(LABEL)
  const address = { host: '127.0.0.1', port: Number(new URL(device.uri).port), waitEof: true }
  const begin = async () => {
    await waitFor(() => expect(device.connections[0]?.socket.closed).toBe(true))
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const { signal } = new AbortController()
  const sent = sendRaw(address, { file, qty: 1, begin, report: () => undefined, signal }, TIMINGS)
  await expect(sent).rejects.toBeInstanceOf(NothingSent)
})

test.each<[string, Behaviour, string, Buffer, Partial<SpoolerState>, printed: number]>([
  ['closes its side early', 'half-closes', '', LONG, UNCONFIRMED, 0],
  ['closes its side early, with waiteof=false,', 'half-closes', '?waiteof=false', LONG, COMPLETED, 1],
  ['resets the connection after the first bytes', 100_000, '', LONG, UNCONFIRMED, 0],
  ['resets the connection when it has all bytes', LABEL.length, '', LABEL, UNCONFIRMED, 0],
  ['never closes its side', 'never closes', '', LABEL, NOT_CONFIRMED, 1],
  ['never closes its side, with waiteof=false,', 'never closes', '?waiteof=false', LABEL, COMPLETED, 1],
])('a printer that %s', async (_, behaviour, suffix, document, state, printed) => {
  const { device, print, becomes, spooler } = await openWith(behaviour, suffix)
  const id = await print(document)
  await becomes(id, state)
  if (state === COMPLETED) expect((await spooler.state(id))?.message).toBeUndefined()
  if (printed > 0) await waitFor(() => expect(device.printed().map((bytes) => bytes.equals(document))).toEqual([true]))
  device.behaviour = 'prints'
  await becomes(await print(LABEL), COMPLETED)
  // The first job was not sent again.
  expect(device.begun()).toHaveLength(2)
})

test('a printer that takes no data is waited for, also by an agent that stops', async () => {
  const { device, spooler, print, becomes, dir } = await openWith('reads nothing')
  const id = await print(LONG)
  await becomes(id, TAKES_NOTHING)
  for (let times = 0; times < 20; times++) await spooler.printers()
  expect(device.connections).toHaveLength(1)
  const closed = spooler.close?.()
  const [{ socket } = expect.fail('no connection')] = device.connections
  socket.on('end', () => socket.end())
  socket.resume()
  await closed
  expect(socket.bytesRead).toBe(LONG.length)
  const { spooler: later } = open([{ name: 'Zebra', uri: device.uri }], dir)
  expect(await later.state(id)).toMatchObject(COMPLETED)
})

test('a printer is reported with its configuration, offline while it does not answer', async () => {
  const device = await startRawPrinter()
  const facts = { description: 'At the door', dpis: ['203x203'] }
  const { spooler } = open([
    { name: 'Zebra', uri: device.uri, papers: { '4x6': [1016, 1524], Roll: [1016, null] }, ...facts },
  ])
  const papers = [
    { name: '4x6', size: { width: 1016, height: 1524 } },
    { name: 'Roll', size: { width: 1016, height: undefined } },
  ]
  const capabilities = { papers, dpis: ['203x203'], copies: 1 }
  const described = { osName: 'Zebra', name: 'Zebra', description: 'At the door', state: 'online', capabilities }
  expect(await spooler.printers()).toMatchObject([described])
  const shows = (state: object) => waitFor(async () => expect(await spooler.printers()).toMatchObject([state]))
  device.switchOff()
  const stateDetail = expect.stringContaining('cannot be reached')
  await shows({ state: 'offline', stateReasons: ['connecting-to-device'], stateDetail })
  await device.switchOn()
  await shows({ state: 'online', stateDetail: '' })
})

test('nothing is sent while the job cannot be recorded on the disk; afterwards it prints once', async () => {
  const device = await startRawPrinter()
  const disk = openJobStore(makeDataDir())
  onTestFinished(disk.close)
  let failures = 0
  const durable = async () => {
    if (++failures <= 3) throw new Error('no space left on the disk')
    await disk.durable()
  }
  const raw = createRawDevice({ name: 'Zebra', uri: device.uri }, TIMINGS)
  const queue = createQueue('Zebra', raw, { ...disk, durable }, BACKOFF, silent, () => undefined)
  onTestFinished(() => queue.close())
  const id = await disk.add(submission(LABEL))
  disk.release(id)
  queue.wake()
  await waitFor(() => expect(disk.get(id)).toMatchObject({ phase: 'completed' }))
  expect(failures).toBe(4)
  expect([device.printed(), device.begun().length]).toEqual([[LABEL], 1])
})
