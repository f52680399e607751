/** Printers on port 9100 with real connections. */
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
/** Larger than the buffers of a connection. */
const LARGE = Buffer.alloc(20_000_000, 'x')
const silent = pino({ level: 'silent' })

const submission = (document: Buffer, changes?: Partial<Submission>) => makeSubmission(document, 'Zebra', changes)

function openNetworkSpooler(printers: NetworkPrinter[], dir = makeDataDir()) {
  const openDevice = (printer: NetworkPrinter) => createRawDevice(printer, { timings: TIMINGS })
  const spooler = createNetworkSpooler({ dir, printers, log: silent, openDevice, backoff: BACKOFF })
  spooler.start?.()
  onTestFinished(() => void spooler.close?.())
  return {
    dir,
    spooler,
    async print(...args: Parameters<typeof submission>): Promise<string> {
      const { spoolerJobId } = await spooler.submitHeld(submission(...args))
      await spooler.release(spoolerJobId)
      return spoolerJobId
    },
    waitForState: (id: string, state: Partial<SpoolerState>) =>
      waitFor(async () => expect(await spooler.state(id)).toMatchObject(state)),
  }
}

async function openWithPrinter(behaviour?: Behaviour, suffix = '') {
  const device = await startRawPrinter(behaviour)
  return { device, ...openNetworkSpooler([{ name: 'Zebra', uri: device.uri + suffix }]) }
}

const COMPLETED: Partial<SpoolerState> = { is: 'completed' }
const REMOVED: Partial<SpoolerState> = { is: 'aborted', reasons: ['job-canceled-by-user'] }
const UNCONFIRMED: Partial<SpoolerState> = { is: 'aborted', reasons: ['unconfirmed'] }
const UNREACHABLE: Partial<SpoolerState> = { is: 'pending', message: expect.stringContaining('cannot be reached') }
const STALLED: Partial<SpoolerState> = { is: 'processing', message: expect.stringContaining('accepts no data') }
const NOT_CONFIRMED: Partial<SpoolerState> = {
  is: 'completed',
  message: expect.stringContaining('did not confirm'),
  reasons: ['completion-unconfirmed'],
}

test('a held job is not sent; after its release it is sent once, with qty prints on one connection, and its document is deleted', async () => {
  const { device, dir, spooler, print, waitForState } = await openWithPrinter()
  const { spoolerJobId } = await spooler.submitHeld(submission(LABEL, { qty: 3 }))
  expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'held' })
  const other = Buffer.from('another')
  await waitForState(await print(other), COMPLETED)
  expect(device.printed()).toEqual([other])
  await spooler.release(spoolerJobId)
  await expect(spooler.release(spoolerJobId)).rejects.toThrow('already been released')
  await waitForState(spoolerJobId, COMPLETED)
  expect(device.printed()).toEqual([other, Buffer.concat([LABEL, LABEL, LABEL])])
  await waitFor(() => expect(readdirSync(join(dir, 'documents'))).toEqual([]))
})

test('jobs of one printer are sent in the order of their releases, one at a time', async () => {
  const { device, print, waitForState } = await openWithPrinter()
  const documents = Array.from({ length: 20 }, (_, index) => Buffer.from(`label ${index}`))
  const ids: string[] = []
  for (const document of documents) ids.push(await print(document))
  await waitForState(ids.at(-1) ?? '', COMPLETED)
  expect(device.printed().map(String)).toEqual(documents.map(String))
  expect(device.maxConnections()).toBe(1)
})

test('printers do not wait for each other', async () => {
  const [stuck, free] = await Promise.all([startRawPrinter('reads nothing'), startRawPrinter()])
  const { print, waitForState } = openNetworkSpooler([
    { name: 'Stuck', uri: stuck.uri },
    { name: 'Zebra', uri: free.uri },
  ])
  await print(LARGE, { printerOsName: 'Stuck' })
  await waitForState(await print(LABEL), COMPLETED)
})

test.each([
  ['a PDF', { contentType: 'pdf_base64' }, 'document-format-not-supported'],
  ['an unknown printer', { printerOsName: 'Other' }, 'printer-not-found'],
])('a job is refused for %s', async (_, facts, reason) => {
  const { spooler, dir } = await openWithPrinter()
  const refused = { name: 'SpoolerRefusal', reasons: [reason] }
  await expect(spooler.submitHeld(submission(LABEL, facts))).rejects.toMatchObject(refused)
  expect(readdirSync(dir)).toEqual([])
})

test('an unreachable printer is retried until it is reachable, and prints once; a watch yields each state once', async () => {
  const { device, spooler, print, waitForState } = await openWithPrinter()
  device.switchOff()
  const id = await print(LABEL)
  await waitForState(id, UNREACHABLE)
  const later = await print(Buffer.from('later'))
  expect(await spooler.state(later)).toMatchObject({ is: 'pending' })
  const states: string[] = []
  for await (const { is, message } of spooler.watch(id, new AbortController().signal)) {
    states.push(is)
    if (message?.includes('cannot be reached')) await device.switchOn()
  }
  expect([...new Set(states)]).toEqual(['pending', 'processing', 'completed'])
  await waitForState(later, COMPLETED)
  expect(device.printed()).toEqual([LABEL, Buffer.from('later')])
})

test.each<[string, isOff: boolean]>([
  ['for an unreachable printer is not sent', true],
  ['that is being sent sends nothing more', false],
])('a removed job %s, and the next job prints', async (_, isOff) => {
  const { device, spooler, print, waitForState } = await openWithPrinter('reads nothing')
  if (isOff) device.switchOff()
  const id = await print(LARGE)
  await waitForState(id, isOff ? UNREACHABLE : STALLED)
  await spooler.remove(id)
  expect(await spooler.state(id)).toMatchObject(REMOVED)
  device.behaviour = 'prints'
  if (isOff) await device.switchOn()
  await waitForState(await print(LABEL), COMPLETED)
  expect(device.printed()).toEqual([LABEL])
})

test('nothing is sent if the printer closes the connection before the first byte', async () => {
  const device = await startRawPrinter('hangs up')
  const { file } = submission(LABEL)
  const address = { host: '127.0.0.1', port: Number(new URL(device.uri).port), waitEof: true }
  const begin = async () => {
    await waitFor(() => expect(device.connections[0]?.socket.closed).toBe(true))
    for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve))
  }
  const { signal } = new AbortController()
  const sent = sendRaw(address, { file, qty: 1, begin, report: () => undefined, signal }, TIMINGS)
  await expect(sent).rejects.toBeInstanceOf(NothingSent)
})

test.each<[string, Behaviour, string, Buffer, Partial<SpoolerState>, printed: number]>([
  ['closes its side early', 'half-closes', '', LARGE, UNCONFIRMED, 0],
  ['closes its side early, with waiteof=false,', 'half-closes', '?waiteof=false', LARGE, COMPLETED, 1],
  ['resets the connection after the first bytes', 100_000, '', LARGE, UNCONFIRMED, 0],
  ['resets the connection after all bytes', LABEL.length, '', LABEL, UNCONFIRMED, 0],
  ['never closes its side', 'never closes', '', LABEL, NOT_CONFIRMED, 1],
  ['never closes its side, with waiteof=false,', 'never closes', '?waiteof=false', LABEL, COMPLETED, 1],
])(
  'a printer that %s prints the next job, and the first one is not sent again',
  async (_, behaviour, suffix, document, state, printed) => {
    const { device, print, waitForState, spooler } = await openWithPrinter(behaviour, suffix)
    const id = await print(document)
    await waitForState(id, state)
    if (state === COMPLETED) expect((await spooler.state(id))?.message).toBeUndefined()
    if (printed > 0)
      await waitFor(() => expect(device.printed().map((bytes) => bytes.equals(document))).toEqual([true]))
    device.behaviour = 'prints'
    await waitForState(await print(LABEL), COMPLETED)
    // The first job was not sent again.
    expect(device.connectionsWithData()).toHaveLength(2)
  },
)

test('a printer that accepts no data is waited for, also by a stopping agent', async () => {
  const { device, spooler, print, waitForState, dir } = await openWithPrinter('reads nothing')
  const id = await print(LARGE)
  await waitForState(id, STALLED)
  for (let count = 0; count < 20; count++) await spooler.printers()
  expect(device.connections).toHaveLength(1)
  const closed = spooler.close?.()
  const [{ socket } = expect.fail('no connection')] = device.connections
  socket.on('end', () => socket.end())
  socket.resume()
  await closed
  expect(socket.bytesRead).toBe(LARGE.length)
  const { spooler: later } = openNetworkSpooler([{ name: 'Zebra', uri: device.uri }], dir)
  expect(await later.state(id)).toMatchObject(COMPLETED)
})

test('a printer is reported with its configuration, and as offline while it does not answer', async () => {
  const device = await startRawPrinter()
  const facts = { description: 'Near the door', dpis: ['203x203'] }
  const { spooler } = openNetworkSpooler([
    { name: 'Zebra', uri: device.uri, papers: { '4x6': [1016, 1524], Roll: [1016, null] }, ...facts },
  ])
  const papers = [
    { name: '4x6', size: { width: 1016, height: 1524 } },
    { name: 'Roll', size: { width: 1016, height: undefined } },
  ]
  const capabilities = { papers, dpis: ['203x203'], copies: 1 }
  const expected = { osName: 'Zebra', name: 'Zebra', description: 'Near the door', state: 'online', capabilities }
  expect(await spooler.printers()).toMatchObject([expected])
  const waitForReport = (state: object) => waitFor(async () => expect(await spooler.printers()).toMatchObject([state]))
  device.switchOff()
  const stateDetail = expect.stringContaining('cannot be reached')
  await waitForReport({ state: 'offline', stateReasons: ['connecting-to-device'], stateDetail })
  await device.switchOn()
  await waitForReport({ state: 'online', stateDetail: '' })
})

test('a job whose end the printer does not confirm shows it while it is waited for', async () => {
  const { print, waitForState } = await openWithPrinter('never closes')
  const id = await print(LABEL)
  await waitForState(id, { is: 'processing', message: expect.stringContaining('does not confirm the end yet') })
  await waitForState(id, NOT_CONFIRMED)
})

test.each([[['begin']], [['durable']], [['durable', 'requeue']], [['finish']]] as const)(
  'a job is sent once, its end is known, and it shows the cause when these records of it fail three times: %s',
  async (names) => {
    const device = await startRawPrinter()
    const disk = openJobStore(makeDataDir())
    onTestFinished(disk.close)
    const failing = names.map((name) => {
      let calls = 0
      const write = (...parameters: never[]) => {
        if (++calls <= 3) throw new Error('no space left on the disk')
        return Reflect.apply(disk[name], disk, parameters)
      }
      return [name, write]
    })
    const raw = createRawDevice({ name: 'Zebra', uri: device.uri }, { timings: TIMINGS })
    const store = { ...disk, ...Object.fromEntries(failing) }
    const messages: unknown[] = []
    const queue = createQueue(
      'Zebra',
      () => raw,
      store,
      BACKOFF,
      silent,
      (id) => messages.push(queue.getState(id)?.message),
    )
    onTestFinished(() => queue.close())
    const id = await disk.add(submission(LABEL))
    disk.release(id)
    queue.wake()
    await waitFor(() => expect(disk.get(id)).toMatchObject({ phase: 'completed' }))
    expect(messages).toContainEqual(expect.stringContaining('cannot write to its disk'))
    expect([device.printed(), device.connectionsWithData().length]).toEqual([[LABEL], 1])
  },
)
