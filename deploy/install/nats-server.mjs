/**
 * Installs `nats-server` if the machine has none: the package of the distribution, otherwise the official release. It
 * is only used by this clone. The system is not changed and no permissions are needed.
 */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { debianPackage } from './debian-package.mjs'
import { findNatsServer, NATS_SERVER } from './find-nats-server.mjs'
import { InstallError } from './install-error.mjs'
import { officialRelease } from './official-release.mjs'
import { toolsDirectory } from './paths.mjs'
import { withProgress } from './progress.mjs'
import { CommandFailed, run } from './run.mjs'

/** @throws InstallError if it is missing and cannot be fetched. */
export async function installNatsServer() {
  if (findNatsServer()) return
  if (process.platform === 'darwin')
    throw new InstallError(
      'nats-server is missing. Install it with `brew install nats-server`, then run `npm start` again.',
    )
  const failures = []
  for (const source of [debianPackage, officialRelease].filter(({ isOffered }) => isOffered())) {
    const failure = await withWorkDirectory((directory) => tryFetch(source, directory))
    if (!failure) return
    failures.push(failure)
  }
  throw new InstallError(
    `nats-server is missing and could not be fetched (${failures.join('; ') || 'this system has no source'}). Install it from your distribution or from https://nats.io/download so that it is on the PATH, then run \`npm start\` again.`,
  )
}

/**
 * @param {typeof debianPackage} source
 * @param {string} directory
 * @returns {Promise<string | undefined>} the error message of a failure
 */
async function tryFetch({ step, fetchInto }, directory) {
  try {
    const program = await withProgress(step, () => fetchInto(directory))
    await run(program, ['--version'])
    await rename(program, join(toolsDirectory, NATS_SERVER))
    return undefined
  } catch (error) {
    if (error instanceof CommandFailed) return lastLine(error.output) ?? error.message
    return error.cause?.message ?? error.message
  }
}

/**
 * @template T
 * @param {(directory: string) => Promise<T>} work
 */
async function withWorkDirectory(work) {
  await mkdir(toolsDirectory, { recursive: true })
  const directory = await mkdtemp(join(toolsDirectory, 'fetch-'))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** @param {string} output */
function lastLine(output) {
  return output.trim().split('\n').at(-1)
}
