/**
 * `npm run test:chaos:planted`: does a run with faults notice a bug? Plants each bug of `planted/bugs.ts`, runs seed after seed until
 * the checker finds an invariant violated that the bug must violate, and prints which. Exits with 1 when a bug was not noticed, with 2 when it
 * was asked wrongly.
 *
 * `npm run test:chaos:planted -- [--bugs name,name] [--seeds 5] [--first-seed 1] [--seconds 20] [--replicas 1 | 2]`
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments, WrongArguments } from './arguments.ts'
import { abortWhenInterrupted } from './interrupt.ts'
import { findBug, PLANTED_BUGS } from './planted/bugs.ts'
import type { PlantedBug } from './planted/planted-bug.ts'
import { writePlant } from './planted/write-plant.ts'
import { runSeed } from './run-seed.ts'

const DEFAULT_SEEDS = '5'
const WIDTHS = [28, 6, 14, 14]

interface Verdict {
  bug: PlantedBug
  /** The first that noticed. */
  seed?: number
  /** Violated invariants that the bug must violate, and others, over all its seeds. */
  by: Set<string>
  also: Set<string>
  /** Runs that broke off, which prove nothing. */
  brokenOff: string[]
}

/** `--bugs` is ours; the rest is as for `test:chaos`. */
function readPlantedArguments(args: string[]) {
  const at = args.indexOf('--bugs')
  const names = at === -1 ? undefined : (args[at + 1] ?? '')
  const rest = at === -1 ? args : args.toSpliced(at, 2)
  const bugs = names === undefined ? PLANTED_BUGS : names.split(',').map(bugNamed)
  const asksSeeds = rest.some((arg) => /^--seeds?(=|$)/.test(arg))
  return { bugs, ...readArguments(asksSeeds ? rest : [...rest, '--seeds', DEFAULT_SEEDS]) }
}

function bugNamed(name: string): PlantedBug {
  try {
    return findBug(name)
  } catch (error) {
    throw new WrongArguments(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

async function main({ bugs, seeds, replicas, seconds }: ReturnType<typeof readPlantedArguments>): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-planted-'))
  const verdicts: Verdict[] = []
  const signal = abortWhenInterrupted()
  try {
    console.log(row(['bug', 'seed', 'noticed by', 'and by', 'what is wrong']))
    for (const bug of bugs) {
      if (signal.aborted) break
      const verdict = await hunt(bug, { seeds, replicas, seconds, directory, signal })
      verdicts.push(verdict)
      print(verdict)
    }
  } finally {
    await rm(directory, { recursive: true })
  }
  const noticed = verdicts.filter(({ seed }) => seed !== undefined).length
  console.log(`\n${noticed} of ${verdicts.length} bugs noticed`)
  return noticed === verdicts.length ? 0 : 1
}

interface Hunt {
  seeds: number[]
  replicas: 1 | 2
  seconds: number
  directory: string
  signal: AbortSignal
}

async function hunt(bug: PlantedBug, { seeds, replicas, seconds, directory, signal }: Hunt): Promise<Verdict> {
  const verdict: Verdict = { bug, by: new Set(), also: new Set(), brokenOff: [] }
  const plant = await writePlant(directory, bug.name)
  for (const seed of seeds) {
    if (signal.aborted) break
    process.stderr.write(`${bug.name}, seed ${seed}:`)
    const onStage = (stage: string) => void process.stderr.write(` ${stage} …`)
    try {
      const { violations } = await runSeed(seed, {
        replicas,
        seconds,
        plant,
        evidenceFolder: directory,
        keep: false,
        signal,
        onStage,
      })
      for (const { invariant, subject, says } of violations) {
        const isMeant = bug.noticedBy.includes(invariant)
        if (!isMeant) process.stderr.write(` and ${invariant} of ${subject}: ${says}`)
        const noticed = isMeant ? verdict.by : verdict.also
        noticed.add(invariant)
      }
    } catch (error) {
      verdict.brokenOff.push(`seed ${seed}: ${error instanceof Error ? error.message : error}`)
    } finally {
      process.stderr.write('\n')
    }
    if (verdict.by.size > 0) return { ...verdict, seed }
  }
  return verdict
}

function print({ bug, seed, by, also, brokenOff }: Verdict): void {
  console.log(row([bug.name, seed ?? 'NONE', [...by].join(' '), [...also].join(' '), bug.wrong]))
  for (const why of brokenOff) console.log(`  broke off: ${why}`)
}

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell, n) => String(cell).padEnd(WIDTHS[n] ?? 0)).join(' ')
}

try {
  const exitCode = await main(readPlantedArguments(process.argv.slice(2)))
  // Node may wait for ever for the handles that hundreds of broken connections leave to it, though nothing keeps it alive.
  process.exit(exitCode)
} catch (error) {
  if (!(error instanceof WrongArguments)) throw error
  console.error(error.message)
  process.exitCode = 2
}
