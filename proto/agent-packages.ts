/**
 * The names of the agent's packages and of their signed list. `agent/packages` builds them, the gateway offers them at
 * `/agents/`, and agents find their update among them. `install.sh` and `install.ps1` find the name of their package in
 * the list by its end.
 */

/** Contains the SHA-256 and the name of each file. It is signed as a whole, so no other list exists. */
export const CHECKSUMS = 'SHA256SUMS'
export const SIGNATURE = `${CHECKSUMS}.minisig`

/** What the signature says about the list. */
export const toSignedComment = (version: string) => `Platen agent ${version}`

export interface PackageName {
  version: string
  platform: 'linux' | 'macos' | 'windows'
  architecture: 'x64' | 'arm64'
  format: 'deb' | 'tar.gz' | 'zip'
}

/** @param target platform and architecture, for example `linux-x64`. */
export const formatPackageName = (version: string, target: string, format: PackageName['format']) =>
  `platen-agent-${version}-${target}.${format}`

const PACKAGE =
  /^platen-agent-(?<version>[0-9A-Za-z.+-]+)-(?<platform>linux|macos|windows)-(?<architecture>x64|arm64)\.(?<format>deb|tar\.gz|zip)$/

/** @returns undefined for other files of the list. */
export const parsePackageName = (file: string) => PACKAGE.exec(file)?.groups as PackageName | undefined

/** The name has no `/` and no leading dot, so it cannot leave its directory. */
const LINE = /^([0-9a-f]{64}) [ *]([A-Za-z0-9][A-Za-z0-9._+~-]*)$/

/** @returns the SHA-256 of each file in hex, by its name. */
export function parseChecksums(list: string): Map<string, string> {
  const lines = list.split('\n').flatMap((line) => {
    const [, sha256 = '', file = ''] = LINE.exec(line) ?? []
    return file === '' ? [] : [[file, sha256] as const]
  })
  return new Map(lines)
}
