/** The faults of a run and their times, drawn from the seed before anything starts. `faults.ts` injects them. */
import { type Random, seededRandom } from './random.ts'

/** Below and above the limits of a run: 5 s to a resend, 10 s for a request. */
const PAUSES_MS = [300, 1_000, 4_000, 9_000, 12_000]
const LINK_FAULTS_MS = [500, 500, 2_000, 2_000, 6_000, 12_000]

/** A fault without a duration ends by itself. */
const KINDS = {
  'kill -9': { weight: 6, target: 'process', durationsMs: [0] },
  pause: { weight: 3, target: 'process', durationsMs: PAUSES_MS },
  delay: { weight: 1, target: 'link', durationsMs: LINK_FAULTS_MS },
  cut: { weight: 3, target: 'link', durationsMs: LINK_FAULTS_MS },
  'half-open': { weight: 2, target: 'link', durationsMs: LINK_FAULTS_MS },
  reset: { weight: 3, target: 'link', durationsMs: [0] },
  'wipe NATS': { weight: 1, target: 'nats-server', durationsMs: [0] },
  'delete streams': { weight: 2, target: 'nats-server', durationsMs: [0] },
  'restart PostgreSQL': { weight: 1, target: 'postgres', durationsMs: [0] },
}
export type FaultKind = keyof typeof KINDS

export type PlannedFault = ReturnType<typeof planFaults>[number]

/** Places with weights: what has state of its own is hit more often. */
const SEPARATE = {
  process: `agent 4, jobs 2, devices 2, gateway 1, nats-server 2, accounts 1, usage 2, webhooks 2, test-computers 1`,
  link: `agent > agents 4, test-computers > agents 1, gateway > jobs 3, gateway > devices 1, gateway > accounts 1,
    gateway > usage 1, devices > jobs 2, devices > nats-server 1, devices > postgres 1, jobs > nats-server 2,
    jobs > postgres 2, accounts > postgres 1, usage > jobs 2, usage > postgres 1, webhooks > jobs 2,
    webhooks > devices 1, webhooks > nats-server 2, webhooks > postgres 2`,
}
const TOGETHER = {
  process: `agent 2, platen 4, nats-server 1`,
  link: `agent > agents 2, platen > postgres 2, platen > nats-server 2, platen > agents 1`,
}

const FAULTS_EACH_20_SECONDS = 13
const FIRST_START_MS = 1_000
const DELAYS_MS = { from: 50, to: 1_500 }
/** Until the creation is at the jobs service, until the agent has the job, until it is printed. */
const BURSTS_BEFORE_MS = [20, 80, 200, 500]
/** Some faults follow the one before at once and overlap with it. */
const SWARM_PERCENT = 40
const BURST_MS = 400

/** @param windowMs all faults start in it; none lasts longer than a quarter of it. */
export function planFaults(seed: number, { windowMs, together }: { windowMs: number; together: boolean }) {
  const random = seededRandom(seed)
  const { process, link } = together ? TOGETHER : SEPARATE
  const kinds = Object.entries(KINDS).flatMap(([kind, { weight }]) => Array<FaultKind>(weight).fill(kind as FaultKind))
  const nextKind = drawFrom(kinds, random)
  const nextAt: Record<string, () => string> = {
    process: drawFrom(weighted(process), random),
    link: drawFrom(weighted(link), random),
  }
  const count = Math.max(4, Math.round((windowMs / 20_000) * FAULTS_EACH_20_SECONDS))
  let beforeMs: number | undefined
  const faults = Array.from({ length: count }, () => {
    const kind = nextKind()
    const { target, durationsMs } = KINDS[kind]
    const durationMs = random.pick(durationsMs.filter((ms) => ms <= windowMs / 4))
    const isSwarm = beforeMs !== undefined && random.chance(SWARM_PERCENT)
    const startAfterMs = isSwarm
      ? (beforeMs ?? 0) + random.integer(0, BURST_MS)
      : random.integer(FIRST_START_MS, Math.max(FIRST_START_MS, windowMs - durationMs))
    beforeMs = startAfterMs
    return {
      kind,
      /** A process or a link, without the numbers of replicas: "jobs", "gateway > jobs". */
      target: nextAt[target]?.() ?? target,
      /** Modulo the number of processes or links at that target. */
      selector: random.integer(0, 0x7fff_ffff),
      startAfterMs,
      durationMs,
      /** The duration of `delay`. */
      delayMs: random.integer(DELAYS_MS.from, DELAYS_MS.to),
      /** This long before the fault, clients create jobs at once, so that the fault hits them at some step. */
      burstBeforeMs: random.pick(BURSTS_BEFORE_MS),
    }
  })
  return faults.toSorted((a, b) => a.startAfterMs - b.startAfterMs)
}

/** @returns a function that draws without putting back, and starts again when nothing is left. */
function drawFrom<T>(items: readonly T[], random: Random): () => T {
  let left: T[] = []
  return () => {
    if (left.length === 0) left = random.shuffle(items)
    return left.pop() as T
  }
}

function weighted(targets: string): string[] {
  return targets.split(/,\s+/).flatMap((entry) => {
    const [, target = '', weight] = /^(.+) (\d+)$/.exec(entry) ?? []
    return Array<string>(Number(weight)).fill(target)
  })
}
