/** Builds one executable file with the agent and Node, for computers without an installation. */
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bundle, V8_FLAGS } from './bundle.ts'
import { root } from './paths.ts'
import { run } from './run.ts'

/** The marker that Node uses to detect an injected program. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

export interface SingleExecutableOptions {
  /** For the platform of `node`. */
  bundle: Bundle
  /** Path of a Node executable of any platform, with the version of this process, because the blob depends on the version. */
  node: string
  platform: NodeJS.Platform
  /** The path of the executable. */
  out: string
}

/**
 * The result must not be stripped, because it would crash. On macOS it must be signed before it runs (`macos/build-pkg.sh`). Windows displays
 * a warning for programs without a signature.
 */
export async function buildSingleExecutable({ bundle, node, platform, out }: SingleExecutableOptions): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'platen-sea-'))
  try {
    const config = join(workDir, 'sea.json')
    const blob = join(workDir, 'agent.blob')
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
    await rm(workDir, { recursive: true })
  }
}
