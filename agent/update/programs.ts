/**
 * The programs that updates have installed in the data directory: `program/VERSION-…`, and links that name them.
 * `packages/platen-agent.sh` starts a program by these links. Each change is the rename of one link, so a power failure
 * leaves the state before or after it.
 *
 * - `next`: installed, not started yet. The launcher renames it to `trying` when it starts it.
 * - `trying`: started, not connected yet. The program renames it to `current` at its first Welcome. If the launcher
 *   finds it at a start, the program has ended before, and the launcher renames it to `failed`.
 * - `current`: has been connected. The launcher starts it; without it the program of the package.
 * - `failed`: `tidyPrograms` makes a record of it.
 *
 * A program is used only with the package over which it was installed (`base`), so the installation of another package
 * replaces it.
 */
import { readFileSync, rmSync } from 'node:fs'
import {
  access,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { replaceFile } from '../replace-file.ts'
import { syncOnDisk } from '../sync-on-disk.ts'

/** A directory that no link names may belong to an update that runs. */
const UNUSED_MS = 60 * 60 * 1000

/** Why the newest attempt to update has failed. */
export interface UpdateFailure {
  /** The version that was tried. Empty if it is unknown. */
  version: string
  /** One sentence. */
  reason: string
  /** The same version would fail again, so it is not tried automatically. */
  isFinal: boolean
}

const ENDED =
  'The new version ended, or ran for 2 minutes, before it had connected. The log of the agent names the cause.'

const getDir = (dataDir: string) => join(dataDir, 'program')
const getLink = (dataDir: string, name: 'next' | 'trying' | 'current' | 'failed') => join(getDir(dataDir), name)
const getFailurePath = (dataDir: string) => join(dataDir, 'update-failure.json')

/**
 * Creates an empty directory for a program.
 *
 * @returns its path, which ends with six random characters after the version.
 */
export async function createProgramDir(dataDir: string, version: string): Promise<string> {
  await mkdir(getDir(dataDir), { recursive: true, mode: 0o700 })
  await removeUnused(dataDir)
  return await mkdtemp(join(getDir(dataDir), `${version}-`))
}

/**
 * Makes a program the next one. It must be complete and on disk.
 *
 * @param program the directory of the program, in a directory of `createProgramDir`.
 * @param base the version of the package, which the launcher passes.
 */
export async function setNext(dataDir: string, program: string, base: string): Promise<void> {
  const dir = getDir(dataDir)
  await writeFile(join(program, 'base'), `${base}\n`)
  await syncOnDisk(join(program, 'base'))
  await syncOnDisk(program)
  await syncOnDisk(dir)
  const link = join(dir, `.next-${process.pid}`)
  await rm(link, { force: true })
  await symlink(relative(dir, program), link)
  await rename(link, getLink(dataDir, 'next'))
  await syncOnDisk(dir)
}

/** Whether a program waits for the next start of the agent. */
export const hasNext = (dataDir: string): Promise<boolean> => exists(getLink(dataDir, 'next'))

/** Whether this process is a program that has not connected before. */
export async function isTrying(dataDir: string): Promise<boolean> {
  const program = await realpath(getLink(dataDir, 'trying')).catch(() => undefined)
  return program !== undefined && program === (await realpath(dirname(process.argv[1] ?? '')))
}

/** Keeps this program, which was tried, and deletes the former one of an update. */
export async function keepTried(dataDir: string): Promise<void> {
  const former = await readlink(getLink(dataDir, 'current')).catch(() => undefined)
  await rename(getLink(dataDir, 'trying'), getLink(dataDir, 'current'))
  await syncOnDisk(getDir(dataDir))
  deleteFailure(dataDir)
  if (former !== undefined) await removeProgram(dataDir, former)
}

/**
 * Called when the agent starts. Records that a program was tried in vain, unless it has recorded the reason itself, and
 * deletes what is not used any more.
 */
export async function tidyPrograms(dataDir: string, base: string): Promise<void> {
  const failed = await readlink(getLink(dataDir, 'failed')).catch(() => undefined)
  if (failed !== undefined) {
    const version = toVersion(failed)
    if (readFailure(dataDir)?.version !== version) recordFailure(dataDir, { version, reason: ENDED, isFinal: true })
    await rm(getLink(dataDir, 'failed'))
    await removeProgram(dataDir, failed)
  }
  for (const name of ['next', 'current'] as const) {
    const of = await readFile(join(getLink(dataDir, name), 'base'), 'utf8').catch(() => '')
    if (of.trim() !== base) await rm(getLink(dataDir, name), { force: true })
  }
  await removeUnused(dataDir)
}

export function recordFailure(dataDir: string, failure: UpdateFailure): void {
  replaceFile(getFailurePath(dataDir), `${JSON.stringify(failure)}\n`)
}

export const deleteFailure = (dataDir: string): void => rmSync(getFailurePath(dataDir), { force: true })

export function readFailure(dataDir: string): UpdateFailure | undefined {
  try {
    const { version, reason, isFinal } = JSON.parse(readFileSync(getFailurePath(dataDir), 'utf8'))
    return { version: String(version), reason: String(reason), isFinal: isFinal === true }
  } catch {
    return undefined
  }
}

/** Deletes directories that no link names. */
async function removeUnused(dataDir: string): Promise<void> {
  const dir = getDir(dataDir)
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  const links = entries.filter((entry) => entry.isSymbolicLink())
  const targets = await Promise.all(links.map(({ name }) => readlink(join(dir, name))))
  const used = new Set(targets.map(toDirName))
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !used.has(entry.name))) {
    const { mtimeMs } = await stat(join(dir, name))
    if (Date.now() - mtimeMs >= UNUSED_MS) await rm(join(dir, name), { recursive: true, force: true })
  }
}

async function removeProgram(dataDir: string, target: string): Promise<void> {
  await rm(join(getDir(dataDir), toDirName(target)), { recursive: true, force: true })
}

const toDirName = (target: string) => target.split('/')[0] || 'none'

/** @param target of a link: `0.4.0-Ab12Cd/usr/lib/platen-agent`. */
const toVersion = (target: string) => toDirName(target).slice(0, -'-XXXXXX'.length)

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
