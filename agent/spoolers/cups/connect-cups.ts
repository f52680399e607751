/** Finds the CUPS server of this computer by the rules of the programs of CUPS. */
import { existsSync } from 'node:fs'
import type { IppClientOptions } from '../../ipp/client.ts'

/** The paths of Linux distributions and of macOS. */
const SOCKETS = ['/run/cups/cups.sock', '/var/run/cups/cups.sock', '/private/var/run/cupsd']

const DEFAULT_PORT = 631

/**
 * @param server the value of `CUPS_SERVER`: `host`, `host:port` or the path of a socket. Without it the first existing
 *   socket, else port 631 of this computer.
 * @throws Error if the value has none of these forms.
 */
export function findCups(
  server = process.env.CUPS_SERVER ?? '',
  exists: (path: string) => boolean = existsSync,
): IppClientOptions {
  const name = server.trim()
  const socketPath = name === '' ? SOCKETS.find(exists) : name.startsWith('/') ? name : undefined
  if (socketPath) return { url: 'ipp://localhost/', socketPath }
  // The programs of CUPS accept the suffix `/version=1.1`. The agent negotiates the version.
  const [address = ''] = name.split('/version=')
  const url = URL.parse(`http://${address || 'localhost'}`)
  if (url?.pathname !== '/' || url.username || url.search || url.hash)
    throw new Error(`CUPS_SERVER is \`${server}\`. It must be \`host\`, \`host:port\` or the path of a socket.`)
  // `port` of an HTTP URL is empty for port 80.
  const port = /:80$/.test(address) ? 80 : url.port || DEFAULT_PORT
  return { url: `ipp://${url.hostname}:${port}/` }
}
