/** Runs Vitest for the verbs that end with `N passed, N failed`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache } from '@platen/deploy/install/paths.mjs'
import type { TaskMeta } from 'vitest'
import { withScratch } from './scratch.ts'

/** The used part of the output of Vitest's JSON reporter. */
export interface Report {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  testResults: {
    /** Path of the file. */
    name: string
    /** Milliseconds since 1970. */
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string; meta: TaskMeta }[]
  }[]
}

export type Counts = Pick<Outcome, 'passed' | 'failed'>

export interface Outcome {
  passed: number
  failed: number
  report: Report
}

/** Without a report the run ended before its first test. */
const NO_REPORT: Report = { success: false, numPassedTests: 0, numFailedTests: 0, testResults: [] }

/** @returns whether the exit code is 0. */
export async function run(command: string, args: string[], env = process.env): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  let isEnded = false
  // Ctrl-C is sent to the child process too.
  const pass = (signal: NodeJS.Signals) => {
    isEnded = true
    child.kill(signal)
  }
  process.on('SIGTERM', pass)
  const [code] = await once(child, 'exit').finally(() => process.off('SIGTERM', pass))
  if (isEnded) process.kill(process.pid, 'SIGTERM')
  return code === 0
}

/** With `PLATEN_TEST_SKIPS=fail` a skipped test has failed. @param args begin with the command of Vitest. */
export async function runVitest(args: string[], env = process.env): Promise<Outcome> {
  return await withScratch(async (scratch) => {
    const results = join(scratch, 'results.json')
    const reporters = ['--reporter=./test/tools/progress.ts', '--reporter=json', `--outputFile.json=${results}`]
    const succeeded = await run('vitest', [...args, ...reporters], {
      ...env,
      TMPDIR: scratch,
      // What a failed test keeps outlives the run.
      PLATEN_EVIDENCE_DIR: tmpdir(),
      NODE_COMPILE_CACHE: compileCache,
    })
    const report: Report = await readFile(results, 'utf8').then(JSON.parse, () => NO_REPORT)
    const { numPassedTests: passed, numFailedTests } = report
    // A file that fails to load has no failed tests.
    const failed = (!succeeded && numFailedTests === 0 ? 1 : numFailedTests) + reportSkipped(report, env)
    return { passed, failed, report: { ...report, success: succeeded } }
  })
}

/** @returns the number of skipped tests, if they fail the run. */
function reportSkipped({ testResults }: Report, env: NodeJS.ProcessEnv): number {
  if (env.PLATEN_TEST_SKIPS !== 'fail') return 0
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')
  for (const { fullName } of skipped) console.error(`skipped, which fails this run: ${fullName}`)
  return skipped.length
}
