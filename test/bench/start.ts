/**
 * `npm run bench -- start`: how long the first start in a new data directory takes until it is ready, the second and all
 * later ones, and what the processes of an idle installation hold in memory.
 */
import { makeDataDir, type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { rssBytes } from './cpu.ts'
import { percentile, printTable } from './report.ts'

/** Long enough for everything that a start leaves to do. */
const IDLE_MS = 20_000
const LATER_STARTS = 5

export async function benchStart(): Promise<void> {
  const dataDir = await makeDataDir()
  try {
    const first = await timed(() => startPlaten({ dataDir }))
    console.log(`The first start took ${first.ms} ms; waiting ${IDLE_MS / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idle = await residentMegabytes(first.result)
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

async function residentMegabytes(platen: Platen): Promise<Record<string, number>> {
  const launcher = await rssBytes(platen.launcher.pid ?? 0)
  const entries: [string, number][] = [['launcher', launcher]]
  for (const name of ['platen', 'nats-server']) entries.push([name, await rssBytes(await platen.getPid(name))])
  return Object.fromEntries(entries.map(([name, bytes]) => [`idle RSS of ${name}, MB`, Math.round(bytes / 1024 ** 2)]))
}
