/**
 * `npm run test:long -- upgrade`: shows that an installation of the previous release is upgraded to this one, and goes
 * back, while it prints. Exits with 1 if a check failed.
 */
import release from '../../package.json' with { type: 'json' }
import { abortOnSignal } from '../chaos/verdict.ts'
import { openPreviousRelease, previousVersion } from './previous-release.ts'
import { runUpgrade } from './run-upgrade.ts'

const PROBLEMS_SHOWN = 10

const signal = abortOnSignal()
let startedAtMs = performance.now()
const onProgress = (line: string) =>
  process.stderr.write(`${((performance.now() - startedAtMs) / 1000).toFixed(1).padStart(6)} s  ${line} …\n`)

try {
  process.exitCode = (await showUpgrade()) === 0 ? 0 : 1
} catch (error) {
  console.error(error)
  console.log('0 passed, 1 failed')
  process.exitCode = 1
}
// Broken connections may keep the process alive.
process.exit()

/** @returns the number of failed checks. */
async function showUpgrade(): Promise<number> {
  onProgress(`installing release ${previousVersion}`)
  const previous = await openPreviousRelease(signal)
  startedAtMs = performance.now()
  const { figures, checks, evidence } = await runUpgrade({ previous, signal, onProgress })
  console.table({
    from: previousVersion,
    to: release.version,
    ...figures,
    seconds: Math.round((performance.now() - startedAtMs) / 1000),
  })
  for (const { title, problems } of checks) {
    console.log(`${problems.length === 0 ? 'passed' : 'FAILED'}: ${title}`)
    for (const problem of problems.slice(0, PROBLEMS_SHOWN)) console.log(`  ${problem}`)
    if (problems.length > PROBLEMS_SHOWN) console.log(`  … ${problems.length} problems`)
  }
  if (evidence) console.log(`History and logs: ${evidence}`)
  const failed = checks.filter(({ problems }) => problems.length > 0).length
  console.log(`${checks.length - failed} passed, ${failed} failed`)
  return failed
}
