/**
 * The packages of the agent that an installation offers: the directory `PLATEN_AGENT_PACKAGES_DIR`, as `npm run package:agent` makes it. The
 * gateway serves its files, and devices announces its version to agents.
 */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHECKSUMS, type PackageName, parseChecksums, parsePackageName } from '@platen/proto/agent-packages.ts'

/** A list of a few files. */
const CHECKSUMS_MAX_BYTES = 64 * 1024

export type AgentPackage = Omit<PackageName, 'version'> & { file: string }

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
  const files = parseChecksums(text.toString('utf8'))
  const found = [...files.keys()].flatMap((file) => {
    const name = parsePackageName(file)
    return name ? [{ file, ...name }] : []
  })
  const versions = new Set(found.map(({ version }) => version))
  const [version] = versions
  if (version === undefined || versions.size > 1) return undefined
  const own = createHash('sha256').update(text).digest('hex')
  return {
    version,
    packages: found.map(({ file, platform, architecture, format }) => ({ file, platform, architecture, format })),
    sha256: files.set(CHECKSUMS, own),
  }
}
