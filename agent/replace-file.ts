import { renameSync, writeFileSync } from 'node:fs'

/** Writes a small private file. After a crash it has its old or its new content. Not synchronized, so a power failure can lose it. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
