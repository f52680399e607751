import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import lock from '../../../package-lock.json' with { type: 'json' }
import { installParts, type LockedPackages } from '../parts.ts'
import { getTarget } from '../targets.ts'

const PART = 'node_modules/@koromix/koffi-win32-x64'
const WINDOWS = getTarget('win32', 'x64')

test('the parts for Windows have the native code of their platform only', async () => {
  const modules = await installParts(WINDOWS)
  const files = await readdir(modules, { recursive: true })
  expect(files.filter((name) => name.endsWith('.node'))).toEqual([expect.stringContaining('koffi-win32-x64')])
  expect(await readdir(join(modules, WINDOWS.node, 'bin'))).toEqual(['node.exe'])
})

test('a part with another hash than in package-lock.json is not packaged', async () => {
  const { version } = lock.packages[PART]
  const { integrity } = lock.packages['node_modules/koffi']
  const locked: LockedPackages = { ...lock.packages, [PART]: { version, integrity } }
  await expect(installParts(WINDOWS, locked)).rejects.toThrow('EINTEGRITY')
})

test('a part without a hash in package-lock.json is not packaged', async () => {
  await expect(installParts(WINDOWS, { ...lock.packages, [PART]: {} })).rejects.toThrow('has no hash')
})
