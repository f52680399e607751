import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasPackages } from '../../launcher/build-agent-packages.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

const list = (version: string) => `${'a'.repeat(64)}  platen-agent-${version}-linux-x64.deb\n`

test('a start builds missing packages and those of another version, but replaces no signed ones', async () => {
  const directory = await temporaryDirectory()
  expect(await hasPackages(join(directory, 'missing'), '1.2.3')).toBe(false)
  await writeFile(join(directory, 'SHA256SUMS'), list('1.2.2'))
  expect(await hasPackages(directory, '1.2.3')).toBe(false)
  expect(await hasPackages(directory, '1.2.2')).toBe(true)
  await writeFile(join(directory, 'SHA256SUMS.minisig'), 'signature')
  expect(await hasPackages(directory, '1.2.3')).toBe(true)
})
