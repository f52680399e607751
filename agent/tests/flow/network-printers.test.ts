/** Printers on port 9100: a printer of the test on the other end of real connections. */
import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
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
import type { Spooler, SpoolerState } from '../../spoolers/spooler.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { makeDataDir } from '../start-agent.ts'

const TIMINGS = { ...RAW_TIMINGS, stalledAfterMs: 40, onlineMs: 0, offlineMs: 0 }
const BACKOFF = { baseMs: 10, maxMs: 40 }
const LABEL = Buffer.from('^XA^FO50,50^FDHello^FS^XZ\r\n\0\xff', 'latin1')

function openSpooler(printers: NetworkPrinter[], dir = makeDataDir(), timings = TIMINGS) {
  const spooler = createNetworkSpooler({
    dir,
    printers,
    log: pino({ level: 'silent' }),
    openDevice: (printer) => createRawDevice(printer, timings),
    backoff: BACKOFF,
  })
  onTestFinished(() => void spooler.close?.())
  return { dir, spooler }
}

function submission(document: Buffer = LABEL, facts: { printer?: string; qty?: number; contentType?: string } = {}) {
  const { printer: printerOsName = 'Zebra', qty = 1, contentType = 'raw_base64' } = facts
  const token = randomUUID()
  const file = join(makeDataDir(), token)
  writeFileSync(file, document)
  return { token, title: 'Label', printerOsName, file, contentType, qty, options: {} }
}

async function print(spooler: Spooler, ...args: Parameters<typeof submission>): Promise<string> {
  const { spoolerJobId } = await spooler.submitHeld(submission(...args))
  await spooler.release(spoolerJobId)
  return spoolerJobId
}

const becomes = (spooler: Spooler, id: string, state: Partial<SpoolerState>) =>
  waitFor(async () => expect(await spooler.state(id)).toMatchObject(state))

async function rawPrinter(behaviour: Parameters<typeof startRawPrinter>[0] = 'prints', suffix = '') {
  const device = await startRawPrinter(behaviour)
  return { device, ...openSpooler([{ name: 'Zebra', uri: device.uri + suffix }]) }
}

test('a raw document comes out byte for byte, by one connection', async () => {
  const { device, spooler } = await rawPrinter()
  const document = Buffer.concat([LABEL, randomBytes(300_000)])
  await becomes(spooler, await print(spooler, document), { is: 'completed' })
  expect(device.printed()).toEqual([document])
})

test('qty sends the document that often on one connection', async () => {
  const { device, spooler } = await rawPrinter()
  await becomes(spooler, await print(spooler, LABEL, { qty: 3 }), { is: 'completed' })
  expect(device.printed()).toEqual([Buffer.concat([LABEL, LABEL, LABEL])])
})

test('a held job is not sent, and after its release once', async () => {
  const { device, spooler } = await rawPrinter()
  const { spoolerJobId } = await spooler.submitHeld(submission())
  expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'held' })
  await becomes(spooler, await print(spooler, Buffer.from('another')), { is: 'completed' })
  expect(device.printed()).toEqual([Buffer.from('another')])
  await spooler.release(spoolerJobId)
  await expect(spooler.release(spoolerJobId)).rejects.toThrow('released before')
  await becomes(spooler, spoolerJobId, { is: 'completed' })
  expect(device.printed()).toEqual([Buffer.from('another'), LABEL])
})

test('jobs of one printer come out in the order of their releases, one at a time', async () => {
  const { device, spooler } = await rawPrinter()
  const documents = Array.from({ length: 20 }, (_, index) => Buffer.from(`label ${index}`))
  const ids: string[] = []
  for (const document of documents) ids.push(await print(spooler, document))
  await becomes(spooler, ids.at(-1) ?? '', { is: 'completed' })
  expect(device.printed().map(String)).toEqual(documents.map(String))
  expect(device.mostAtOnce()).toBe(1)
})

test('printers do not wait for each other', async () => {
  const [stuck, free] = await Promise.all([startRawPrinter('reads nothing'), startRawPrinter()])
  const { spooler } = openSpooler([
    { name: 'Stuck', uri: stuck.uri },
    { name: 'Zebra', uri: free.uri },
  ])
  await print(spooler, randomBytes(20_000_000), { printer: 'Stuck' })
  await becomes(spooler, await print(spooler), { is: 'completed' })
})

test('a PDF is refused, since the printer could make nothing of it', async () => {
  const { spooler, dir } = await rawPrinter()
  await expect(spooler.submitHeld(submission(LABEL, { contentType: 'pdf_base64' }))).rejects.toMatchObject({
    name: 'SpoolerRefusal',
    message: expect.stringContaining('raw documents'),
    reasons: ['document-format-not-supported'],
  })
  expect(readdirSync(dir)).toEqual([])
})

test('a printer that is not configured is refused', async () => {
  const { spooler } = await rawPrinter()
  await expect(spooler.submitHeld(submission(LABEL, { printer: 'Other' }))).rejects.toMatchObject({
    reasons: ['printer-not-found'],
  })
})

test('a printer that cannot be reached is tried until it can, and prints once', async () => {
  const { device, spooler } = await rawPrinter()
  device.switchOff()
  const id = await print(spooler)
  await becomes(spooler, id, { is: 'processing', message: expect.stringContaining('cannot be reached') })
  const behind = await print(spooler, Buffer.from('behind'))
  expect(await spooler.state(behind)).toMatchObject({ is: 'pending' })
  await device.switchOn()
  await becomes(spooler, behind, { is: 'completed' })
  expect(device.printed()).toEqual([LABEL, Buffer.from('behind')])
})

test('a job for a printer that cannot be reached can be removed', async () => {
  const { device, spooler } = await rawPrinter()
  device.switchOff()
  const id = await print(spooler)
  await becomes(spooler, id, { is: 'processing' })
  await spooler.remove(id)
  expect(await spooler.state(id)).toMatchObject({ is: 'aborted', reasons: ['job-canceled-by-user'] })
  await device.switchOn()
  await becomes(spooler, await print(spooler, Buffer.from('next')), { is: 'completed' })
  expect(device.printed()).toEqual([Buffer.from('next')])
})

test('a printer that hangs up before the first byte has heard nothing of the job', async () => {
  const device = await startRawPrinter('hangs up')
  const { file } = submission()
  const { port } = new URL(device.uri)
  const address = { host: '127.0.0.1', port: Number(port), waitEof: true }
  const signal = new AbortController().signal
  const begin = async () => {
    await waitFor(() => expect(device.connections[0]?.socket.closed).toBe(true))
    for (let turn = 0; turn < 10; turn++) await turnOfEventLoop()
  }
  const sent = sendRaw(address, { file, qty: 1, begin, say: () => undefined, signal }, TIMINGS)
  await expect(sent).rejects.toBeInstanceOf(NothingSent)
})

test('a printer that closes its side before it has everything leaves the job unconfirmed', async () => {
  const { spooler } = await rawPrinter('half-closes')
  const id = await print(spooler, randomBytes(20_000_000))
  await becomes(spooler, id, { is: 'aborted', reasons: ['unconfirmed'] })
})

test('with waiteof=false a printer may close its side as early as it likes', async () => {
  const { device, spooler } = await rawPrinter('half-closes', '?waiteof=false')
  const document = randomBytes(20_000_000)
  await becomes(spooler, await print(spooler, document), { is: 'completed' })
  await waitFor(() => expect(device.printed().map(({ length }) => length)).toEqual([document.length]))
})

test('a connection that breaks after the first byte ends the job as unconfirmed, and it is not sent again', async () => {
  const { device, spooler } = await rawPrinter(100_000)
  const id = await print(spooler, randomBytes(20_000_000))
  await becomes(spooler, id, { is: 'aborted', reasons: ['unconfirmed'] })
  expect((await spooler.state(id))?.message).toContain('unknown what was printed')
  device.behaviour = 'prints'
  await becomes(spooler, await print(spooler), { is: 'completed' })
  expect(device.begun()).toHaveLength(2)
})

test('a printer that resets the connection once it has everything leaves the job unconfirmed', async () => {
  const { spooler } = await rawPrinter(LABEL.length)
  await becomes(spooler, await print(spooler), { is: 'aborted', reasons: ['unconfirmed'] })
})

test('a printer that takes no data is waited for, and says so', async () => {
  const { device, spooler } = await rawPrinter('reads nothing')
  const document = randomBytes(20_000_000)
  const id = await print(spooler, document)
  await becomes(spooler, id, { is: 'processing', message: expect.stringContaining('takes no data') })
  const [connection] = device.connections
  if (!connection) throw new Error('no connection')
  let bytes = 0
  connection.socket.on('data', (chunk) => {
    bytes += chunk.length
  })
  connection.socket.on('end', () => connection.socket.end())
  connection.socket.resume()
  await becomes(spooler, id, { is: 'completed' })
  expect(bytes).toBe(document.length)
})

test('a job that is removed while it is sent sends nothing more', async () => {
  const { device, spooler } = await rawPrinter('reads nothing')
  const id = await print(spooler, randomBytes(20_000_000))
  await becomes(spooler, id, { is: 'processing', message: expect.stringContaining('takes no data') })
  await spooler.remove(id)
  expect(await spooler.state(id)).toMatchObject({ is: 'aborted', reasons: ['job-canceled-by-user'] })
  device.behaviour = 'prints'
  await becomes(spooler, await print(spooler), { is: 'completed' })
})

test('a printer that never closes its side is given up on after a while, and the job says that it is not confirmed', async () => {
  const device = await startRawPrinter('never closes')
  const timings = { ...TIMINGS, eofWithinMs: 300 }
  const { spooler } = openSpooler([{ name: 'Zebra', uri: device.uri }], makeDataDir(), timings)
  const id = await print(spooler)
  await becomes(spooler, id, { is: 'completed', message: expect.stringContaining('did not confirm') })
})

test('with waiteof=false nobody waits for the printer to close its side', async () => {
  const { device, spooler } = await rawPrinter('never closes', '?waiteof=false')
  const id = await print(spooler)
  await becomes(spooler, id, { is: 'completed' })
  expect((await spooler.state(id))?.message).toBeUndefined()
  await waitFor(() => expect(device.printed()).toEqual([LABEL]))
})

test('watching tells each state once, and ends with the last', async () => {
  const { device, spooler } = await rawPrinter()
  device.switchOff()
  const id = await print(spooler)
  const seen: string[] = []
  for await (const { is, message } of spooler.watch(id, new AbortController().signal)) {
    seen.push(message ? `${is}: ${message.slice(0, 29)}` : is)
    if (message?.includes('cannot be reached')) await device.switchOn()
  }
  expect(seen[0]).toBe('processing')
  expect(seen.at(-1)).toBe('completed')
  expect(seen).toContain('processing: The printer cannot be reached')
})

test('a printer is reported offline when it does not answer, and online when it does again', async () => {
  const device = await startRawPrinter()
  const papers: NetworkPrinter['papers'] = { '4x6': [1016, 1524], Roll: [1016, null] }
  const { spooler } = openSpooler([
    { name: 'Zebra', uri: device.uri, description: 'At the door', papers, dpis: ['203x203'] },
  ])
  const [printer] = await spooler.printers()
  expect(printer).toMatchObject({ osName: 'Zebra', name: 'Zebra', description: 'At the door', state: 'online' })
  expect(printer?.capabilities).toMatchObject({
    papers: [
      { name: '4x6', size: { width: 1016, height: 1524 } },
      { name: 'Roll', size: { width: 1016, height: undefined } },
    ],
    dpis: ['203x203'],
    copies: 1,
  })
  device.switchOff()
  await waitFor(async () =>
    expect(await spooler.printers()).toMatchObject([{ state: 'offline', stateReasons: ['connecting-to-device'] }]),
  )
  expect((await spooler.printers())[0]?.stateDetail).toContain('cannot be reached')
  await device.switchOn()
  await waitFor(async () => expect(await spooler.printers()).toMatchObject([{ state: 'online', stateDetail: '' }]))
})

test('while a job is on its way nobody asks whether the printer is there', async () => {
  const { device, spooler } = await rawPrinter('reads nothing')
  await print(spooler, randomBytes(20_000_000))
  await waitFor(() => expect(device.connections).toHaveLength(1))
  for (let times = 0; times < 20; times++) await spooler.printers()
  expect(device.connections).toHaveLength(1)
})

test('held and released jobs are there after a restart, and released ones are sent', async () => {
  const { device, spooler, dir } = await rawPrinter()
  device.switchOff()
  const held = submission()
  const { spoolerJobId } = await spooler.submitHeld(held)
  const released = await print(spooler, Buffer.from('released'))
  await becomes(spooler, released, { is: 'processing' })
  await spooler.close?.()
  await device.switchOn()
  const { spooler: later } = openSpooler([{ name: 'Zebra', uri: device.uri }], dir)
  expect(await later.find(held.token, 'Zebra')).toMatchObject({ spoolerJobId, state: { is: 'held' } })
  await becomes(later, released, { is: 'completed' })
  expect(device.printed()).toEqual([Buffer.from('released')])
  await later.release(spoolerJobId)
  await becomes(later, spoolerJobId, { is: 'completed' })
  await waitFor(() => expect(readdirSync(join(dir, 'documents'))).toEqual([]))
})

test('a job whose printer left the configuration ends', async () => {
  const { device, spooler, dir } = await rawPrinter()
  device.switchOff()
  const id = await print(spooler)
  await spooler.close?.()
  const { spooler: later } = openSpooler([], dir)
  await becomes(later, id, { is: 'aborted', reasons: ['printer-not-found'] })
})

test('while the disk takes nothing, nothing is sent; afterwards the job prints once', async () => {
  const device = await startRawPrinter()
  const log = pino({ level: 'silent' })
  const disk = openJobStore(makeDataDir())
  onTestFinished(disk.close)
  let failures = 0
  const durable = async () => {
    if (++failures <= 3) throw new Error('no space left on the disk')
    await disk.durable()
  }
  const raw = createRawDevice({ name: 'Zebra', uri: device.uri }, TIMINGS)
  const queue = createQueue('Zebra', raw, { ...disk, durable }, BACKOFF, log, () => undefined)
  onTestFinished(() => queue.close())
  const id = await disk.add(submission())
  disk.release(id)
  queue.wake()
  await waitFor(() => expect(disk.get(id)).toMatchObject({ phase: 'completed' }))
  expect(failures).toBe(4)
  expect(device.printed()).toEqual([LABEL])
  expect(device.begun()).toHaveLength(1)
})

test('an agent that stops lets a document that is being sent come to its end', async () => {
  const { device, spooler, dir } = await rawPrinter('reads nothing')
  const id = await print(spooler, randomBytes(20_000_000))
  await becomes(spooler, id, { is: 'processing', message: expect.stringContaining('takes no data') })
  const closed = spooler.close?.()
  const [connection] = device.connections
  connection?.socket.on('data', () => undefined).on('end', () => connection.socket.end())
  connection?.socket.resume()
  await closed
  const { spooler: later } = openSpooler([{ name: 'Zebra', uri: device.uri }], dir)
  expect(await later.state(id)).toMatchObject({ is: 'completed' })
})
