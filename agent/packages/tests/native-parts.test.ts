import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import lock from '../../../package-lock.json' with { type: 'json' }
import { installNativeParts, type LockedPackages } from '../native-parts.ts'

const PART = 'node_modules/@koromix/koffi-win32-x64'

async function install(locked?: LockedPackages): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-native-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await installNativeParts({ platform: 'win32', architecture: 'x64', dir }, locked)
  return dir
}

test('the package for Windows contains the native parts of its platform only', async () => {
  const dir = await install()
  expect(await readdir(dir)).toEqual(['node_modules'])
  expect(
    (await readdir(join(dir, 'node_modules'), { recursive: true })).filter((name) => name.endsWith('.node')),
  ).toEqual([expect.stringContaining('koffi-win32-x64')])
})

test('a native part with another hash than in package-lock.json is not packaged', async () => {
  const { version } = lock.packages[PART]
  const { integrity } = lock.packages['node_modules/koffi']
  await expect(install({ ...lock.packages, [PART]: { version, integrity } })).rejects.toThrow('EINTEGRITY')
})

test('a native part without a hash in package-lock.json is not packaged', async () => {
  await expect(install({ ...lock.packages, [PART]: {} })).rejects.toThrow('has no hash')
})
