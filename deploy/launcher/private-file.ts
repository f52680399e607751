/** JSON files that only their owner can read and that are replaced atomically. */
import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

export function writePrivateJson(file: string, value: unknown): void {
  const fresh = `${file}.new`
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(fresh, file)
}

/** @returns undefined if the file does not exist. */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
