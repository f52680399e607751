/**
 * `npm test`: the checks beside the tests, then the rules, the times of the files, and a search for processes that outlived them. Ends
 * with the plain line `N passed, N failed`, in which each check counts as one test; exits with 1 when anything failed.
 */
import { CHECKS } from './checks.ts'
import { findLeaks, markRun } from './leaks.ts'
import { brokenRules } from './rules.ts'
import { type Report, run, runVitest } from './run-vitest.ts'
import { filesOverBudget, printTimes } from './times.ts'

const PROJECTS = ['tables', 'world', 'agent', 'api', 'history', 'edge', 'shipped', 'smoke']

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
  return [...(await brokenRules(report)), ...filesOverBudget(report)]
}

function leftRunning(leak: string): string {
  return `left running by the tests: ${leak}`
}
