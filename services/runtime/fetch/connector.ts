/** Connects undici to checked addresses only, without a look-up by undici. */
import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { FetchFailure } from './failure.ts'
import type { PublicNetwork } from './public-network.ts'
import { getHost, getPort } from './public-url.ts'

/** Limit for the headers of a response. */
export const HEADERS_LIMIT_BYTES = 16 * 1024

/**
 * Connects to one of the checked addresses. The certificate must be valid for the host of the URL.
 *
 * @param signal closes the connection.
 */
export function createConnector(
  network: PublicNetwork,
  url: URL,
  addresses: string[],
  signal: AbortSignal,
): buildConnector.connector {
  return (_options, callback) => {
    const host = getHost(url)
    const plain = network.dial(addresses, getPort(url), signal)
    let isDone = false
    const settle = (error: FetchFailure | null, socket: Socket | null = null) => {
      if (!isDone) callback(error as Error, socket as null)
      isDone = true
    }
    // These listeners stay, because a closed socket can fail again and an unhandled 'error' event would end the
    // process.
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
