/**
 * `npm run test:long -- performance`: the CPU of a saturated job beside that of graphile-worker in the same run. Fails
 * if it is more than 10 % above the recorded one: what was won is not lost unnoticed. `--record` records the figures of
 * the last commit instead.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runPhase, settle, WARM_UP_SECONDS } from '../bench/jobs.ts'
import { saturate, startLoad, stopLoad } from '../bench/load.ts'
import { CPU_PERCENT, measurePairs, RATE_PERCENT } from '../bench/pairs.ts'
import { medians } from '../bench/report.ts'
import { startSystem } from '../harness/system.ts'

const PAIRS = 3
const SECONDS = 10
const ORGANIZATIONS = 50
/** A multiple of the recorded percentage. Runs of one commit differ by half of it. */
const GROWTH_MAX = 1.1
const RECORDED = new URL('recorded.json', import.meta.url)

/** Medians, of 100 of graphile-worker. */
interface Recorded {
  commit: string
  date: string
  cpuPercent: number
  ratePercent: number
}

async function measure(): Promise<Pick<Recorded, 'cpuPercent' | 'ratePercent'>> {
  const system = await startSystem({ together: true })
  try {
    const load = await startLoad(system, { organizations: ORGANIZATIONS, printers: 1 })
    console.log(`warming up, ${WARM_UP_SECONDS} s …`)
    await saturate(load, WARM_UP_SECONDS)
    await settle(system)
    const run = () => runPhase(system, 'job', () => saturate(load, SECONDS))
    const pairs = await measurePairs(system, { pairs: PAIRS, seconds: SECONDS }, run, () => settle(system))
    await stopLoad(load)
    const { [CPU_PERCENT]: cpuPercent = Number.NaN, [RATE_PERCENT]: ratePercent = Number.NaN } = medians(pairs)
    return { cpuPercent, ratePercent }
  } finally {
    await system.stop()
  }
}

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } })
const recorded: Recorded | undefined = existsSync(RECORDED) ? JSON.parse(await readFile(RECORDED, 'utf8')) : undefined
const figures = await measure()
const toText = ({ cpuPercent, ratePercent }: typeof figures) =>
  `${cpuPercent} % of the CPU of graphile-worker, ${ratePercent} % of its rate`
console.log(`now:      ${toText(figures)}`)
if (recorded) console.log(`recorded: ${toText(recorded)} (${recorded.commit}, ${recorded.date})`)
if (values.record) {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
  const date = new Date().toISOString().slice(0, 10)
  await writeFile(RECORDED, `${JSON.stringify({ commit, date, ...figures }, null, 2)}\n`)
} else {
  const isPassed = recorded !== undefined && figures.cpuPercent <= recorded.cpuPercent * GROWTH_MAX
  if (!recorded) console.log('No ratio is recorded. Run it with --record on an idle machine.')
  console.log(isPassed ? '1 passed, 0 failed' : '0 passed, 1 failed')
  process.exitCode = isPassed ? 0 : 1
}
