/** The bundle in all packages of the agent. `npm run test:long -- packages` tests the packages. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bundleAgent, V8_FLAGS } from '../../agent/packages/bundle.ts'
import { version } from '../../agent/packages/version.ts'

test('the bundle of the agent prints its version and its help', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'platen-bundle-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const { script } = await bundleAgent(process.platform, dir)
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [...V8_FLAGS, script, ...args])).stdout
  expect(await run('--version')).toBe(`${version}\n`)
  expect(await run('--help')).toContain('support-bundle')
})

test('`npm run agent` has the flags of the packages', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(scripts.agent).toContain(` node ${V8_FLAGS.join(' ')} agent/main.ts`)
})
