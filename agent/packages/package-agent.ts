/**
 * `npm run package:agent`: builds the packages that this machine can build in `dist/agent`, and prints why the others are not built.
 *
 * `--platform win32 --node node.exe` builds the single executable of another platform. The Node must have the version of this process.
 * `--base-image NAME` replaces the base image of the container image if it cannot be pulled.
 */
import { cp, mkdir, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleAgent } from './bundle.ts'
import { buildDeb } from './deb.ts'
import { buildImage, isEngineAvailable } from './image.ts'
import { installNativeParts } from './native-parts.ts'
import { outputDir, root } from './paths.ts'
import { copyPdfium } from './program-tree.ts'
import { writeChecksums, writeSbom } from './release-files.ts'
import { run, succeeds } from './run.ts'
import { buildSingleExecutable } from './single-executable.ts'
import { version } from './version.ts'

const PLATFORMS = ['linux', 'darwin', 'win32'] as const
const SUFFIXES = { linux: '', darwin: '', win32: '.exe' }

const { values: options } = parseArgs({
  options: {
    platform: { type: 'string', default: process.platform },
    node: { type: 'string' },
    'base-image': { type: 'string' },
  },
})
const platform = PLATFORMS.find((name) => name === options.platform)
if (!platform || (platform !== process.platform && !options.node)) {
  console.error(
    `Usage: npm run package:agent [-- --platform ${PLATFORMS.join('|')} --node NODE-OF-THAT-PLATFORM --base-image IMAGE]`,
  )
  process.exit(2)
}

const dir = join(outputDir, platform)
// The checksums are those of this version only.
await rm(dir, { recursive: true, force: true })
await mkdir(dir, { recursive: true })
const bundle = await bundleAgent(platform, dir)
await printSize('bundle', bundle.script)

const executable = join(dir, `platen-agent-${version}${SUFFIXES[platform]}`)
await buildSingleExecutable({ bundle, node: options.node ?? process.execPath, platform, out: executable })
await printSize('single executable', executable)

if (platform === 'win32') {
  // npm has Node 24 for Windows only for this architecture.
  await installNativeParts({ platform, architecture: 'x64', dir })
  await cp(join(import.meta.dirname, 'windows'), dir, { recursive: true })
} else await copyPdfium(dir)
console.log(`native modules: ${relative(root, join(dir, 'node_modules'))}`)
if (platform !== 'linux') console.log(`${platform}: docs/agent-packages.md describes the remaining steps.`)
else {
  if (await succeeds('dpkg-deb', '--version')) await printSize('Debian package', await buildDeb({ bundle, dir }))
  else console.log('Debian package: not built, because dpkg-deb is not installed.')

  const tag = `platen-agent:${version}`
  if (await isEngineAvailable()) {
    await buildImage({ bundle, tag, baseImage: options['base-image'] })
    const sizeBytes = Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', tag]))
    console.log(`container image: ${tag}, ${formatMegabytes(sizeBytes)}`)
  } else console.log('container image: not built, because no Docker engine responds.')
}

await writeSbom(dir)
await writeChecksums(dir)
console.log(`checksums: ${relative(root, join(dir, 'SHA256SUMS'))}`)

async function printSize(kind: string, path: string): Promise<void> {
  console.log(`${kind}: ${relative(root, path)}, ${formatMegabytes((await stat(path)).size)}`)
}

function formatMegabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1e6).toFixed(1)} MB`
}
