/**
 * `npm run bench -- start`: how long the first start in a new data directory takes until it is ready, the second and
 * all later ones, and what the processes of an idle installation hold in memory.
 */
import { makeDataDir, type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { memoryFigures } from './cpu.ts'
import { type Figures, percentile, printTable } from './report.ts'

/** Long enough for everything that a start leaves to do. */
const IDLE_MS = 20_000
const LATER_STARTS = 5

export async function benchStart(): Promise<void> {
  const dataDir = await makeDataDir()
  try {
    const first = await timed(() => startPlaten({ dataDir }))
    console.log(`The first start took ${first.ms} ms; waiting ${IDLE_MS / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idle = await readMemory(first.result)
    await first.result.stop()
    const later: number[] = []
    for (let start = 1; start <= LATER_STARTS; start++) {
      const { result, ms } = await timed(() => startPlaten({ dataDir }))
      await result.stop()
      later.push(ms)
    }
    printTable({
      'first start ms': first.ms,
      'second start ms': later[0] ?? Number.NaN,
      [`later start ms (median of ${LATER_STARTS})`]: percentile(later, 50),
      ...idle,
    })
  } finally {
    await removeDataDir(dataDir)
  }
}

async function timed<T>(start: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const from = performance.now()
  const result = await start()
  return { result, ms: Math.round(performance.now() - from) }
}

/** The processes of `npm start`, without npm itself. */
async function readMemory(platen: Platen): Promise<Figures> {
  const pids: Record<string, number> = {}
  for (const name of ['platen', 'postgres', 'nats-server']) pids[name] = await platen.getPid(name)
  return await memoryFigures({ launcher: platen.launcher.pid ?? 0, ...pids })
}
