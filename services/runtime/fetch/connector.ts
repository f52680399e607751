/** How undici gets a connection: by the checked addresses alone, whatever undici itself would have looked up. */
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { FetchFailure } from './failure.ts'
import type { PublicNetwork } from './public-network.ts'
import { hostOf, portOf } from './public-url.ts'

/** Of an answer. */
export const HEADERS_LIMIT_BYTES = 16 * 1024

/**
 * By the checked addresses, in the name of the URL's host: that is what the certificate must be for.
 *
 * @param signal ends the connection, whatever it is doing.
 */
export function connectorTo(
  network: PublicNetwork,
  url: URL,
  addresses: string[],
  signal: AbortSignal,
): buildConnector.connector {
  return (_options, callback) => {
    const host = hostOf(url)
    const plain = network.dial(addresses, portOf(url), signal)
    let settled = false
    const settle = (error: FetchFailure | null, socket: Socket | null = null) => {
      if (!settled) callback(error as Error, socket as null)
      settled = true
    }
    // Listeners that stay: a socket that is ended can fail once more, and must not take the process with it.
    plain.on('error', (error) => settle(new FetchFailure('connect', { cause: error })))
    plain.once('connect', () => {
      if (url.protocol === 'http:') return settle(null, plain)
      const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : ''
      const secure = connectTls({ socket: plain, host, servername, ca: network.ca, ALPNProtocols: ['http/1.1'] })
      secure.on('error', (error) => settle(new FetchFailure('tls', { cause: error })))
      secure.once('secureConnect', () => settle(null, secure))
    })
  }
}
