/** How a benchmark tells its figures: a table for people, then one line of JSON for programs. */

import { setTimeout as sleep } from 'node:timers/promises'

export type Figures = Record<string, number>

export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Number(
    (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN).toFixed(1),
  )
}

/** Percentiles of `values`, named `${name} p50 ${unit}`. */
export const percentiles = (name: string, values: number[], percents = [50, 95, 99], unit = 'ms'): Figures =>
  Object.fromEntries(percents.map((percent) => [`${name} p${percent} ${unit}`, percentile(values, percent)]))

/** @param late milliseconds after which each call of an open loop began, because the client was busy. */
export const percentilesOfClient = (name: string, late: number[]): Figures =>
  percentiles(`client late for ${name}`, late, [95, 99])

/** The median of each figure; all phases have the same figures. */
export const medians = (phases: Figures[]): Figures =>
  Object.fromEntries(
    Object.keys(phases[0] ?? {}).map((name) => [
      name,
      percentile(
        phases.map((phase) => phase[name] ?? Number.NaN),
        50,
      ),
    ]),
  )

/** Microseconds of CPU that each process took for one unit of work. */
export const cpuFigures = (unit: string, before: Figures, after: Figures, units: number): Figures =>
  Object.fromEntries(
    Object.entries(after).map(([name, us]) => [
      `CPU µs a ${unit}, ${name}`,
      Math.round((us - (before[name] ?? 0)) / units),
    ]),
  )

/** Closed loop: each of the clients repeats `work` until the time is over. */
export async function runClients(clients: number, seconds: number, work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + seconds * 1000
  const client = async () => {
    while (performance.now() < until) await work()
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** Open loop: each call starts at its time, whatever the others do, until `count` calls or the signal. */
export async function runSteadily<T>(
  perSecond: number,
  until: number | AbortSignal,
  work: (dueAt: number, n: number) => Promise<T>,
): Promise<T[]> {
  const startedAt = performance.now()
  const answers: Promise<T>[] = []
  for (let n = 0; typeof until === 'number' ? n < until : !until.aborted; n++) {
    const dueAt = startedAt + (n * 1000) / perSecond
    await sleep(Math.max(0, dueAt - performance.now()))
    answers.push(work(dueAt, n))
  }
  return await Promise.all(answers)
}

export function printTable(figures: Record<string, number | string>): void {
  const width = Math.max(...Object.keys(figures).map((name) => name.length))
  console.log()
  for (const [name, value] of Object.entries(figures))
    console.log(`${name.padEnd(width)}  ${String(value).padStart(8)}`)
  console.log(`\n${JSON.stringify(figures)}`)
}
