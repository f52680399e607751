/** Carries out a plan of faults. Called by `run-seed.ts` while the load runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Aim, HIT_WITHIN_MS } from './aimed-faults.ts'
import type { PlannedFault } from './fault-plan.ts'
import type { InjectedFault } from './history.ts'
import type { ChaosSystem, Link, Victim } from './system/chaos-system.ts'

/** What a fault does: `start` comes back when it has happened, `end` takes it away again. */
interface Fault {
  target: string
  start(): Promise<void> | void
  end?(): void
}

/**
 * Comes back when every fault of the plan is over. Faults overlap where the plan says so; only what starts one program again waits
 * for what is starting it already.
 *
 * @param signal ends faults early, and what was not begun is left out.
 * @returns what happened, with its real times, in the order of the beginnings.
 */
export async function injectFaults(
  system: ChaosSystem,
  plan: readonly PlannedFault[],
  signal: AbortSignal,
): Promise<InjectedFault[]> {
  const startedAt = performance.now()
  const restarts = new Map<string, Promise<void>>()
  const injected: InjectedFault[] = []

  const inject = async (planned: PlannedFault) => {
    const { lastsMs: lagLastsMs, delayMs } = planned.lag ?? { lastsMs: 0, delayMs: 0 }
    await passed(startedAt + planned.startAfterMs - lagLastsMs - performance.now(), signal)
    if (signal.aborted) return
    const { target, start, end } = faultOf(system, planned, restarts)
    const record: InjectedFault = { kind: planned.kind, target, startedAtMs: Date.now(), endedAtMs: Number.NaN }
    injected.push(record)
    const slow = planned.lag ? linksAt(system, target) : []
    try {
      for (const link of slow) link.delay(delayMs)
      await passed(startedAt + planned.startAfterMs - performance.now(), signal)
      if (planned.aim) await hit(planned.aim, system, target, signal)
      const started = start()
      // Whatever was on its way has been lost or is still to come; what comes from now on is not slow.
      for (const link of slow) link.delay(0)
      await started
      await passed(planned.durationMs, signal)
    } finally {
      end?.()
      record.endedAtMs = Date.now()
    }
  }
  await Promise.all(plan.map(inject))
  return injected
}

function faultOf(system: ChaosSystem, planned: PlannedFault, restarts: Map<string, Promise<void>>): Fault {
  const victim = () => chosen<Victim>(system.victims, planned)
  const link = (start: (of: Link) => void): Fault => {
    const inUse = planned.isInUse ? system.links.filter((link) => isAt(planned, link) && link.isInUse()) : []
    const of = chosen<Link>(inUse.length > 0 ? inUse : system.links, planned)
    return { target: of.name, start: () => start(of), end: () => of.heal() }
  }
  const restart = (target: string, start: () => Promise<void>): Fault => ({
    target,
    start() {
      const done = (restarts.get(target) ?? Promise.resolve()).then(start)
      restarts.set(target, done)
      return done
    },
  })
  switch (planned.kind) {
    case 'kill -9': {
      const of = victim()
      return restart(of.name, () => of.kill())
    }
    case 'pause': {
      const of = victim()
      return { target: of.name, start: () => of.pause(), end: () => of.resume() }
    }
    case 'delay':
      return link((of) => of.delay(planned.delayMs ?? 0))
    case 'cut':
      return link((of) => of.cut())
    case 'half-open':
      return link((of) => of.halfOpen())
    case 'reset':
      return { ...link((of) => of.reset()), end: undefined }
    case 'wipe NATS':
      return restart('nats-server', () => system.wipeNats())
    case 'restart PostgreSQL':
      return restart('postgres', () => system.restartPostgres())
  }
}

function chosen<T extends { name: string }>(of: readonly T[], planned: PlannedFault): T {
  const there = of.filter((one) => isAt(planned, one))
  const found = there[planned.selector % there.length]
  if (found === undefined) throw new Error(`the system has no "${planned.place}" that this fault could hit`)
  return found
}

function isAt({ place }: PlannedFault, { name }: { name: string }): boolean {
  return placeOf(name) === place
}

/** "gateway-1 > jobs-0" is at "gateway > jobs". */
function placeOf(name: string): string {
  return name.replaceAll(/-\d+(?= |$)/g, '')
}

/** A link itself; of a process, all links that lead to it or away from it. */
function linksAt({ links }: ChaosSystem, target: string): Link[] {
  return links.filter(({ name }) => name === target || name.split(' > ').includes(target))
}

/** Comes back at the moment that is aimed at; also when it does not come, since an agent that does nothing may be killed, too. */
async function hit({ call, afterMs }: Aim, system: ChaosSystem, agent: string, signal: AbortSignal): Promise<void> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(HIT_WITHIN_MS)])
  await system.nextSpoolerCall({ agent, call }, ended).catch((error: unknown) => {
    if (!ended.aborted) throw error
  })
  await passed(afterMs, signal)
}

/** Comes back early, and without an error, when the signal says so. */
async function passed(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
