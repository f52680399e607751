/** Builds all packages of a target. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatPackageName, type PackageName } from '@platen/proto/agent-packages.ts'
import { type Entry, writeTarGz, writeZip } from './archives.ts'
import { buildDeb } from './deb.ts'
import { createProgramFiles } from './program-files.ts'
import type { Target } from './targets.ts'
import { version as ownVersion } from './version.ts'

export interface BuildOptions {
  target: Target
  /** The directory of the packages, which must exist. */
  out: string
  version?: string
  /** See `Identity`. */
  releaseKey?: string
}

/**
 * @returns the paths of the packages: for Linux the archive and the Debian package, for macOS and Windows the archive.
 */
export async function buildPackages({
  target,
  out,
  version = ownVersion,
  releaseKey,
}: BuildOptions): Promise<string[]> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  try {
    const files = await createProgramFiles(target, { dir, version, releaseKey })
    const toPath = (format: PackageName['format']) => join(out, formatPackageName(version, target.name, format))
    if (target.platform === 'win32') {
      const zip = toPath('zip')
      await writeZip(files, zip)
      return [zip]
    }
    const archive = toPath('tar.gz')
    await writeTarGz(files, archive, './')
    if (target.platform === 'darwin') return [archive]
    const deb = toPath('deb')
    await buildDeb({ target, version, data: archive, installedKb: await measureKb(files), out: deb })
    return [archive, deb]
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function measureKb(files: Entry[]): Promise<number> {
  const sizes = files.map(async ({ source }) =>
    'file' in source ? (await stat(source.file)).size : source.text.length,
  )
  return Math.ceil((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024)
}
