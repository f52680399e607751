/**
 * The agent as one file of plain JavaScript, which every package holds: it starts in a fifth of the time and in two thirds of the
 * memory that the sources take.
 */
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { notices } from './notices.ts'
import { root } from './paths.ts'

export interface Bundle {
  /** CommonJS, which a single-file executable needs; its source map lies beside it. */
  script: string
  /** The licences of everything in it. */
  notices: string
  sizeBytes: number
}

/**
 * What V8 is told in every package. Without these a burst of jobs leaves the heap as large as it has grown, and the compilers that make
 * hot code fast in memory: 200 jobs and one of 25 MB leave 116 MB resident, with them 69, and take as long. An agent computes little.
 */
export const V8_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size', '--no-opt', '--no-maglev']

/**
 * @param platform drivers of other platforms are left out.
 * @param dir where the files are written.
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
    // Names and lines stay, so that a stack in a log can be read without the source map.
    minifySyntax: true,
    sourcemap: 'external',
    legalComments: 'none',
    // Undefined, because a single executable has no module URLs: see `spoolers/windows/native-require.ts`.
    define: { 'process.platform': JSON.stringify(platform), 'import.meta.url': 'undefined' },
    metafile: true,
    logLevel: 'warning',
  })
  const noticesFile = join(dir, 'THIRD-PARTY-NOTICES.txt')
  await writeFile(noticesFile, await notices(Object.keys(metafile.inputs)))
  return { script, notices: noticesFile, sizeBytes: (await stat(script)).size }
}
