/**
 * Returns memory to the system when a load is over. V8 collects while it allocates, so a process that has little to do
 * keeps the memory that its start or its last load needed.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ServiceProcess } from './process.ts'
import { startTimer } from './timers.ts'

const CHECK_EVERY_MS = 10_000
/** The part of a core that an idle process uses at most. */
const IDLE_MAX = 0.05
/** A collection takes 0.1 to 0.3 s, in which the process answers nothing. */
const COLLECT_EVERY_MS = 10 * 60_000
/** What the process must have more than after the last collection. */
const GROWTH_MIN_BYTES = 64 * 1024 * 1024

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'regular' }) => void

export function returnMemory(service: Pick<ServiceProcess, 'runTimer'>): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  let used = process.cpuUsage()
  let collectedAt = Number.NEGATIVE_INFINITY
  /** Undefined: after a collection, the pages are not returned yet. */
  let keptBytes: number | undefined = 0
  startTimer(service, 'memory', CHECK_EVERY_MS, async () => {
    const { user, system } = process.cpuUsage(used)
    used = process.cpuUsage()
    keptBytes ??= process.memoryUsage.rss()
    if (user + system > IDLE_MAX * CHECK_EVERY_MS * 1000) return
    if (process.memoryUsage.rss() < keptBytes + GROWTH_MIN_BYTES) return
    if (performance.now() - collectedAt < COLLECT_EVERY_MS) return
    collect({ type: 'major', execution: 'sync', flavor: 'regular' })
    collectedAt = performance.now()
    keptBytes = undefined
  })
}
