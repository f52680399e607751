/**
 * `npm run package:agent`: builds the packages of all platforms in `dist/agent`, on any platform, and the container
 * image if a Docker engine responds. `npm start` serves the directory at `/agents/`, and builds the packages itself for
 * other computers.
 *
 * `--target linux-x64` builds for one platform; it can be repeated. `--no-image` omits the container image.
 * `--base-image NAME` replaces its base image if that cannot be pulled. `PLATEN_RELEASE_KEY_FILE` names the key that
 * signs the checksums.
 */
import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { CHECKSUMS, formatPackageName, toSignedComment } from '@platen/proto/agent-packages.ts'
import { removeUnfinished, toUnfinished } from '@platen/runtime/packages.ts'
import { buildPackages } from './build-packages.ts'
import { buildImage, isEngineAvailable } from './image.ts'
import { readReleaseKey } from './minisign.ts'
import { outputDir, root } from './paths.ts'
import { signChecksums, writeChecksums, writeSbom } from './release-files.ts'
import { run } from './run.ts'
import { TARGETS } from './targets.ts'
import { version } from './version.ts'

const SCRIPTS = ['install.sh', 'install.ps1']

const { values: options } = parseArgs({
  options: {
    target: { type: 'string', multiple: true },
    'base-image': { type: 'string' },
    image: { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const targets = options.target ? TARGETS.filter(({ name }) => options.target?.includes(name)) : TARGETS
if (targets.length === 0) {
  console.error(
    `Usage: npm run package:agent [-- --target ${TARGETS.map(({ name }) => name).join('|')} --base-image IMAGE --no-image]`,
  )
  process.exit(2)
}
const keyFile = process.env.PLATEN_RELEASE_KEY_FILE
const key = keyFile ? await readReleaseKey(keyFile) : undefined

// A gateway serves the directory, so it is complete at any time and has one version only.
await removeUnfinished(outputDir)
const dir = toUnfinished(outputDir, process.pid)
await mkdir(dir, { recursive: true })
for (const target of targets)
  for (const path of await buildPackages({ target, out: dir, releaseKey: key?.public }))
    console.log(`${target.name}: ${relative(dir, path)}, ${formatMegabytes((await stat(path)).size)}`)
for (const name of SCRIPTS) await copyFile(join(import.meta.dirname, 'served', name), join(dir, name))
await writeSbom(dir)
await writeChecksums(dir)
if (key) await signChecksums(dir, toSignedComment(version), key)
await rm(outputDir, { recursive: true, force: true })
await rename(dir, outputDir)
console.log(
  `checksums: ${relative(root, join(outputDir, CHECKSUMS))}, ${key ? `signed with the key ${key.public}` : 'not signed, because PLATEN_RELEASE_KEY_FILE is not set'}`,
)

if (!options.image) process.exit()
const imageTarget = `linux-${process.arch}`
const archive = join(outputDir, formatPackageName(version, imageTarget, 'tar.gz'))
if (!targets.some(({ name }) => name === imageTarget))
  console.log('container image: not built, because its package was not built.')
else if (await isEngineAvailable()) {
  const tag = `platen-agent:${version}`
  await buildImage({ archive, tag, baseImage: options['base-image'] })
  const sizeBytes = Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', tag]))
  console.log(`container image: ${tag}, ${formatMegabytes(sizeBytes)}`)
} else console.log('container image: not built, because no Docker engine responds.')

function formatMegabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1e6).toFixed(1)} MB`
}
