import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toSignedComment } from '@platen/proto/agent-packages.ts'
import { expect, onTestFinished, test } from 'vitest'
import { bundleAgent } from '../bundle.ts'
import { readReleaseKey } from '../minisign.ts'
import { root } from '../paths.ts'
import { signChecksums, writeChecksums, writeSbom } from '../release-files.ts'
import { run, succeeds } from '../run.ts'

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
  const { packages } = await bundleAgent('win32', dir)
  expect(packages.length).toBeGreaterThan(10)
  for (const path of packages) {
    const { name, version } = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'))
    expect(purls).toContain(`pkg:npm/${name}@${version}`)
  }
  expect(purls.filter((purl) => /\/(vitest|typescript|esbuild)@/.test(purl))).toEqual([])
})

test.skipIf(!(await succeeds('minisign', '-v')))('minisign verifies the signature of the checksums', async () => {
  const dir = await createDir()
  const keyFile = join(dir, 'key.pem')
  const { privateKey } = generateKeyPairSync('ed25519')
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const key = await readReleaseKey(keyFile)
  await writeChecksums(dir)
  await signChecksums(dir, toSignedComment('1.2.3'), key)
  const verify = () => run('minisign', ['-Vm', join(dir, 'SHA256SUMS'), '-P', key.public])
  expect(await verify()).toContain('Platen agent 1.2.3')
  await writeFile(join(dir, 'SHA256SUMS'), 'changed')
  await expect(verify()).rejects.toThrow()
})

test('a release key of another type is refused with a command that makes one', async () => {
  const file = join(await createDir(), 'key.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await expect(readReleaseKey(file)).rejects.toThrow(/type rsa.*openssl genpkey/)
})
