/** A random printer, random jobs and a random fault, by a seed. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RAW_LANGUAGES, type RawLanguage } from '@platen/proto/raw-languages.ts'
import { encodeEscpos } from '../../agent/spoolers/raster/encode-escpos.ts'
import { DRAWN } from '../../agent/spoolers/spooler.ts'
import { type Random, seededRandom } from '../chaos/random.ts'
import type { Device } from './device.ts'
import { useEpson, useLaser, useSato, useStar, useZebra } from './print-on.ts'

const STATES = {
  paper: [{ paper: 0 }, { paper: 1_000 }],
  cover: [{ isOpen: true }, { isOpen: false }],
  pause: [{ isPaused: true }, { isPaused: false }],
} as const
const FAULTS = ['none', 'paper', 'cover', 'pause', 'power'] as const

export interface Ordered {
  name: string
  document: Buffer
  contentType?: string
  qty: number
  /** The sheets of one copy. */
  sheets: number
}

interface Fault {
  kind: (typeof FAULTS)[number]
  afterSheets: number
  lastsMs: number
}

export async function createScenario(seed: number) {
  const random = seededRandom(seed)
  const { chance, integer } = random
  const language = random.pick(RAW_LANGUAGES)
  const traits = {
    sheetMs: integer(10, 60),
    losesAtEnd: chance(30),
    isSingle: chance(30),
    ...(chance(30) && { pieceMs: integer(1, 3) }),
    ...(chance(20) && { garbage: Buffer.from(chance(50) ? '\x00\x12\x02x\x03' : '\x02\x03"7"\r\n', 'latin1') }),
    isOneWay: chance(10),
  }
  const own = {
    zpl: { isSilentInFaults: chance(40), countsMoving: chance(50), hasNoOdometer: chance(30) },
    escpos: { hasIds: chance(60) },
    star: { hasIds: chance(80), isAutomatic: chance(40) },
    sbpl: { hasNames: chance(50), editMs: integer(0, 60) },
    pjl: { hasNoEnd: chance(30), readsAhead: chance(50) },
  }
  const start: Record<RawLanguage, () => Promise<Device>> = {
    zpl: () => useZebra({ ...traits, ...own.zpl }),
    escpos: () => useEpson({ ...traits, ...own.escpos }),
    star: () => useStar({ ...traits, ...own.star }),
    sbpl: () => useSato({ ...traits, ...own.sbpl }),
    pjl: () => useLaser({ ...traits, ...own.pjl }),
  }
  const jobs = Array.from({ length: integer(1, 3) }, (_, n) => order(n, language, random))
  const fault: Fault = { kind: random.pick(FAULTS), afterSheets: integer(0, 4), lastsMs: integer(30, 500) }
  const description = { seed, language, traits, own: own[language], fault }
  return { random, language, traits, jobs, fault, description, device: await start[language]() }
}

export function order(n: number, language: RawLanguage, { chance, integer }: Random): Ordered {
  const name = `job${n}`
  const qty = integer(1, 3)
  const of = (document: string, sheets: number) => ({ name, document: Buffer.from(document, 'latin1'), qty, sheets })
  const sheets = integer(1, 4)
  if (language === 'star') return of(`${name}\n\x1bd\x03`, 1)
  if (language === 'pjl') return of(`\x1bE${`${name}\n\f`.repeat(sheets)}`, sheets)
  if (language === 'sbpl') return of(`\x1bA\x1bS${name}\x1bQ${sheets}\x1bZ`, sheets)
  // The number of labels of a document with other characters of commands is not known.
  if (language === 'zpl')
    return of(`${chance(30) ? '^CT~' : ''}^XA^FD${name}^FS^PQ${sheets}${chance(20) ? ',1' : ''}^XZ`, sheets)
  if (chance(50)) return of(`${name}\n\x1dVB\x00`, 1)
  const document = encodeEscpos({ width: 16, height: 8, bytesPerRow: 2, dots: new Uint8Array(16).fill(0x81 + n) })
  return { name: `picture ${16 * (0x81 + n)}`, document, qty, sheets: 1, contentType: DRAWN }
}

/** Lets the fault happen. */
export function startFault(device: Device, { kind, afterSheets, lastsMs }: Fault) {
  const state = { hadPowerCut: false, sinceMs: Number.POSITIVE_INFINITY }
  const end = (async () => {
    const until = performance.now() + 3_000
    while (device.sheets.length < afterSheets && performance.now() < until) await sleep(3)
    if (kind === 'none') return
    state.sinceMs = performance.now()
    if (kind === 'power') {
      state.hadPowerCut = true
      device.switchOff()
      await sleep(lastsMs)
      await device.switchOn()
    } else {
      Object.assign(device.machine, STATES[kind][0])
      await sleep(lastsMs)
      Object.assign(device.machine, STATES[kind][1])
    }
  })()
  return Object.assign(state, { end })
}

export function countIn(bytes: Buffer, document: Buffer): number {
  let found = 0
  for (let at = bytes.indexOf(document); at !== -1; at = bytes.indexOf(document, at + document.length)) found++
  return found
}

/** Until all sheets that can come are out. */
export async function settle(device: Device, { kind }: Fault, sheetMs: number): Promise<void> {
  for (let last = -1; last !== device.sheets.length || device.isBusy(); ) {
    last = device.sheets.length
    await sleep(kind === 'none' ? 2 * sheetMs + 20 : Math.max(2 * sheetMs + 20, 120))
  }
}
