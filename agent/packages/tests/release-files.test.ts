import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleAgent } from '../bundle.ts'
import { writeChecksums, writeSbom } from '../release-files.ts'
import { run } from '../run.ts'

async function createDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-release-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test.skipIf(process.platform !== 'linux')('a changed file of a package fails `sha256sum --check`', async () => {
  const dir = await createDir()
  await mkdir(join(dir, 'node_modules'))
  const files = [join(dir, 'platen-agent.deb'), join(dir, 'node_modules/part.node')]
  for (const file of files) await writeFile(file, 'built')
  const check = () => run('env', ['--chdir', dir, 'sha256sum', '--check', '--strict', 'SHA256SUMS'])
  // The second list does not contain the first one.
  for (let build = 1; build <= 2; build++) await writeChecksums(dir)
  expect(await check()).toBe('node_modules/part.node: OK\nplaten-agent.deb: OK\n')
  for (const file of files) {
    await writeFile(file, 'changed')
    await expect(check()).rejects.toThrow('1 computed checksum did NOT match')
    await writeFile(file, 'built')
  }
})

test('the SBOM of a package contains all packages of its bundle and no development dependencies', async () => {
  const dir = await createDir()
  await writeSbom(dir)
  const { components } = JSON.parse(await readFile(join(dir, 'sbom.cdx.json'), 'utf8'))
  const purls: string[] = components.map(({ purl }: { purl: string }) => decodeURIComponent(purl))
  const { notices } = await bundleAgent('win32', dir)
  const bundled = [...(await readFile(notices, 'utf8')).matchAll(/^-{80}\n(?<name>\S+) (?<version>\d\S+) \(/gm)]
  expect(bundled.length).toBeGreaterThan(10)
  for (const { groups } of bundled) expect(purls).toContain(`pkg:npm/${groups?.name}@${groups?.version}`)
  expect(purls.filter((purl) => /\/(vitest|typescript|esbuild)@/.test(purl))).toEqual([])
})
