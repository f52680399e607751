/**
 * `npm run test:chaos`: prints while everything fails, seed after seed, and checks what was left behind. A seed repeats its choices;
 * when each of them takes effect is still up to the machine. Exits with 1 when a seed failed, with 2 when it was asked wrongly.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type ChaosArguments, readArguments, WrongArguments } from './arguments.ts'
import { abortWhenInterrupted } from './interrupt.ts'
import { writePlant } from './planted/write-plant.ts'
import { printFailures, printHead, printSeed, printTotals } from './report.ts'
import { evidenceOf, runSeed, type SeedResult } from './run-seed.ts'

async function main(args: ChaosArguments): Promise<number> {
  const evidenceFolder = await mkdtemp(join(tmpdir(), 'platen-chaos-'))
  const results: SeedResult[] = []
  const interrupted = abortWhenInterrupted()
  printHead()
  for (const seed of args.seeds) {
    if (interrupted.aborted) break
    const result = await runOne(seed, args, evidenceFolder, interrupted)
    results.push(result)
    printSeed(result)
  }
  printTotals(results)
  printFailures(results, args)
  if (results.every(({ evidence }) => evidence === undefined)) await rm(evidenceFolder, { recursive: true })
  return results.some(({ violations }) => violations.length > 0) ? 1 : 0
}

/** A run that breaks off proves nothing, so it counts as failed; the next seed is still run. */
async function runOne(
  seed: number,
  args: ChaosArguments,
  evidenceFolder: string,
  signal: AbortSignal,
): Promise<SeedResult> {
  const startedAt = performance.now()
  const progress = createProgress(seed)
  try {
    const { plant: bug, ...options } = args
    const plant = bug === undefined ? {} : { plant: await writePlant(evidenceFolder, bug) }
    return await runSeed(seed, { ...options, ...plant, evidenceFolder, signal, onStage: progress.show })
  } catch (error) {
    const violations = [{ invariant: 'run', subject: `seed ${seed}`, says: inspect(error), kind: 'other' as const }]
    const evidence = evidenceOf(seed, { evidenceFolder })
    return {
      seed,
      jobs: 0,
      faults: 0,
      violations,
      seconds: (performance.now() - startedAt) / 1000,
      ...(existsSync(evidence) ? { evidence } : {}),
    }
  } finally {
    progress.end()
  }
}

/** What the run is at goes to standard error, so that standard output has the table alone. */
function createProgress(seed: number) {
  process.stderr.write(`seed ${seed}:`)
  return {
    show: (stage: string) => void process.stderr.write(` ${stage} …`),
    end: () => void process.stderr.write('\n'),
  }
}

try {
  const exitCode = await main(readArguments(process.argv.slice(2)))
  // Node may wait for ever for the handles that hundreds of broken connections leave to it, though nothing keeps it alive.
  process.exit(exitCode)
} catch (error) {
  if (!(error instanceof WrongArguments)) throw error
  console.error(error.message)
  process.exitCode = 2
}
