/**
 * Bundles the agent to one file of JavaScript for all packages. Compared with the sources, it needs a fifth of the time to start and two
 * thirds of the memory.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { createNotices } from './notices.ts'
import { root } from './paths.ts'

export interface Bundle {
  /** Path of the CommonJS file, the format that a single executable requires. Its source map is in the same directory. */
  script: string
  /** Path of the licences of all contents. */
  notices: string
  sizeBytes: number
}

/**
 * The flags of V8 in all packages. They keep the heap small after many jobs and disable optimizing compilers, which an agent does not need.
 * After 200 jobs and one of 25 MB the resident memory is 69 MB with them and 116 MB without, at the same speed.
 */
export const V8_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size', '--no-opt', '--no-maglev']

/**
 * @param platform drivers of other platforms are omitted.
 * @param dir the directory of the output.
 */
export async function bundleAgent(platform: NodeJS.Platform, dir: string): Promise<Bundle> {
  await mkdir(dir, { recursive: true })
  const script = join(dir, 'platen-agent.cjs')
  const { metafile } = await build({
    entryPoints: [join(root, 'agent/main.ts')],
    absWorkingDir: root,
    outfile: script,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // Names and lines are kept, so that a stack trace is readable without the source map.
    minifySyntax: true,
    sourcemap: 'external',
    legalComments: 'none',
    // Undefined, because a single executable has no module URLs: see `spoolers/native-packages.ts`.
    define: { 'process.platform': JSON.stringify(platform), 'import.meta.url': 'undefined' },
    metafile: true,
    logLevel: 'warning',
  })
  const noticesFile = join(dir, 'THIRD-PARTY-NOTICES.txt')
  await writeFile(noticesFile, await createNotices(Object.keys(metafile.inputs)))
  return { script, notices: noticesFile, sizeBytes: (await stat(script)).size }
}
