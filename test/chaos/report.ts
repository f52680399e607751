/** How a chaos run tells what it found: a row for each seed as it comes, then the sum, then what failed and how to see it again. */

import type { ChaosArguments } from './arguments.ts'
import type { Violation } from './checker/violation.ts'
import type { SeedResult } from './run-seed.ts'

const KINDS = ['lost', 'doubled', 'illegal', 'stuck', 'other'] as const satisfies readonly Violation['kind'][]
const WIDTH = 8
/** Of one seed; the rest is in its folder. */
const VIOLATIONS_SHOWN = 20

export function printHead(): void {
  console.log(row(['seed', 'jobs', 'faults', ...KINDS, 'seconds']))
}

export function printSeed({ seed, jobs, faults, violations, seconds }: SeedResult): void {
  console.log(row([seed, jobs, faults, ...countByKind(violations), seconds.toFixed(1)]))
}

export function printTotals(results: readonly SeedResult[]): void {
  const sum = (of: (result: SeedResult) => number) => results.reduce((total, result) => total + of(result), 0)
  const kinds = countByKind(results.flatMap(({ violations }) => violations))
  console.log(
    row(['total', sum((one) => one.jobs), sum((one) => one.faults), ...kinds, sum((one) => one.seconds).toFixed(1)]),
  )
}

export function printFailures(results: readonly SeedResult[], args: ChaosArguments): void {
  const failed = results.filter(({ violations }) => violations.length > 0)
  for (const { seed, violations, evidence } of failed) {
    console.log(`\nSeed ${seed} failed:`)
    for (const { invariant, subject, says } of violations.slice(0, VIOLATIONS_SHOWN))
      console.log(`  ${invariant}  ${subject}: ${says}`)
    if (violations.length > VIOLATIONS_SHOWN) console.log(`  … and ${violations.length - VIOLATIONS_SHOWN} more`)
    if (evidence !== undefined) console.log(`  History and logs: ${evidence}`)
    console.log(`  Again: ${commandFor(seed, args)}`)
  }
  for (const { seed, violations, evidence } of results) {
    if (violations.length === 0 && evidence !== undefined) console.log(`\nSeed ${seed}, kept: ${evidence}`)
  }
  const good = results.length - failed.length
  console.log(`\n${good} of ${results.length} seeds good`)
}

function commandFor(seed: number, { replicas, seconds, plant }: ChaosArguments): string {
  const planted = plant === undefined ? '' : ` --plant ${plant}`
  return `npm run test:chaos -- --seed ${seed} --replicas ${replicas} --seconds ${seconds}${planted}`
}

function countByKind(violations: readonly Violation[]): number[] {
  return KINDS.map((kind) => violations.filter((violation) => violation.kind === kind).length)
}

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell) => String(cell).padStart(WIDTH)).join(' ')
}
