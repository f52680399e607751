/**
 * `npm run test:chaos`: prints while processes and connections fail, and checks what each run leaves behind. A seed repeats the choices of a run,
 * not its timing. Exits with 1 if a seed failed, with 2 for wrong arguments.
 */
import { inspect, parseArgs } from 'node:util'
import { abortOnSignal, readInteger } from './command.ts'
import { runSeed } from './run-seed.ts'

const USAGE = 'npm run test:chaos -- [--seeds 10] [--first-seed 1 | --seed 7] [--seconds 20] [--together | --separate]'
const LAST_SEED = 2 ** 31 - 1
const VIOLATIONS_SHOWN = 20

function readArguments() {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    options: { seeds: text, 'first-seed': text, seed: text, seconds: text, together: flag, separate: flag },
  })
  const {
    seed,
    'first-seed': first = seed ?? '1',
    seeds = seed ? '1' : '10',
    seconds = '20',
    together,
    separate,
  } = values
  if (seed && (values.seeds || values['first-seed'])) throw new Error('--seed excludes --seeds and --first-seed')
  if (together && separate) throw new Error('--together excludes --separate')
  return {
    firstSeed: readInteger('--seed', first, 0, LAST_SEED),
    count: readInteger('--seeds', seeds, 1, 10_000),
    seconds: readInteger('--seconds', seconds, 5, 3_600),
    /** Without a choice, every third seed. */
    isTogether: (seed: number) => together ?? (!separate && seed % 3 === 0),
  }
}

async function main({ firstSeed, count, seconds, isTogether }: ReturnType<typeof readArguments>): Promise<number> {
  const signal = abortOnSignal()
  let failed = 0
  for (let seed = firstSeed; seed < firstSeed + count && !signal.aborted; seed++) {
    const startedAtMs = performance.now()
    const together = isTogether(seed)
    const onProgress = (stage: string) => process.stderr.write(`seed ${seed}: ${stage} …\n`)
    const problems: string[] = []
    let summary = 'no history'
    try {
      const { history, violations, evidence } = await runSeed({ seed, seconds, together, signal, onProgress })
      summary = `${history.database.jobs.length} jobs, ${history.faults.length} faults`
      for (const { group, subject, message } of violations.slice(0, VIOLATIONS_SHOWN))
        problems.push(`${group}  ${subject}: ${message}`)
      if (violations.length > VIOLATIONS_SHOWN) problems.push(`… ${violations.length} violations`)
      if (evidence) problems.push(`History and logs: ${evidence}`)
    } catch (error) {
      problems.push(inspect(error))
    }
    const wall = ((performance.now() - startedAtMs) / 1000).toFixed(1)
    console.log(`seed ${seed}: ${problems.length > 0 ? 'FAILED' : 'good'}, ${summary}, ${wall} s`)
    if (problems.length === 0) continue
    failed++
    for (const problem of problems) console.log(`  ${problem}`)
    const how = `--seed ${seed} --seconds ${seconds} --${together ? 'together' : 'separate'}`
    console.log(`  Repeat: npm run test:chaos -- ${how}`)
  }
  console.log(`${count - failed} of ${count} seeds good`)
  return failed > 0 || signal.aborted ? 1 : 0
}

let options: ReturnType<typeof readArguments>
try {
  options = readArguments()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}. Usage: ${USAGE}`)
  process.exit(2)
}
// Broken connections may keep the process alive.
process.exit(await main(options))
