/** What will go wrong in a run, and when: made from the seed alone, before anything runs. `faults.ts` carries it out. */
import { type Random, seededRandom } from './random.ts'

export const FAULT_KINDS = [
  'kill -9',
  'pause',
  'delay',
  'cut',
  'half-open',
  'reset',
  'wipe NATS',
  'restart PostgreSQL',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface PlannedFault {
  kind: FaultKind
  /** Which process or link: this, modulo how many there are. */
  selector: number
  startAfterMs: number
  /** 0 of what takes as long as it takes. */
  durationMs: number
  /** Of `delay`. */
  delayMs?: number
}

/** Each plan draws from this bag without putting back: at most one wipe and one restart, and no kind is missing for long. */
const BAG: readonly FaultKind[] = [
  ...Array<FaultKind>(5).fill('kill -9'),
  ...Array<FaultKind>(4).fill('pause'),
  ...Array<FaultKind>(2).fill('delay'),
  ...Array<FaultKind>(2).fill('cut'),
  ...Array<FaultKind>(2).fill('half-open'),
  ...Array<FaultKind>(2).fill('reset'),
  'wipe NATS',
  'restart PostgreSQL',
]
const FAULTS_EACH_20_SECONDS = 11

/** The load has made jobs by then. */
const FIRST_START_MS = 1_000
/** Below and above each limit of a chaos run: 5 s to a resend, 10 s to a repetition by JetStream, 10 s of a request, heartbeats. */
const PAUSES_MS = [300, 1_000, 4_000, 9_000, 12_000]
const LINK_FAULTS_MS = [500, 2_000, 6_000, 12_000]
const DELAYS_MS = { from: 50, to: 1_500 }
/** So often a fault starts within this time after the one before it, and what is not momentary overlaps. */
const SWARM_PERCENT = 40
const SWARM_WITHIN_MS = 400

/** @param windowMs all faults start in it, and end in it where it is long enough. */
export function planFaults(seed: number, windowMs: number): PlannedFault[] {
  const random = seededRandom(seed)
  const wanted = Math.max(1, Math.round((windowMs / 20_000) * FAULTS_EACH_20_SECONDS))
  const kinds: FaultKind[] = []
  while (kinds.length < wanted) kinds.push(...random.shuffle(BAG))

  const faults: PlannedFault[] = []
  for (const kind of kinds.slice(0, wanted)) {
    const durationMs = durationOf(kind, random)
    const latestMs = Math.max(FIRST_START_MS, windowMs - durationMs)
    const before = faults.at(-1)
    const swarms = before !== undefined && random.chance(SWARM_PERCENT)
    faults.push({
      kind,
      selector: random.integer(0, 0x7fff_ffff),
      startAfterMs: swarms
        ? before.startAfterMs + random.integer(0, SWARM_WITHIN_MS)
        : random.integer(FIRST_START_MS, latestMs),
      durationMs,
      ...(kind === 'delay' ? { delayMs: random.integer(DELAYS_MS.from, DELAYS_MS.to) } : {}),
    })
  }
  return faults.toSorted((a, b) => a.startAfterMs - b.startAfterMs)
}

function durationOf(kind: FaultKind, random: Random): number {
  switch (kind) {
    case 'pause':
      return random.pick(PAUSES_MS)
    case 'delay':
    case 'cut':
    case 'half-open':
      return random.pick(LINK_FAULTS_MS)
    case 'kill -9':
    case 'reset':
    case 'wipe NATS':
    case 'restart PostgreSQL':
      return 0
  }
}
