/**
 * `npm test`: the checks, then every test, then a look for processes that outlived them. Ends with the plain line
 * `N passed, N failed`, in which each check counts as one test; exits with 1 when anything failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHECKS } from './checks.ts'
import { findLeaks, markRun } from './leaks.ts'

const mark = markRun()
const scratch = await mkdtemp(join(tmpdir(), 'platen-run-'))
let passed = 0
let failed = 0

async function run(command: string, args: string[]): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code === 0
}

for (const [name, command, ...args] of CHECKS) {
  process.stdout.write(`check ${name} … `)
  const ok = await run(command, args)
  process.stdout.write(ok ? 'ok\n' : 'failed\n')
  if (ok) passed++
  else failed++
}

const results = join(scratch, 'results.json')
const succeeded = await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`])
const { numPassedTests, numFailedTests } = JSON.parse(await readFile(results, 'utf8'))
passed += numPassedTests
failed += numFailedTests
// A file that does not even load has no failed tests of its own.
if (!succeeded && numFailedTests === 0) failed++

const leaks = await findLeaks(mark)
for (const leak of leaks) console.error(`left running by the tests: ${leak}`)
failed += leaks.length

await rm(scratch, { recursive: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
