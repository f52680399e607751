/**
 * `npm run test:long -- NAME [options]` runs one of the tests of `long-tests.ts`, `npm run test:long` lists them.
 * `--release` (`npm run test:release`) runs `npm test` and all that a release must pass; a skipped test fails it.
 */
import { LONG_TESTS, type LongTest } from './long-tests.ts'
import { run, runVitest } from './tools/run-vitest.ts'

const USAGE_EXIT_CODE = 2

/** @returns whether it passed. */
async function runLong({ command: [program, ...args], env = {} }: LongTest, options: string[]): Promise<boolean> {
  const environment = { ...process.env, ...env }
  if (program === 'node') return await run(process.execPath, [...args, ...options], environment)
  const { passed, failed } = await runVitest([...args, ...options], environment)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0
}

/** Runs all, also after a failure. @returns whether all passed. */
async function runRelease(): Promise<boolean> {
  // A missing program of a test is an error.
  Object.assign(process.env, { CI: '1', PLATEN_TEST_SKIPS: 'fail' })
  const results: [name: string, result: 'passed' | 'FAILED' | 'not on this platform'][] = []
  const isPassed = await run(process.execPath, ['test/run.ts'])
  results.push(['npm test', isPassed ? 'passed' : 'FAILED'])
  for (const [name, test] of Object.entries(LONG_TESTS)) {
    if (!test.release) continue
    if (test.linux && process.platform !== 'linux') results.push([name, 'not on this platform'])
    else results.push([name, (await runLong(test, test.release)) ? 'passed' : 'FAILED'])
  }
  for (const [name, result] of results) console.log(`${result.padEnd(22)}${name}`)
  return results.every(([, result]) => result !== 'FAILED')
}

const [name = '', ...options] = process.argv.slice(2)
const test = Object.hasOwn(LONG_TESTS, name) ? LONG_TESTS[name] : undefined
if (name === '--release') process.exitCode = (await runRelease()) ? 0 : 1
else if (test) process.exitCode = (await runLong(test, options)) ? 0 : 1
else {
  const lines = Object.entries(LONG_TESTS).map(
    ([name, { minutes, what }]) => `  ${name.padEnd(12)}${(minutes ? `${minutes} min` : '').padStart(6)}  ${what}`,
  )
  console.error(['npm run test:long -- NAME [options]', '', ...lines].join('\n'))
  process.exitCode = USAGE_EXIT_CODE
}
