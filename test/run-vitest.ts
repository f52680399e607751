/** Runs Vitest for the verbs that end with `N passed, N failed`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileCache } from '@platen/deploy/places.ts'
import { withScratch } from './scratch.ts'

export interface Counts {
  passed: number
  failed: number
}

/** @returns whether the command ended with 0. */
export async function run(command: string, args: string[], env = process.env): Promise<boolean> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  let isEnded = false
  // An interrupt from the keyboard reaches it by itself.
  const pass = (signal: NodeJS.Signals) => {
    isEnded = true
    child.kill(signal)
  }
  process.on('SIGTERM', pass)
  const [code] = await once(child, 'exit').finally(() => process.off('SIGTERM', pass))
  if (isEnded) process.kill(process.pid, 'SIGTERM')
  return code === 0
}

/** @param args begin with the command of Vitest. */
export async function runVitest(args: string[], env = process.env): Promise<Counts> {
  return await withScratch(async (scratch) => {
    const results = join(scratch, 'results.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
    const succeeded = await run('vitest', [...args, ...reporters], {
      ...env,
      TMPDIR: scratch,
      NODE_COMPILE_CACHE: compileCache,
    })
    // Without a report it ended before the first test.
    const report = await readFile(results, 'utf8').catch(() => '{"numPassedTests":0,"numFailedTests":0}')
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(report)
    // A file that does not even load has no failed tests of its own.
    return { passed, failed: !succeeded && failed === 0 ? 1 : failed }
  })
}
