/**
 * `npm test`: the checks, then every test, then a look for processes that outlived them. Ends with the plain line
 * `N passed, N failed`, in which each check counts as one test; exits with 1 when anything failed.
 */
import { CHECKS } from './checks.ts'
import { findLeaks, markRun } from './leaks.ts'
import { run, runVitest } from './run-vitest.ts'

const mark = markRun()
let passed = 0
let failed = 0

for (const [name, command, ...args] of CHECKS) {
  process.stdout.write(`check ${name} … `)
  const ok = await run(command, args)
  process.stdout.write(ok ? 'ok\n' : 'failed\n')
  if (ok) passed++
  else failed++
}

const tests = await runVitest(['run'])
passed += tests.passed
failed += tests.failed

const leaks = await findLeaks(mark)
for (const leak of leaks) console.error(`left running by the tests: ${leak}`)
failed += leaks.length

console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
