/** The metrics of the services in this worker. The first call turns them on. */
import { type Metrics, startMetrics } from '@platen/runtime/telemetry/meter-provider.ts'

let metrics: Promise<Metrics> | undefined

/** @param series as Prometheus shows it, with all its labels. @returns its value, 0 without one. */
export async function readMetric(series: string): Promise<number> {
  metrics ??= startMetrics({ otlp: false })
  const text = await (await metrics).read()
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return line ? Number(line.slice(series.length)) : 0
}

/** @returns a function that reads how much each series has changed since this call. */
export async function trackMetrics(series: string[]): Promise<() => Promise<Record<string, number>>> {
  const read = async () => Promise.all(series.map(readMetric))
  const before = await read()
  return async () => {
    const now = await read()
    return Object.fromEntries(series.map((name, n) => [name, (now[n] ?? 0) - (before[n] ?? 0)]))
  }
}
