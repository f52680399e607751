/**
 * `npm run test:long -- upgrade`: shows that an installation of the previous release is upgraded to this one, and goes
 * back, while it prints. Exits with 1 if a check failed.
 */
import { inspect } from 'node:util'
import release from '../../package.json' with { type: 'json' }
import { abortOnSignal } from '../chaos/verdict.ts'
import { createChecks } from '../harness/checks.ts'
import { openPreviousRelease, previousVersion } from './previous-release.ts'
import { runUpgrade } from './run-upgrade.ts'

const signal = abortOnSignal()
const checks = createChecks()

await showUpgrade().catch((error: unknown) => checks.check('the run ends', inspect(error)))
// Broken connections may keep the process alive.
process.exit(checks.end())

async function showUpgrade(): Promise<void> {
  checks.progress(`installing release ${previousVersion}`)
  const previous = await openPreviousRelease(signal)
  const startedAtMs = performance.now()
  const { figures, facts, evidence } = await runUpgrade({ previous, signal, onProgress: checks.progress })
  console.table({
    from: previousVersion,
    to: release.version,
    ...figures,
    seconds: Math.round((performance.now() - startedAtMs) / 1000),
  })
  for (const { title, problems } of facts) checks.check(title, problems)
  if (evidence) console.log(`History and logs: ${evidence}`)
}
