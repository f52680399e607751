/** A tunnel through a proxy, by CONNECT. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'

/** The connection to a proxy failed, or the proxy answered CONNECT with another status than 200. */
export class ProxyFailure extends Error {
  override name = 'ProxyFailure'
  /** Host and port, without a password. */
  readonly proxy: string
  readonly hasPassword: boolean
  /** Undefined if the proxy has not answered. */
  readonly status: number | undefined

  constructor({ host, username }: URL, status: number | undefined, options?: ErrorOptions) {
    super(status === undefined ? 'the proxy does not answer' : `the proxy answered with status ${status}`, options)
    this.proxy = host
    this.hasPassword = username !== ''
    this.status = status
  }
}

/** The host and port of a URL, an IPv6 address in brackets. */
export const toAuthority = ({ hostname, port, protocol }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`

/**
 * @param socket connected to the proxy. Destroyed if there is no tunnel.
 * @returns the socket, behind the answer of the proxy.
 * @throws ProxyFailure
 */
export async function requestTunnel(socket: Socket, target: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const authority = toAuthority(target)
  const { username, password } = proxy
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = {
    host: authority,
    ...(username && { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` }),
  }
  const request = httpRequest({ createConnection: () => socket, method: 'CONNECT', path: authority, headers, signal })
  // Errors after the answer are those of the socket.
  request.on('error', () => undefined)
  try {
    const answers = once(request, 'connect', { signal })
    request.end()
    const [response, , head] = (await answers) as [IncomingMessage, Socket, Buffer]
    if (response.statusCode !== 200) throw new ProxyFailure(proxy, response.statusCode)
    if (head.length > 0) socket.unshift(head)
    return socket
  } catch (error) {
    socket.destroy()
    throw error instanceof ProxyFailure ? error : new ProxyFailure(proxy, undefined, { cause: error })
  }
}

/** Connects to the proxy first. @throws ProxyFailure */
export async function openTunnel(target: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: toHost(proxy), port: Number(proxy.port || 80), noDelay: true })
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect', { signal })
  } catch (error) {
    socket.destroy()
    throw new ProxyFailure(proxy, undefined, { cause: error })
  }
  return await requestTunnel(socket, target, proxy, signal)
}

/** A name or an address without brackets, as sockets expect it. */
export const toHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
