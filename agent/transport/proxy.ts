/**
 * Selects the proxy for all connections of the agent. Kept by hand because grpc-js reads only the lower-case variables
 * and also uses the proxy for loopback addresses.
 */
import { BlockList, isIP } from 'node:net'

/** Whether the value is `none` or the http URL of a proxy. The proxy tunnels TLS by CONNECT. */
export function isProxy(value: unknown): value is string {
  if (value === 'none') return true
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(value)
  const isPlain = hostname !== '' && pathname === '/' && !search && !hash
  return protocol === 'http:' && isPlain && isEncoded(username) && isEncoded(password)
}

/**
 * Whether each `%` begins a character. The URL of a proxy with a raw one can be parsed, but its password cannot be
 * read.
 */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** For a proxy that `isProxy` refuses. */
export const PROXY_HINT = 'Write the characters "%", "@", ":" and "/" of its password as "%25", "%40", "%3A" and "%2F".'

/**
 * @param target the URL of the connection.
 * @param configured `proxy` of `agent.json`: overrides the environment and its exceptions.
 * @param env `HTTPS_PROXY` for https, `HTTP_PROXY` for http, and `NO_PROXY`, each also in lower case.
 * @returns undefined for a connection without a proxy.
 * @throws Error if the environment variable is not a valid proxy.
 */
export function selectProxy(target: URL, configured?: string, env: NodeJS.ProcessEnv = process.env): URL | undefined {
  if (configured !== undefined) return configured === 'none' ? undefined : new URL(configured)
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const text = env[name.toLowerCase()] || env[name]
  if (!text || isLoopback(target) || isExcepted(target, env.no_proxy || env.NO_PROXY || '')) return undefined
  const url = text.includes('://') ? text : `http://${text}`
  if (!isProxy(url) || url === 'none')
    throw new Error(`${name} must be a proxy such as http://proxy.example:3128. ${PROXY_HINT}`)
  return new URL(url)
}

/** The proxy without its password, for output. */
export const getProxyName = (proxy: URL) => proxy.host

export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/**
 * `*`, a name and all names below it, an address, or a network: `example.com`, `.example.com`, `10.0.0.0/8`,
 * `host:8080`.
 */
function isExcepted(target: URL, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(target, entry.toLowerCase()))
}

function matches({ hostname, port, protocol }: URL, entry: string): boolean {
  if (entry === '*') return true
  const address = hostname.replace(/^\[|\]$/g, '')
  if (entry.includes('/')) return isInNetwork(address, entry)
  const [, name = entry, ownPort] = /^(.+?):(\d+)$/.exec(entry) ?? []
  if (isIP(entry)) return address === entry
  if (ownPort && ownPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false
  const suffix = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '')
  return address === suffix || (!isIP(address) && address.endsWith(`.${suffix}`))
}

function isInNetwork(address: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/')
  const family = isIP(base)
  if (family === 0 || isIP(address) !== family || !/^\d+$/.test(bits)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  list.addSubnet(base, Number(bits), type)
  return list.check(address, type)
}
