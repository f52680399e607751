/**
 * A random printer, random jobs and a random fault, and what must never happen. `npm run test:long -- paper` runs many.
 *
 * A job must not be confirmed by the printer before its last sheet; be printed twice; end in an error although only its word is missing; be
 * interrupted by a question; be done while a printer that answers says why it does not print; or be lost by the end of its connection.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeEscpos } from '../../agent/spoolers/raster/encode-escpos.ts'
import { DRAWN } from '../../agent/spoolers/spooler.ts'
import { canPrint, type Device } from './device.ts'
import { openDeviceSpooler, useEpson, useZebra } from './print-on.ts'

/** @returns a number from 0 to 1. Source: mulberry32. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const FAULTS = {
  paper: [{ paper: 0 }, { paper: 1_000 }],
  cover: [{ isOpen: true }, { isOpen: false }],
  pause: [{ isPaused: true }, { isPaused: false }],
} as const

interface Ordered {
  name: string
  document: Buffer
  contentType?: string
  qty: number
  /** The sheets of one copy. */
  sheets: number
}

/** @returns a sentence for each violation, and what the trial was. */
export async function runTrial(seed: number): Promise<{ violations: string[]; description: string }> {
  const random = createRandom(seed)
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const maybe = (probability: number) => random() < probability
  const language = maybe(0.5) ? 'zpl' : 'escpos'
  const traits = {
    sheetMs: between(10, 60),
    losesAtEnd: maybe(0.3),
    isSingle: maybe(0.3),
    ...(maybe(0.3) && { pieceMs: between(1, 3) }),
    ...(maybe(0.2) && { garbage: Buffer.from(maybe(0.5) ? '\x00\x12\x02x\x03' : '\x02\x03"7"\r\n', 'latin1') }),
    isOneWay: maybe(0.1),
  }
  const zebra = { isSilentInFaults: maybe(0.4), countsMoving: maybe(0.5), hasNoOdometer: maybe(0.3) }
  const epson = { hasIds: maybe(0.6) }
  const device = language === 'zpl' ? await useZebra({ ...traits, ...zebra }) : await useEpson({ ...traits, ...epson })
  const { print } = openDeviceSpooler(device, language)

  const jobs: Ordered[] = Array.from({ length: between(1, 3) }, (_, n) => order(n))
  function order(n: number): Ordered {
    const name = `job${n}`
    const qty = between(1, 3)
    if (language === 'escpos') {
      const isDrawn = maybe(0.5)
      const dots = new Uint8Array(16).fill(0x81 + n)
      const document = isDrawn
        ? encodeEscpos({ width: 16, height: 8, bytesPerRow: 2, dots })
        : Buffer.from(`${name}\n\x1dVB\x00`, 'latin1')
      return {
        name: isDrawn ? `picture ${16 * (0x81 + n)}` : name,
        document,
        qty,
        sheets: 1,
        ...(isDrawn && { contentType: DRAWN }),
      }
    }
    const sheets = between(1, 4)
    // The number of labels of a document with other characters of commands is not known.
    const text = `${maybe(0.3) ? '^CT~' : ''}^XA^FD${name}^FS^PQ${sheets}${maybe(0.2) ? ',1' : ''}^XZ`
    return { name, document: Buffer.from(text), qty, sheets }
  }

  const kind = (['none', 'paper', 'cover', 'pause', 'power'] as const)[between(0, language === 'zpl' ? 4 : 2)] ?? 'none'
  const afterSheets = between(0, 4)
  const lastsMs = between(30, 500)
  let hadPowerCut = false
  let faultyMs = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  const fault = (async () => {
    const until = performance.now() + 3_000
    while (device.sheets.length < afterSheets && performance.now() < until) await sleep(3)
    if (kind === 'none') return
    faultyMs = { from: performance.now(), to: Number.POSITIVE_INFINITY }
    if (kind === 'power') {
      hadPowerCut = true
      device.switchOff()
      await sleep(lastsMs)
      await device.switchOn()
    } else {
      Object.assign(device.machine, FAULTS[kind][0])
      await sleep(lastsMs)
      Object.assign(device.machine, FAULTS[kind][1])
    }
    faultyMs.to = performance.now()
  })()

  const violations: string[] = []
  let isKnown = false
  const before = new Map<string, number>()
  const count = (name: string) => device.sheets.filter(({ text }) => text === name).length
  for (const job of jobs) {
    before.set(job.name, count(job.name))
    const changes = { qty: job.qty, ...(job.contentType && { contentType: job.contentType }) }
    const { state } = await print(job.document, changes).catch(() => ({ state: undefined }))
    if (!state) {
      violations.push(`${job.name}: does not end`)
      break
    }
    const expected = job.qty * job.sheets
    const printed = () => count(job.name) - (before.get(job.name) ?? 0)
    const isDone = state.is === 'completed'
    // A printer whose answer has never reached the agent in time is not known to have the word.
    isKnown ||= state.confirmedBy === 'printer'
    if (state.confirmedBy === 'printer' && printed() < expected)
      violations.push(`${job.name}: confirmed with ${printed()} of ${expected} sheets`)
    if (!isDone && !hadPowerCut) violations.push(`${job.name}: ${state.message}`)
    const isFaulty = !canPrint(device.machine) && performance.now() - faultyMs.from > 200
    if (isDone && isFaulty && isKnown && printed() < expected)
      violations.push(`${job.name}: done while the printer cannot print`)
    await settle(device, kind, traits.sheetMs)
    if (printed() > expected) violations.push(`${job.name}: ${printed()} sheets instead of ${expected}`)
    if (isDone && isKnown && !hadPowerCut && printed() < expected)
      violations.push(`${job.name}: lost, ${printed()} of ${expected} sheets`)
    if (isDone && countIn(device.received(), job.document) < job.qty && !hadPowerCut)
      violations.push(`${job.name}: a question is inside of the document`)
  }
  await fault
  return {
    violations,
    description: JSON.stringify({ seed, language, traits, zebra, epson, kind, afterSheets, lastsMs }),
  }
}

function countIn(bytes: Buffer, document: Buffer): number {
  let found = 0
  for (let at = bytes.indexOf(document); at !== -1; at = bytes.indexOf(document, at + document.length)) found++
  return found
}

/** Until all sheets that can come are out. */
async function settle(device: Device, kind: string, sheetMs: number): Promise<void> {
  for (let last = -1; last !== device.sheets.length; ) {
    last = device.sheets.length
    await sleep(kind === 'none' ? 2 * sheetMs + 20 : Math.max(2 * sheetMs + 20, 120))
  }
}
