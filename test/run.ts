/**
 * `npm test`: runs the checks in parallel with the tests, then compares the rules, prints the times of files and finds
 * leaked processes. Ends with the line `N passed, N failed`, which counts each check as a test. Exits with 1 after a
 * failure.
 *
 * `npm test -- FILE …` runs only the tests in files whose paths contain one of the texts, `npm test -- --changed` those
 * that import a file which differs from the last commit; other options are those of Vitest. Neither runs checks or
 * compares rules.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildWeb } from '@platen/deploy/launcher/build-web.ts'
import { CHECKS } from './tools/checks.ts'
import { findLeaks, markRun } from './tools/leaks.ts'
import { brokenRules } from './tools/rules.ts'
import { type Report, runVitest } from './tools/run-vitest.ts'
import { filesOverBudget, printTimes } from './tools/times.ts'

/** `clients` and `faults` prove no rule of the reference, and need minutes: they are tests of `long-tests.ts`. */
const PROJECTS = ['tables', 'world', 'agent', 'api', 'history', 'edge', 'shipped', 'smoke']

const selection = process.argv.slice(2)
const isWhole = selection.length === 0
// Before several installations of the tests would each build them.
if (isWhole)
  for (const name of ['dashboard', 'docs', 'clients'] as const)
    await buildWeb(name, console.log, { onBegin: () => console.log(`Building the ${name} …`) })
const mark = markRun()
const projects = PROJECTS.map((name) => `--project=${name}`)
const [checks, tests] = await Promise.all([
  isWhole ? runChecks() : { problems: [], passed: 0 },
  runVitest(['run', ...(isWhole ? projects : []), ...selection]),
])
const problems = [
  ...checks.problems,
  ...(isWhole ? problemsIn(tests.report) : []),
  ...(await findLeaks(mark)).map(leftRunning),
]
for (const problem of problems) console.error(problem)

const failed = tests.failed + problems.length
console.log(`\n${tests.passed + checks.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

async function runChecks() {
  const problems: string[] = []
  for (const [name, command, ...args] of CHECKS) {
    const { passed, output } = await runQuietly(command, args)
    if (!passed) problems.push(`${output}\ncheck failed: ${name}`)
  }
  return { problems, passed: CHECKS.length - problems.length }
}

/** @returns what the command wrote, which would be lost between the lines of the tests. */
async function runQuietly(command: string, args: string[]): Promise<{ passed: boolean; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = await once(child, 'close')
  return { passed: code === 0, output: Buffer.concat(output).toString().trim() }
}

function problemsIn(report: Report): string[] {
  printTimes(report)
  // Only a warning, because the times are those of a machine that can be busy.
  for (const sentence of filesOverBudget(report)) console.warn(`warning: ${sentence}`)
  return brokenRules(report)
}

function leftRunning(leak: string): string {
  return `left running by the tests: ${leak}`
}
