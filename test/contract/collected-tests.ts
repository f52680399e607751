/** Which tests exist, as vitest itself collects them. Used by `contract.test.ts`. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const VITEST = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const TIME_LIMIT_MS = 240_000

interface CollectedTest {
  /** "group > test", with the cases of tables filled in. */
  name: string
  file: string
}

/**
 * Loads every test file without running a test, which takes seconds. Skipped tests are not among them: they prove nothing.
 *
 * @returns "test/e2e/start.test.ts: group > test", the form in which entries name their proofs.
 * @throws with what vitest says when a test file cannot be loaded.
 */
export async function collectedTests(): Promise<Set<string>> {
  const scratch = await mkdtemp(join(tmpdir(), 'platen-contract-'))
  const list = join(scratch, 'tests.json')
  const args = [
    'list',
    `--json=${list}`,
    '--no-static-parse',
    '--config',
    'test/contract/collect.config.ts',
    '--root',
    '.',
  ]
  try {
    const { stderr } = await promisify(execFile)(process.execPath, [VITEST, ...args], {
      cwd: ROOT,
      env: outsideOfVitest(),
      timeout: TIME_LIMIT_MS,
    })
    // Some failures of vitest end with 0 and without the list.
    if (!existsSync(list)) throw new Error(`vitest could not collect the tests: ${stderr}`)
    const tests: CollectedTest[] = JSON.parse(await readFile(list, 'utf8'))
    return new Set(tests.map(({ name, file }) => `${relative(ROOT, file).split(sep).join('/')}: ${name}`))
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/** Else the child would take itself for a worker of the run that it was started in. */
function outsideOfVitest(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST$|NODE_ENV$)/.test(name)))
}
