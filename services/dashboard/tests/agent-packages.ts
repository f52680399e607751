import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const toPackage = (kind: string) => `platen-agent-1.2.3-${kind}`

/**
 * Puts packages without a program into the directory that the installation serves.
 *
 * @param kinds for example `linux-x64.deb`.
 */
export async function offerPackages(directory: string, kinds: string[]): Promise<void> {
  for (const kind of kinds) await writeFile(join(directory, toPackage(kind)), 'package')
  const lines = kinds.map((kind) => `${'a'.repeat(64)}  ${toPackage(kind)}\n`)
  await writeFile(join(directory, 'SHA256SUMS'), lines.join(''))
}
