/**
 * `nats-server`: the machine's own where it has one, else the distribution's package, else the official release. A fetched one is
 * for this clone alone; nothing on the system is changed, and no rights are needed.
 */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { debianPackage } from './debian-package.mjs'
import { findNatsServer, NATS_SERVER } from './find-nats-server.mjs'
import { InstallError } from './install-error.mjs'
import { officialRelease } from './official-release.mjs'
import { toolsDirectory } from './places.mjs'
import { withProgress } from './progress.mjs'
import { CommandFailed, run } from './run.mjs'

/** @throws InstallError when there is none and none can be fetched. */
export async function installNatsServer() {
  if (findNatsServer()) return
  if (process.platform === 'darwin')
    throw new InstallError(
      'nats-server is missing: install it with `brew install nats-server`, then run `npm start` again.',
    )
  const failures = []
  for (const source of [debianPackage, officialRelease].filter(({ isOffered }) => isOffered())) {
    const failure = await withWorkDirectory((directory) => tryFetch(source, directory))
    if (!failure) return
    failures.push(failure)
  }
  throw new InstallError(
    `nats-server is missing and could not be fetched (${failures.join('; ') || 'no source is known for this system'}): install it from your distribution or from https://nats.io/download so that it is on the PATH, then run \`npm start\` again.`,
  )
}

/**
 * @param {typeof debianPackage} source
 * @param {string} directory
 * @returns {Promise<string | undefined>} why it failed
 */
async function tryFetch({ doing, fetchInto }, directory) {
  try {
    const program = await withProgress(doing, () => fetchInto(directory))
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
