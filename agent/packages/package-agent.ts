/**
 * `npm run package:agent`: builds in `dist/agent` what can be built on this machine, and says what cannot and why.
 *
 * `--platform win32 --node node.exe` builds the single executable of another platform, from a Node of the version that this runs on.
 * `--base-image NAME` is what the container image is made on, where the official one cannot be pulled.
 */
import { mkdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleAgent } from './bundle.ts'
import { buildDeb } from './deb.ts'
import { buildImage, isEngineAvailable } from './image.ts'
import { installNativeParts } from './native-parts.ts'
import { outputDir, root } from './paths.ts'
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
await mkdir(dir, { recursive: true })
const bundle = await bundleAgent(platform, dir)
await report('bundle', bundle.script)

const executable = join(dir, `platen-agent-${version}${SUFFIXES[platform]}`)
await buildSingleExecutable({ bundle, node: options.node ?? process.execPath, platform, out: executable })
await report('single executable', executable)

if (platform === 'win32') {
  // The only Node of version 24 for Windows that npm has is of this architecture.
  await installNativeParts(platform, 'x64', dir)
  console.log(`beside them: ${relative(root, join(dir, 'node_modules'))}`)
}
if (platform !== 'linux') console.log(`${platform}: see docs/agent-packages.md for what is left to do there.`)
else {
  if (await succeeds('dpkg-deb', '--version')) await report('Debian package', await buildDeb({ bundle, dir }))
  else console.log('Debian package: not built, there is no dpkg-deb on this machine.')

  const tag = `platen-agent:${version}`
  if (await isEngineAvailable()) {
    await buildImage({ bundle, tag, baseImage: options['base-image'] })
    const sizeBytes = Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', tag]))
    console.log(`container image: ${tag}, ${megabytes(sizeBytes)}`)
  } else console.log('container image: not built, no Docker engine answers.')
}

async function report(kind: string, path: string): Promise<void> {
  console.log(`${kind}: ${relative(root, path)}, ${megabytes((await stat(path)).size)}`)
}

function megabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1e6).toFixed(1)} MB`
}
