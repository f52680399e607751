/** Finds the CUPS of this computer, as CUPS' own programs do. */
import { existsSync } from 'node:fs'
import type { IppClientOptions } from '../../ipp/client.ts'

/** Linux distributions, and macOS. */
const SOCKETS = ['/run/cups/cups.sock', '/var/run/cups/cups.sock', '/private/var/run/cupsd']

const DEFAULT_PORT = 631

/**
 * @param server as `CUPS_SERVER` says it: `host`, `host:port` or the path of a socket. Without it the socket that is there, else port 631 of
 *   this computer.
 * @throws Error with a sentence when it is none of these.
 */
export function findCups(
  server = process.env.CUPS_SERVER ?? '',
  isThere: (path: string) => boolean = existsSync,
): IppClientOptions {
  const name = server.trim()
  const socketPath = name === '' ? SOCKETS.find(isThere) : name.startsWith('/') ? name : undefined
  if (socketPath) return { url: 'ipp://localhost/', socketPath }
  // `/version=1.1` is for CUPS' own programs: the agent finds the version by itself.
  const [address = ''] = name.split('/version=')
  const url = URL.parse(`http://${address || 'localhost'}`)
  if (url?.pathname !== '/' || url.username || url.search || url.hash)
    throw new Error('CUPS_SERVER has to be `host`, `host:port` or the path of a socket.')
  // A URL of HTTP forgets port 80.
  const port = /:80$/.test(address) ? 80 : url.port || DEFAULT_PORT
  return { url: `ipp://${url.hostname}:${port}/` }
}
