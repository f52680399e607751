/** Injects the planned faults while the load runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { InjectedFault } from '../checker/history.ts'
import type { Restartable } from '../harness/restartable.ts'
import type { FaultKind, PlannedFault } from './fault-plan.ts'
import type { Link } from './links.ts'

export interface Victims {
  processes: Restartable[]
  links: Link[]
  /** Deletes the store of nats-server, which does not run. */
  wipeNats(): Promise<void>
  /** Deletes all streams, while nats-server runs. */
  deleteStreams(): Promise<void>
}

interface Fault {
  target: string
  /** Returns when the fault is active or, after a kill, when the process is ready again. */
  start(): Promise<void> | void
  end?(): Promise<void> | void
}

/** @returns the faults with their real times, once all are over. `signal` ends them early. */
export async function injectFaults(
  victims: Victims,
  plan: PlannedFault[],
  signal: AbortSignal,
): Promise<InjectedFault[]> {
  const startedAtMs = performance.now()
  const injected: InjectedFault[] = []
  const passed = (ms: number) => sleep(Math.max(0, ms), undefined, { signal }).catch(() => signal.throwIfAborted())

  async function inject(planned: PlannedFault): Promise<void> {
    await passed(startedAtMs + planned.startAfterMs - performance.now())
    const { target, start, end } = createFault(victims, planned)
    const fault = { kind: planned.kind, target, startedAtMs: Date.now(), endedAtMs: Number.NaN }
    injected.push(fault)
    try {
      await start()
      await passed(planned.durationMs)
    } finally {
      await end?.()
      fault.endedAtMs = Date.now()
    }
  }

  const all = await Promise.allSettled(plan.map(inject))
  for (const result of all) if (result.status === 'rejected' && !signal.aborted) throw result.reason
  return injected
}

function createFault({ processes, links, wipeNats, deleteStreams }: Victims, planned: PlannedFault): Fault {
  const ofLink = (start: (link: Link) => void): Fault => {
    const link = choose(links, planned)
    return { target: link.name, start: () => start(link), end: () => link.heal() }
  }
  const ofProcess = (start: (process: Restartable) => Promise<void> | void): Fault => {
    const process = choose(processes, planned)
    return { target: process.name, start: () => start(process), end: () => process.resume() }
  }
  const faults: Record<FaultKind, () => Fault> = {
    'kill -9': () => ofProcess((process) => process.kill()),
    pause: () => ofProcess((process) => process.pause()),
    delay: () => ofLink((link) => link.delay(planned.delayMs)),
    cut: () => ofLink((link) => link.cut()),
    'half-open': () => ofLink((link) => link.halfOpen()),
    reset: () => ofLink((link) => link.reset()),
    'wipe NATS': () => ofProcess((process) => process.kill(wipeNats)),
    'delete streams': () => ofProcess(deleteStreams),
    'restart PostgreSQL': () => ofProcess((process) => process.restart()),
  }
  return faults[planned.kind]()
}

function choose<T extends { name: string }>(all: T[], { target, selector }: PlannedFault): T {
  // "gateway-1 > jobs-0" is at "gateway > jobs".
  const there = all.filter(({ name }) => name.replaceAll(/-\d+(?= |$)/g, '') === target)
  const found = there[selector % there.length]
  if (!found) throw new Error(`the system has no "${target}"`)
  return found
}
