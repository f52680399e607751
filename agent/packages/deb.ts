/** Makes the Debian package of an archive of the program, on any platform. `deb/` contains its scripts. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeTarGz } from './archives.ts'
import type { Target } from './targets.ts'

const ARCHITECTURES: Record<Target['architecture'], string> = { x64: 'amd64', arm64: 'arm64' }
const SOURCES = join(import.meta.dirname, 'deb')
const SCRIPTS = ['postinst', 'prerm', 'postrm']

export interface DebOptions {
  target: Target
  version: string
  /** The files of the package as `.tar.gz`, with paths that begin with `./`. */
  data: string
  installedKb: number
  /** The path of the package. */
  out: string
}

export async function buildDeb({ target, version, data, installedKb, out }: DebOptions): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'platen-deb-'))
  try {
    const control = join(dir, 'control.tar.gz')
    const text = formatControl({ version, architecture: ARCHITECTURES[target.architecture], installedKb })
    await writeTarGz(
      [
        { path: 'control', source: { text }, mode: 0o644 },
        ...SCRIPTS.map((name) => ({ path: name, source: { file: join(SOURCES, name) }, mode: 0o755 })),
      ],
      control,
      './',
    )
    await pipeline(formatPackage(await readFile(control), data), createWriteStream(out))
  } finally {
    await rm(dir, { recursive: true })
  }
}

/** An `ar` archive: see deb(5). Members begin at even offsets. */
async function* formatPackage(control: Buffer, data: string): AsyncGenerator<Buffer | string> {
  yield '!<arch>\n'
  yield `${formatMember('debian-binary', 4)}2.0\n`
  yield formatMember('control.tar.gz', control.length)
  yield control
  if (control.length % 2 === 1) yield '\n'
  const { size } = await stat(data)
  yield formatMember('data.tar.gz', size)
  yield* createReadStream(data)
  if (size % 2 === 1) yield '\n'
}

/** Name, time, user, group, mode and size of a member, in columns of fixed width. */
const formatMember = (name: string, sizeBytes: number) =>
  `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(sizeBytes).padEnd(10)}\`\n`

/**
 * Depends on the libraries of Node (glibc 2.28, the C++ library of GCC 8), `useradd` and `setpriv`. CUPS is optional.
 */
function formatControl(facts: { version: string; architecture: string; installedKb: number }): string {
  return `Package: platen-agent
Version: ${toDebVersion(facts.version)}
Architecture: ${facts.architecture}
Maintainer: Platen <platen@localhost>
Installed-Size: ${facts.installedKb}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), passwd, util-linux, init-system-helpers
Suggests: cups
Section: net
Priority: optional
Description: print agent of the Platen cloud printing service
 Connects the printers of this computer to a Platen service and prints its
 jobs. Runs as a system service. Enrol the computer once with
 "platen-agent enroll".
`
}

/** For dpkg `0.2.0~dev` is older than `0.2.0`, but `0.2.0-dev` newer. */
const toDebVersion = (version: string) => version.replace('-', '~')
