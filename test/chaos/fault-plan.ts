/** What will go wrong in a run, and when: made from the seed alone, before anything runs. `faults.ts` carries it out. */
import { type Aim, planAimedFaults } from './aimed-faults.ts'
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
  /** A process or a link, without the numbers of replicas: "jobs", "gateway > jobs". */
  place: string
  /** Which of those at that place: this, modulo how many there are. */
  selector: number
  /** Of the links at that place only those that carry a connection are meant, if there are any. */
  isInUse?: true
  startAfterMs: number
  /** It then waits for this. */
  aim?: Aim
  /** Before it starts, all that leads to its place is slow, so that it hits what is on its way. */
  lag?: { lastsMs: number; delayMs: number }
  /** This long before it starts, clients create jobs all at once, so that it hits them at some step of theirs. */
  burstBeforeMs: number
  /** 0 of what takes as long as it takes. */
  durationMs: number
  /** Of `delay`. */
  delayMs?: number
}

/** Each plan draws from this bag without putting back: at most one wipe and one restart, and no kind is missing for long. */
const BAG = weighted<FaultKind>({
  'kill -9': 6,
  pause: 3,
  delay: 1,
  cut: 3,
  'half-open': 2,
  reset: 3,
  'wipe NATS': 1,
  'restart PostgreSQL': 1,
})
const FAULTS_EACH_20_SECONDS = 13

/** Drawn from in the same way. What holds state of its own, or something that only it knows for a moment, is hit more often. */
const PROCESSES = weighted({
  agent: 3,
  jobs: 2,
  devices: 2,
  gateway: 1,
  'nats-server': 2,
  accounts: 1,
  usage: 2,
  webhooks: 2,
  spooler: 1,
})
const LINKS = weighted({
  'agent > devices': 4,
  'gateway > jobs': 3,
  'jobs > nats-server': 4,
  'devices > jobs': 2,
  'jobs > postgres': 2,
  'devices > nats-server': 1,
  'devices > postgres': 1,
  'gateway > devices': 1,
  'gateway > accounts': 1,
  'accounts > postgres': 1,
  'gateway > usage': 1,
  'usage > nats-server': 1,
  'usage > postgres': 1,
  'webhooks > nats-server': 2,
  'webhooks > postgres': 2,
  'agent > spooler': 1,
})

/** Of the window. Nobody can tell what the server had before a wipe, so most of a run has to come after it. */
const WIPE_WITHIN_SHARE = 0.3

/** The load has made jobs by then. */
const FIRST_START_MS = 1_000
/** Below and above each limit of a chaos run: 5 s to a resend, 10 s to a repetition by JetStream, 10 s of a request, heartbeats. */
const PAUSES_MS = [300, 1_000, 4_000, 9_000, 12_000]
const LINK_FAULTS_MS = [500, 500, 2_000, 2_000, 6_000, 12_000]
const DELAYS_MS = { from: 50, to: 1_500 }
/** A request and its answer, both delayed, fit into a lag twice over: at its end some of each are on their way. */
const LAG = { percent: 50, lastsMs: 1_000, delayMs: { from: 50, to: 250 } }
/** Until the creation has come to jobs, until the agent has the job, until it is printed. */
const BURSTS_BEFORE_MS = [20, 80, 200, 500]
/** So often a fault starts within this time after the one before it, and what is not momentary overlaps. */
const SWARM_PERCENT = 40
const SWARM_WITHIN_MS = 400

/**
 * What comes at any moment, wherever that finds the system, and what is aimed.
 *
 * @param windowMs all faults start in it, and end in it where it is long enough.
 */
export function planFaults(seed: number, windowMs: number): PlannedFault[] {
  const random = seededRandom(seed)
  const faults = [
    ...planBlindFaults(random, windowMs),
    ...planAimedFaults(random, { fromMs: FIRST_START_MS, windowMs }),
  ]
  return faults.toSorted((a, b) => a.startAfterMs - b.startAfterMs)
}

function planBlindFaults(random: Random, windowMs: number): PlannedFault[] {
  const wanted = Math.max(1, Math.round((windowMs / 20_000) * FAULTS_EACH_20_SECONDS))
  const kinds: FaultKind[] = []
  while (kinds.length < wanted) kinds.push(...random.shuffle(BAG))
  const places = { processes: [] as string[], links: [] as string[] }

  const faults: PlannedFault[] = []
  for (const kind of kinds.slice(0, wanted)) {
    const durationMs = durationOf(kind, random)
    const latestMs = Math.max(
      FIRST_START_MS,
      kind === 'wipe NATS' ? windowMs * WIPE_WITHIN_SHARE : windowMs - durationMs,
    )
    const before = faults.at(-1)
    const swarms = before !== undefined && random.chance(SWARM_PERCENT)
    faults.push({
      kind,
      place: placeOf(kind, places, random),
      selector: random.integer(0, 0x7fff_ffff),
      startAfterMs: swarms
        ? before.startAfterMs + random.integer(0, SWARM_WITHIN_MS)
        : random.integer(FIRST_START_MS, latestMs),
      burstBeforeMs: random.pick(BURSTS_BEFORE_MS),
      durationMs,
      ...(canLag(kind) && random.chance(LAG.percent)
        ? { lag: { lastsMs: LAG.lastsMs, delayMs: random.integer(LAG.delayMs.from, LAG.delayMs.to) } }
        : {}),
      ...(kind === 'delay' ? { delayMs: random.integer(DELAYS_MS.from, DELAYS_MS.to) } : {}),
    })
  }
  return faults
}

function placeOf(kind: FaultKind, left: { processes: string[]; links: string[] }, random: Random): string {
  switch (kind) {
    case 'kill -9':
    case 'pause':
      return draw(left.processes, PROCESSES, random)
    case 'delay':
    case 'cut':
    case 'half-open':
    case 'reset':
      return draw(left.links, LINKS, random)
    case 'wipe NATS':
      return 'nats-server'
    case 'restart PostgreSQL':
      return 'postgres'
  }
}

/** @param left what is still in the bag; filled anew when it is empty. */
function draw(left: string[], bag: readonly string[], random: Random): string {
  if (left.length === 0) left.push(...random.shuffle(bag))
  return left.pop() ?? ''
}

/** What is paused or slow goes on with what was on its way. */
function canLag(kind: FaultKind): boolean {
  return kind !== 'pause' && kind !== 'delay'
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

function weighted<T extends string>(weights: Record<T, number>): readonly T[] {
  return (Object.entries(weights) as [T, number][]).flatMap(([item, weight]) => Array<T>(weight).fill(item))
}
