/**
 * The public key of each `ipps:` printer, stored at the first connection. Certificates of printers are self-signed, so
 * only the key shows that a later device is the same one. Files are read at each connection, so that
 * `platen-agent printers --trust` needs no restart.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UnknownKeyError } from '../../ipp/ipp-error.ts'
import { replaceFile } from '../../replace-file.ts'
import type { NetworkPrinter } from './config.ts'

/** Below the directory of the network spooler. */
export const PRINTERS_DIR = 'printers'

/**
 * Stores the key of a printer, or compares it with the stored one.
 *
 * @param sha256 of the public key, in hex.
 * @throws UnknownKeyError if it differs.
 */
export function checkKey(dir: string, { name, uri }: NetworkPrinter, sha256: string): void {
  const path = getPath(dir, uri)
  if (!existsSync(path)) {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    replaceFile(path, sha256)
  } else if (readFileSync(path, 'utf8') !== sha256)
    throw new UnknownKeyError(
      `Another device answers at the address of the printer: its key has changed. If the printer was replaced or reset, run on the computer: platen-agent printers --trust "${name}"`,
    )
}

/** The next key is stored again. @returns false if none was stored. */
export function deleteKey(dir: string, { uri }: NetworkPrinter): boolean {
  const path = getPath(dir, uri)
  const isStored = existsSync(path)
  rmSync(path, { force: true })
  return isStored
}

const getPath = (dir: string, uri: string) => join(dir, `${createHash('sha256').update(uri).digest('hex')}.key`)
