/**
 * `npm run release`: builds everything that a version consists of in `dist/release`, and verifies that all of it has
 * one version. Publishes nothing. `-- --dry-run` also accepts a `-dev` version, uncommitted changes, no key and no
 * Docker engine, and names what is missing.
 *
 * `PLATEN_RELEASE_KEY_FILE` names the key that signs `SHA256SUMS`: see docs/agent-packages.md.
 */
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isEngineAvailable } from '../../agent/packages/image.ts'
import { readReleaseKey } from '../../agent/packages/minisign.ts'
import { outputDir as agentDir, root } from '../../agent/packages/paths.ts'
import { signChecksums, writeChecksums } from '../../agent/packages/release-files.ts'
import { run } from '../../agent/packages/run.ts'
import { version } from '../../agent/packages/version.ts'
import { packageCli, packageSdk } from '../../clients/package-clients.ts'
import { packagePython } from '../../clients/python/package-python.ts'
import { CHECKSUMS, SIGNATURE, toSignedComment } from '../../proto/agent-packages.ts'
import { toPythonVersion } from '../../services/resources/client-packages.ts'
import prepareHelm, { chart, HELM } from '../../test/chart/helm.ts'
import { writeImageFiles } from './image-files.ts'

const out = join(root, 'dist/release')
const IMAGE_PLATFORMS = ['amd64', 'arm64']
/** Lists that this command makes anew for all files. */
const LISTS = [CHECKSUMS, SIGNATURE]

const { values: options } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const keyFile = process.env.PLATEN_RELEASE_KEY_FILE
const missing: string[] = []

/** @throws without `--dry-run`, with all reasons. */
async function checkConditions(hasEngine: boolean): Promise<void> {
  if (version.endsWith('-dev')) missing.push(`the version ${version} is not that of a release`)
  if ((await run('git', ['-C', root, 'status', '--porcelain'])) !== '') missing.push('there are uncommitted changes')
  if (!keyFile) missing.push('PLATEN_RELEASE_KEY_FILE is not set, so nothing is signed')
  if (!hasEngine) missing.push('no Docker engine responds, so the images are not built')
  if (missing.length > 0 && !options['dry-run']) throw new Error(`This cannot be released: ${missing.join('; ')}.`)
}

async function buildImages(): Promise<void> {
  for (const platform of IMAGE_PLATFORMS) {
    const tag = `platen:${version}-${platform}`
    const file = join(root, 'deploy/image/Dockerfile')
    await run('docker', ['build', '--platform', `linux/${platform}`, '--file', file, '--tag', tag, root])
    await writeImageFiles(tag, out, `platen-image-${version}-${platform}`)
  }
}

/** The section of the changelog that describes the version. */
async function writeNotes(): Promise<void> {
  const name = version.endsWith('-dev') ? 'Unreleased' : version
  const sections = (await readFile(join(root, 'CHANGELOG.md'), 'utf8')).split(/^(?=## )/m)
  const section = sections.find((text) => text.startsWith(`## ${name}`))
  if (!section) throw new Error(`CHANGELOG.md has no section ${name}.`)
  await writeFile(join(out, `CHANGES-${version}.md`), section)
}

/** @throws for a file whose name has another version. */
async function verifyVersions(): Promise<void> {
  await run(process.execPath, [join(root, 'test/tools/check-versions.ts')])
  const names = (await readdir(out)).filter((name) => /^(platen|CHANGES)/.test(name))
  const others = names.filter((name) => !name.includes(version) && !name.includes(`-${toPythonVersion(version)}-`))
  if (others.length > 0) throw new Error(`These files do not have the version ${version}: ${others.join(', ')}.`)
}

const hasEngine = await isEngineAvailable()
await checkConditions(hasEngine)
const key = keyFile ? await readReleaseKey(keyFile) : undefined
await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })

console.log('packages of the agent …')
await run(process.execPath, [join(root, 'agent/packages/package-agent.ts')])
for (const name of await readdir(agentDir))
  if (!LISTS.includes(name)) await copyFile(join(agentDir, name), join(out, name))
console.log('packages of the clients …')
await packageSdk(out)
await packageCli(out)
await packagePython(out)
console.log('chart …')
prepareHelm()
await run(HELM, ['package', chart, '--destination', out])
if (hasEngine) {
  console.log('images …')
  await buildImages()
}
await writeNotes()
await verifyVersions()
await writeChecksums(out)
if (key) await signChecksums(out, toSignedComment(version), key)

for (const line of (await readFile(join(out, CHECKSUMS), 'utf8')).trim().split('\n')) {
  const [sha256 = '', name = ''] = line.split('  ')
  const { size } = await stat(join(out, name))
  console.log(`${(size / 1e6).toFixed(1).padStart(7)} MB  ${sha256.slice(0, 16)}…  ${name}`)
}
console.log(`All of it has the version ${version}.`)
for (const reason of missing) console.log(`Not a release: ${reason}.`)
