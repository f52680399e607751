/** How a benchmark tells its figures: a table for people, then one line of JSON for programs. */

export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Number(
    (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN).toFixed(1),
  )
}

export function printTable(figures: Record<string, number>): void {
  const width = Math.max(...Object.keys(figures).map((name) => name.length))
  console.log()
  for (const [name, value] of Object.entries(figures))
    console.log(`${name.padEnd(width)}  ${String(value).padStart(8)}`)
  console.log(`\n${JSON.stringify(figures)}`)
}
