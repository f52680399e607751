import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** macOS permits 103 bytes for the path of a socket, and Linux 107. */
const PATH_MAX_BYTES = 103

/**
 * Calls `use` with a path to the socket that the system accepts. A longer path is shortened by a link in a private
 * directory, which exists only during the call: neither binding nor connecting to a socket waits.
 *
 * @param address see `getStatusAddress`.
 * @throws Error if the link cannot be created.
 */
export function withSocketPath<T>(address: string, use: (path: string) => T): T {
  if (process.platform === 'win32' || Buffer.byteLength(address) <= PATH_MAX_BYTES) return use(address)
  const directory = mkdtempSync(join(tmpdir(), 'platen-'))
  try {
    const link = join(directory, 'data')
    symlinkSync(dirname(address), link)
    return use(join(link, basename(address)))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
