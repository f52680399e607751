/**
 * The packages of the agent that an installation offers: the directory `PLATEN_AGENT_PACKAGES_DIR`, as `npm run package:agent` makes it. The
 * gateway serves its files, and devices announces its version to agents.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Contains the SHA-256 and the name of each file. It is signed as a whole, so no other list exists. */
export const CHECKSUMS = 'SHA256SUMS'
export const SIGNATURE = `${CHECKSUMS}.minisig`

/** A list of a few files. */
const CHECKSUMS_MAX_BYTES = 64 * 1024
/** Without `/` and without a leading dot, so a name cannot leave the directory. */
const LINE = /^([0-9a-f]{64}) [ *]([A-Za-z0-9][A-Za-z0-9._+~-]*)$/
const PACKAGE =
  /^platen-agent-(?<version>.+)-(?<platform>linux|macos|windows)-(?<architecture>x64|arm64)\.(?<format>deb|tar\.gz|zip)$/

export interface AgentPackage {
  file: string
  platform: string
  architecture: string
  format: string
}

export interface AgentPackages {
  version: string
  packages: AgentPackage[]
  /** The SHA-256 of all files in hex, by their names. */
  sha256: ReadonlyMap<string, string>
}

export type ReadAgentPackages = () => Promise<AgentPackages | undefined>

/**
 * @param directory undefined: no packages.
 * @returns a function that reads the list again only if it has changed, so packages can be added to a running installation. Its result is
 *   undefined without a list or if the packages have several versions.
 */
export function openAgentPackages(directory: string | undefined): ReadAgentPackages {
  let read: { mark: string; list: AgentPackages | undefined } | undefined
  return async () => {
    if (directory === undefined) return undefined
    const path = join(directory, CHECKSUMS)
    const found = await stat(path).catch(() => undefined)
    if (!found || found.size > CHECKSUMS_MAX_BYTES) return undefined
    const mark = `${found.ino} ${found.mtimeMs} ${found.size}`
    if (read?.mark !== mark) read = { mark, list: parse(await readFile(path)) }
    return read.list
  }
}

function parse(text: Buffer): AgentPackages | undefined {
  const lines = text.toString('utf8').split('\n')
  const files = lines.flatMap((line) => {
    const [, sha256 = '', name = ''] = LINE.exec(line) ?? []
    return name === '' ? [] : [[name, sha256] as const]
  })
  const packages = files.flatMap(([file]) => {
    const parts = PACKAGE.exec(file)?.groups
    return parts ? [{ file, ...parts } as AgentPackage & { version: string }] : []
  })
  const versions = new Set(packages.map(({ version }) => version))
  const [version] = versions
  if (version === undefined || versions.size > 1) return undefined
  const own = createHash('sha256').update(text).digest('hex')
  return {
    version,
    packages: packages.map(({ file, platform, architecture, format }) => ({ file, platform, architecture, format })),
    sha256: new Map([...files, [CHECKSUMS, own]]),
  }
}
