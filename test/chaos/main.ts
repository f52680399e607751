/**
 * `npm run test:long -- chaos`: prints while processes and connections fail, and checks the history of each run. A seed
 * repeats the choices of a run, not its timing. Exits with 1 if a seed failed, with 2 for wrong arguments.
 */
import { parseArgs } from 'node:util'
import { printTable } from '../bench/report.ts'
import { STALL } from '../checker/history.ts'
import { runHostileAgents } from './hostile-agents.ts'
import { runSeed } from './run-seed.ts'
import { abortOnSignal, printViolations, readArguments, readInteger } from './verdict.ts'

const USAGE =
  'npm run test:long -- chaos [--seeds 10] [--first-seed 1 | --seed 7] [--seconds 20] [--together | --separate] | --hostile-agents [--seconds 20]'

const options = readArguments(USAGE, () => {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const { values } = parseArgs({
    options: {
      seeds: text,
      'first-seed': text,
      seed: text,
      seconds: text,
      together: flag,
      separate: flag,
      'hostile-agents': flag,
    },
  })
  const { 'hostile-agents': isHostile = false } = values
  const { seed, 'first-seed': first, seeds, seconds = '20', together, separate } = values
  if (seed && (seeds || first)) throw new Error('--seed excludes --seeds and --first-seed')
  if (together && separate) throw new Error('--together excludes --separate')
  return {
    isHostile,
    firstSeed: readInteger('--seed', seed ?? first ?? '1', 0, 2 ** 31 - 1),
    seconds: readInteger('--seconds', seconds, 5, 3_600),
    count: readInteger('--seeds', seeds ?? (seed ? '1' : '10'), 1, 10_000),
    /** Without a choice, every third seed. */
    isTogether: (n: number) => together ?? (!separate && n % 3 === 0),
  }
})

/** @returns whether the history violates nothing. A run without a history proves nothing. */
async function isGood(seed: number, signal: AbortSignal): Promise<boolean> {
  const startedAtMs = performance.now()
  const { seconds } = options
  const together = options.isTogether(seed)
  const onProgress = (step: string) => process.stderr.write(`seed ${seed}: ${step} …\n`)
  const result = await runSeed({ seed, seconds, together, signal, onProgress }).catch((error: unknown) =>
    console.error(error),
  )
  const good = result?.violations.length === 0
  const { history } = result ?? {}
  const wall = `${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`
  const { stalls = [], faults = [] } = Object.groupBy(history?.faults ?? [], ({ kind }) =>
    kind === STALL ? 'stalls' : 'faults',
  )
  const jobs = history?.database.jobs.length ?? 0
  const counts = `${jobs} jobs, ${faults.length} faults, ${stalls.length} stalls, ${wall}`
  console.log(`seed ${seed}: ${good ? 'good' : 'FAILED'}, ${counts}`)
  if (good) return true
  if (result) printViolations(result)
  const how = `--seed ${seed} --seconds ${seconds} --${together ? 'together' : 'separate'}`
  console.log(`  Repeat: npm run test:long -- chaos ${how}`)
  return false
}

if (options.isHostile) {
  const { figures, limits, faults } = await runHostileAgents(options.seconds / 2, (step) =>
    process.stderr.write(`${step} …\n`),
  )
  printTable({ ...figures, ...limits })
  for (const fault of faults) console.log(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}

const { firstSeed, count } = options
const signal = abortOnSignal()
let good = 0
for (let seed = firstSeed; seed < firstSeed + count && !signal.aborted; seed++) if (await isGood(seed, signal)) good++
console.log(`${good} of ${count} seeds good`)
// Broken connections may keep the process alive.
process.exit(good === count ? 0 : 1)
