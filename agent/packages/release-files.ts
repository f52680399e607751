/** The files that users of a package verify it with: a list of its parts (SBOM), checksums and their signature. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CHECKSUMS, SIGNATURE } from '@platen/proto/agent-packages.ts'
import { type ReleaseKey, signMinisign } from './minisign.ts'
import { root } from './paths.ts'
import { runNpm } from './run.ts'

/**
 * Writes `sbom.cdx.json` (CycloneDX): the npm packages of the agent for all platforms, with the hashes of
 * `package-lock.json`.
 */
export async function writeSbom(dir: string): Promise<void> {
  // The agent has no development dependencies. `--omit=dev` would omit packages that others use for development.
  const from = ['--prefix', root, '--package-lock-only', '--workspace', '@platen/agent']
  const sbom = JSON.parse(await runNpm(['sbom', '--sbom-format', 'cyclonedx', ...from])) as Sbom
  await writeFile(join(dir, 'sbom.cdx.json'), JSON.stringify(withoutServices(sbom), undefined, 2))
}

/** Workspaces are in the graph alone. */
interface Sbom {
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * From `@platen/runtime`, the agent contains a module without dependencies of its own. The others are those of
 * services.
 */
function withoutServices(sbom: Sbom): Sbom {
  const isWorkspace = (workspace: string, ref: string) => ref.startsWith(`${workspace}@`)
  const edges = new Map(
    sbom.dependencies.map(({ ref, dependsOn }) => [ref, isWorkspace('@platen/runtime', ref) ? [] : dependsOn]),
  )
  const reached = new Set([...edges.keys()].filter((ref) => isWorkspace('@platen/agent', ref)))
  for (const ref of reached) for (const next of edges.get(ref) ?? []) reached.add(next)
  return {
    ...sbom,
    components: sbom.components.filter((component) => reached.has(component['bom-ref'])),
    dependencies: [...edges].filter(([ref]) => reached.has(ref)).map(([ref, dependsOn]) => ({ ref, dependsOn })),
  }
}

/** Writes `SHA256SUMS` of all files in the directory, for `sha256sum --check`. */
export async function writeChecksums(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const lines: string[] = []
  for (const path of paths.sort()) {
    const name = relative(dir, path).split(sep).join('/')
    if (name !== CHECKSUMS && name !== SIGNATURE) lines.push(`${await getSha256(path)}  ${name}\n`)
  }
  await writeFile(join(dir, CHECKSUMS), lines.join(''))
}

/** Writes `SHA256SUMS.minisig`. @param comment says what the list is of, and is signed as well. */
export async function signChecksums(dir: string, comment: string, key: ReleaseKey): Promise<void> {
  const list = await readFile(join(dir, CHECKSUMS))
  await writeFile(join(dir, SIGNATURE), signMinisign(list, comment, key))
}

async function getSha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
