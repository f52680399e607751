import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a small private file. After a crash it has its old or its new content. Not synchronized, so a power failure can lose it. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** As `replaceFile`, but after a power failure the file has its old or its new content as well. */
export function replaceFileDurably(path: string, text: string): void {
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
}
