/** Copies the last commit, brings each past fault back into the copy, and runs the tests that must notice it. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT, withCopy } from './copy-commit.ts'
import type { Fault } from './faults.ts'

const exec = promisify(execFile)
/** The context of a patch may have changed. */
export const APPLY = ['apply', '-C0', '--recount']
export const toPatch = (name: string) => join(import.meta.dirname, 'faults', `${name}.patch`)
const OUTPUT_MAX_BYTES = 64 * 1024 * 1024
/** More failed tests do not say more. */
const FAILED_MAX = 3

/** @returns whether every fault was noticed. */
export async function runFaults(faults: Fault[]): Promise<boolean> {
  return await withCopy(async (copy, scratch) => {
    const files = await findTestFiles([...new Set(faults.flatMap(({ noticedBy }) => noticedBy))])
    const before = await runTests(scratch, copy, [...files.values()].flat())
    for (const test of before) console.log(`fails without a fault: ${test}`)
    let unnoticed = before.length
    console.log('\n| fault | noticed by |\n| - | - |')
    for (const { name, fault, noticedBy } of faults) {
      const noticing = await runFault(
        scratch,
        copy,
        name,
        noticedBy.flatMap((test) => files.get(test) ?? []),
      )
      if (noticing.length === 0) unnoticed++
      console.log(`| ${name}: ${fault} | ${noticing.join('; ') || '**nothing**'} |`)
    }
    console.log(`\n${faults.length} faults, ${unnoticed} unnoticed or not applicable`)
    return unnoticed === 0
  })
}

/** Matches the end of the path, so a test file is found wherever it is moved to. */
async function findTestFiles(names: string[]): Promise<Map<string, string[]>> {
  const { stdout } = await exec('git', ['ls-files', '*.test.ts'], { cwd: ROOT, maxBuffer: OUTPUT_MAX_BYTES })
  const paths = stdout.split('\n')
  return new Map(names.map((name) => [name, paths.filter((path) => path.endsWith(`/${name}.test.ts`))]))
}

async function runFault(scratch: string, copy: string, name: string, files: string[]): Promise<string[]> {
  if (files.length === 0) console.error(`${name}: no test file has one of the names in faults.ts`)
  try {
    await exec('git', [...APPLY, toPatch(name)], { cwd: copy })
  } catch (error) {
    console.error(`${name}: the patch does not apply: ${error instanceof Error ? error.message : error}`)
    return []
  }
  try {
    return await runTests(scratch, copy, files)
  } finally {
    await exec('git', [...APPLY, '-R', toPatch(name)], { cwd: copy })
  }
}

/** @returns the titles of tests that failed, or the names of files that did not load. */
async function runTests(scratch: string, copy: string, files: string[]): Promise<string[]> {
  if (files.length === 0) return []
  const report = join(scratch, 'report.json')
  const options = ['--reporter=json', `--outputFile=${report}`, `--bail=${FAILED_MAX}`]
  const env = { ...process.env, TMPDIR: scratch }
  await exec('vitest', ['run', ...options, ...files], { cwd: copy, env, maxBuffer: OUTPUT_MAX_BYTES }).catch(
    () => undefined,
  )
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName)
    if (failed.length > 0) return failed.map((title) => `${basename(name)}: ${title.trim()}`)
    return status === 'failed' ? [`${basename(name)}: does not load`] : []
  })
}

interface Report {
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}
