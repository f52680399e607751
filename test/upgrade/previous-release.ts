/** A clone of the previous release with its packages. It stays in the temporary directory for later runs. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '@platen/deploy/install/paths.mjs'
import release from './previous-release.json' with { type: 'json' }

const run = promisify(execFile)

export const previousVersion = release.version

/** @returns the directory. @throws Error if this clone lacks the commit, or npm fails. */
export async function openPreviousRelease(signal: AbortSignal): Promise<string> {
  const directory = join(tmpdir(), `platen-release-${release.commit}`)
  if (!existsSync(directory)) await extract(directory)
  // Its own installer, from its own lock file. It does nothing if the packages are complete.
  const install = run(process.execPath, [release.installer, '--packages'], { cwd: directory, signal })
  install.child.stdout?.pipe(process.stderr)
  install.child.stderr?.pipe(process.stderr)
  await install
  return directory
}

/** A run that ends early leaves no incomplete directory. */
async function extract(directory: string): Promise<void> {
  const partial = await mkdtemp(`${directory}-`)
  try {
    const archive = join(partial, '.tar')
    await run('git', ['archive', '--format=tar', `--output=${archive}`, release.commit], { cwd: root }).catch(
      (cause) => {
        throw new Error(
          `This clone lacks the commit ${release.commit} of release ${release.version}. Fetch it: \`git fetch --unshallow\`.`,
          { cause },
        )
      },
    )
    await run('tar', ['-xf', archive, '-C', partial])
    await rm(archive)
    await rename(partial, directory)
  } catch (error) {
    await rm(partial, { recursive: true })
    throw error
  }
}
