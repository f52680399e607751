/** Installs the version of the agent that the service offers as the program of the next start. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import compare from 'semver/functions/compare.js'
import manifest from '../package.json' with { type: 'json' }
import { syncOnDisk } from '../sync-on-disk.ts'
import { explain } from '../transport/explain-error.ts'
import { exchange, type Route } from '../transport/request.ts'
import { findRelease, type Release, type Source, UpdateRefused } from './find-release.ts'
import { createProgramDir, deleteFailure, recordFailure, setNext } from './programs.ts'

const DOWNLOAD_TIMEOUT_MS = 30 * 60_000
/** A package has 50 MB. */
const PACKAGE_MAX_BYTES = 500e6
const CHECK_TIMEOUT_MS = 60_000

/** Where the program is in a package. */
const PROGRAM = process.platform === 'darwin' ? 'usr/local/lib/platen-agent' : 'usr/lib/platen-agent'

export interface Update extends Source {
  dataDir: string
  /** The version of the package, which the launcher passes. */
  base: string
  allowDowngrade?: boolean
}

/**
 * Downloads and verifies the package, unpacks it, starts it once to ask for its version, and makes it the next program.
 * Until the last step nothing changes for the agent. A failure is recorded for the service.
 *
 * @returns the version; undefined if it is the version of this program.
 * @throws UpdateRefused, or Error if another attempt may succeed; the message is for the user.
 */
export async function installUpdate(update: Update): Promise<string | undefined> {
  let version = ''
  try {
    const release = await findRelease(update)
    version = release.version
    const difference = compare(version, manifest.version)
    if (difference < 0 && !update.allowDowngrade)
      throw new UpdateRefused(
        version,
        `The service offers version ${version}, which is older than ${manifest.version}. To install it, run \`platen-agent update --allow-downgrade\`.`,
      )
    if (version === manifest.version) {
      deleteFailure(update.dataDir)
      return undefined
    }
    await install(release, update)
    deleteFailure(update.dataDir)
    return version
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const refused = error instanceof UpdateRefused ? error : undefined
    recordFailure(update.dataDir, { version: refused?.version ?? version, reason, isFinal: refused !== undefined })
    throw error
  }
}

async function install(release: Release, { dataDir, base, caFile, proxy }: Update): Promise<void> {
  const dir = await createProgramDir(dataDir, release.version)
  try {
    const archive = join(dir, 'package.tar.gz')
    await download(release, { caFile, proxy }, archive)
    await promisify(execFile)('tar', ['-xzf', archive, '-C', dir])
    await rm(archive)
    const program = join(dir, PROGRAM)
    await check(program, release.version)
    for (const entry of await readdir(dir, { recursive: true, withFileTypes: true }))
      await syncOnDisk(join(entry.parentPath, entry.name))
    await syncOnDisk(dir)
    await setNext(dataDir, program, base)
  } catch (error) {
    await rm(dir, { recursive: true, force: true })
    throw error
  }
}

async function download({ version, url, sha256 }: Release, route: Route, path: string): Promise<void> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  await exchange(url, route, { method: 'GET', timeoutMs: DOWNLOAD_TIMEOUT_MS }, async (response) => {
    if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}. Try again.`)
    const measure = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        sizeBytes += chunk.length
        if (sizeBytes > PACKAGE_MAX_BYTES) throw new UpdateRefused(version, `The package at ${url} is too large.`)
        hash.update(chunk)
        yield chunk
      }
    }
    await pipeline(response, measure, createWriteStream(path))
  }).catch((error) => {
    throw error instanceof UpdateRefused ? error : new Error(explain(error, url.host), { cause: error })
  })
  if (hash.digest('hex') !== sha256)
    throw new UpdateRefused(
      version,
      `The package of version ${version} is damaged: its checksum is not that of SHA256SUMS. Nothing was installed.`,
    )
}

/** Finds an incomplete program, one for another system, and a directory from which nothing can be executed. */
async function check(program: string, version: string): Promise<void> {
  const args = [join(program, 'platen-agent.cjs'), '--version']
  const printed = await promisify(execFile)(join(program, 'node'), args, { timeout: CHECK_TIMEOUT_MS }).then(
    ({ stdout }) => stdout.trim(),
    (error: Error & { stderr?: string }) => {
      const cause = error.stderr?.split('\n').find((line) => line.includes(': ')) ?? error.message
      throw new UpdateRefused(version, `Version ${version} does not run on this computer: ${cause.trim()}`)
    },
  )
  if (printed !== version) throw new UpdateRefused(version, `The package of version ${version} contains ${printed}.`)
}
