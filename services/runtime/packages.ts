/**
 * Packages that an installation offers: a directory with their files and the list of their checksums, as
 * `npm run package:agent` and `npm run package:clients` make it.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CHECKSUMS, parseChecksums } from '@platen/proto/agent-packages.ts'

/** A list of a few files. */
const CHECKSUMS_MAX_BYTES = 64 * 1024

export interface PackageList<Package = object> {
  version: string
  packages: ({ file: string } & Package)[]
  /** The SHA-256 of all files in hex, by their names. */
  sha256: ReadonlyMap<string, string>
}

export type ReadPackages<Package = object> = () => Promise<PackageList<Package> | undefined>

/**
 * @param directory undefined: no packages.
 * @param parseName returns undefined for a file that is no package.
 * @returns a function that reads the list again only if it has changed, so packages can be added to a running
 *   installation. Its result is undefined without a list or if the packages have several versions.
 */
export function openPackages<Name extends { version: string }>(
  directory: string | undefined,
  parseName: (file: string) => Name | undefined,
): ReadPackages<Omit<Name, 'version'>> {
  let read: { mark: string; list: PackageList<Omit<Name, 'version'>> | undefined } | undefined
  return async () => {
    if (directory === undefined) return undefined
    const path = join(directory, CHECKSUMS)
    const found = await stat(path).catch(() => undefined)
    if (!found || found.size > CHECKSUMS_MAX_BYTES) return undefined
    const mark = `${found.ino} ${found.mtimeMs} ${found.size}`
    if (read?.mark !== mark) read = { mark, list: parse(await readFile(path), parseName) }
    return read.list
  }
}

/** @returns where a process builds packages until they are complete, because the directory itself is served. */
export const toUnfinished = (directory: string, pid: number): string => `${directory}.new-${pid}`

/** @returns how many files the build that is under way has finished; undefined without one. */
export async function countUnfinished(directory: string): Promise<number | undefined> {
  const [path] = (await listUnfinished(directory)).filter(({ isRunning }) => isRunning).map(({ path }) => path)
  return path === undefined ? undefined : (await readdir(path).catch(() => [])).length
}

/** Removes what builds that were killed have left. */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const { path, isRunning } of await listUnfinished(directory))
    if (!isRunning) await rm(path, { recursive: true, force: true })
}

async function listUnfinished(directory: string): Promise<{ path: string; isRunning: boolean }[]> {
  const beside = dirname(directory)
  const prefix = basename(toUnfinished(directory, 0)).slice(0, -1)
  const names = await readdir(beside).catch(() => [])
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ path: join(beside, name), isRunning: isRunning(Number(name.slice(prefix.length))) }))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function parse<Name extends { version: string }>(
  text: Buffer,
  parseName: (file: string) => Name | undefined,
): PackageList<Omit<Name, 'version'>> | undefined {
  const files = parseChecksums(text.toString('utf8'))
  const found = [...files.keys()].flatMap((file) => {
    const name = parseName(file)
    return name ? [{ file, name }] : []
  })
  const versions = new Set(found.map(({ name }) => name.version))
  const [version] = versions
  if (version === undefined || versions.size > 1) return undefined
  const own = createHash('sha256').update(text).digest('hex')
  const packages = found.map(({ file, name: { version: _, ...name } }) => ({ file, ...name }))
  return { version, packages, sha256: files.set(CHECKSUMS, own) }
}
