/** Writes archives on any platform. All files belong to root. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import archiver, { type Archiver } from 'archiver'

export interface Entry {
  /** In the archive, with `/`. */
  path: string
  /** A file of this machine, or the contents. */
  source: { file: string } | { text: string }
  /** 0o755 or 0o644. */
  mode: number
}

/** The time of every entry, because a build is identified by its version and not by its time. */
const MODIFIED_AT = new Date('2026-01-01T00:00:00Z')

const LEVEL = 9

/** @param prefix of all paths, for example `./`. Directories are entries as well, because dpkg requires them. */
export async function writeTarGz(entries: Entry[], out: string, prefix = ''): Promise<void> {
  const archive = archiver('tar', { gzip: true, gzipOptions: { level: LEVEL } })
  for (const path of listDirectories(entries))
    archive.append('', { name: `${prefix}${path}/`, type: 'directory', mode: 0o755, date: MODIFIED_AT } as never)
  await write(archive, entries, out, prefix)
}

export async function writeZip(entries: Entry[], out: string): Promise<void> {
  await write(archiver('zip', { zlib: { level: LEVEL } }), entries, out, '')
}

async function write(archive: Archiver, entries: Entry[], out: string, prefix: string): Promise<void> {
  for (const { path, source, mode } of entries) {
    const data = { name: `${prefix}${path}`, mode, date: MODIFIED_AT }
    if ('file' in source) archive.file(source.file, data)
    else archive.append(source.text, data)
  }
  await Promise.all([archive.finalize(), pipeline(archive, createWriteStream(out))])
}

/** All directories of the entries, parents first. */
function listDirectories(entries: Entry[]): string[] {
  const directories = new Set<string>()
  for (const { path } of entries) {
    const names = path.split('/')
    for (let depth = 1; depth < names.length; depth++) directories.add(names.slice(0, depth).join('/'))
  }
  return [...directories].sort()
}
