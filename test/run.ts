/**
 * `npm test`: runs the checks in parallel with the tests, then compares the rules, prints the times of files and finds leaked processes. Ends
 * with the line `N passed, N failed`, which counts each check as a test. Exits with 1 after a failure.
 */
import { buildWeb } from '@platen/deploy/launcher/build-web.ts'
import { CHECKS } from './checks.ts'
import { findLeaks, markRun } from './leaks.ts'
import { brokenRules } from './rules.ts'
import { type Report, run, runVitest } from './run-vitest.ts'
import { filesOverBudget, printTimes } from './times.ts'

const PROJECTS = ['tables', 'world', 'agent', 'clients', 'api', 'history', 'edge', 'shipped', 'smoke']

// Before several installations of the tests would each build them.
await Promise.all([buildWeb('dashboard', console.log), buildWeb('docs', console.log)])
const mark = markRun()
const [checks, tests] = await Promise.all([
  runChecks(),
  runVitest(['run', ...PROJECTS.map((name) => `--project=${name}`)]),
])
const problems = [...checks.problems, ...(await problemsIn(tests.report)), ...(await findLeaks(mark)).map(leftRunning)]
for (const problem of problems) console.error(problem)

const failed = tests.failed + problems.length
console.log(`\n${tests.passed + checks.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runChecks() {
  const problems: string[] = []
  for (const [name, command, ...args] of CHECKS) if (!(await run(command, args))) problems.push(`check failed: ${name}`)
  return { problems, passed: CHECKS.length - problems.length }
}

async function problemsIn(report: Report): Promise<string[]> {
  printTimes(report)
  // Only a warning, because the times are those of a machine that can be busy.
  for (const sentence of filesOverBudget(report)) console.warn(`warning: ${sentence}`)
  return await brokenRules(report)
}

function leftRunning(leak: string): string {
  return `left running by the tests: ${leak}`
}
