/** Builds the Debian package for the architecture of this machine. `deb/` contains its files. */
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bundle } from './bundle.ts'
import { createProgramTree } from './program-tree.ts'
import { run } from './run.ts'
import { version as ownVersion } from './version.ts'

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }
const SOURCES = join(import.meta.dirname, 'deb')
const SCRIPTS = ['postinst', 'prerm', 'postrm']
const UNITS = 'usr/lib/systemd/system'

export interface DebOptions {
  bundle: Bundle
  /** The directory of the output. */
  dir: string
  version?: string
  /** `none` needs one second instead of 30. */
  compression?: 'xz' | 'none'
}

/**
 * @returns the path of the package.
 * @throws without `dpkg-deb`, and on an unsupported architecture.
 */
export async function buildDeb({ bundle, dir, version = ownVersion, compression = 'xz' }: DebOptions): Promise<string> {
  const architecture = ARCHITECTURES[process.arch]
  if (!architecture) throw new Error(`The Debian package does not support the architecture ${process.arch}.`)
  const tree = await mkdtemp(join(tmpdir(), 'platen-deb-'))
  try {
    await chmod(tree, 0o755)
    await createProgramTree(tree, bundle)
    await mkdir(join(tree, UNITS), { recursive: true })
    await cp(join(SOURCES, 'platen-agent.service'), join(tree, UNITS, 'platen-agent.service'))
    await mkdir(join(tree, 'DEBIAN'))
    for (const name of SCRIPTS) {
      await copyFile(join(SOURCES, name), join(tree, 'DEBIAN', name))
      await chmod(join(tree, 'DEBIAN', name), 0o755)
    }
    // For dpkg `0.2.0~dev` is older than `0.2.0`, but `0.2.0-dev` newer.
    const debVersion = version.replace('-', '~')
    const installedKb = (await run('du', ['-k', '-s', '--exclude=DEBIAN', tree])).split('\t')[0]
    await writeFile(join(tree, 'DEBIAN/control'), formatControl({ version: debVersion, architecture, installedKb }))
    await mkdir(dir, { recursive: true })
    const path = join(dir, `platen-agent_${debVersion}_${architecture}.deb`)
    await run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', tree, path])
    return path
  } finally {
    await rm(tree, { recursive: true })
  }
}

/** Depends on the libraries of Node (glibc 2.28, the C++ library of GCC 8), `useradd` and `setpriv`. CUPS is optional. */
function formatControl(facts: { version: string; architecture: string; installedKb: string | undefined }): string {
  return `Package: platen-agent
Version: ${facts.version}
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
