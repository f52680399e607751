/** The agent and Node in one file, for a computer on which nothing is to be installed. */
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bundle, V8_FLAGS } from './bundle.ts'
import { root } from './paths.ts'
import { run } from './run.ts'

/** Tells Node that a program was injected. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

export interface SingleExecutableOptions {
  /** Of the same platform as `node`. */
  bundle: Bundle
  /** The Node to inject into, of the version that this runs on, since the blob is made for one version; of any platform. */
  node: string
  platform: NodeJS.Platform
  /** The path of the executable. */
  out: string
}

/**
 * The result must not be stripped: it would crash. On macOS it must be signed before it runs (`macos/build-pkg.sh`), and Windows warns
 * of programs without a signature.
 */
export async function buildSingleExecutable({ bundle, node, platform, out }: SingleExecutableOptions): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'platen-sea-'))
  try {
    const config = join(work, 'sea.json')
    const blob = join(work, 'agent.blob')
    await writeFile(
      config,
      JSON.stringify({
        main: bundle.script,
        output: blob,
        disableExperimentalSEAWarning: true,
        execArgv: V8_FLAGS,
        execArgvExtension: 'env',
      }),
    )
    await run(process.execPath, ['--experimental-sea-config', config])
    await copyFile(node, out)
    await chmod(out, 0o755)
    const postject = join(root, 'node_modules/postject/dist/cli.js')
    const segment = platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
    await run(process.execPath, [postject, out, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment])
  } finally {
    await rm(work, { recursive: true })
  }
}
