/** The proxy that the environment names. The rules are those of curl: docs/clients.md#proxies-and-certificates. */
import { getBuiltin } from './builtin.ts'
import { PlatenError } from './errors.ts'

export interface ProxyServer {
  /** The URL without user and password. */
  url: URL
  /** The variable that names it. */
  variable: string
  /** The value of `Proxy-Authorization`. */
  authorization: string | undefined
}

type Environment = Record<string, string | undefined>

/** The part of `node:net` that is used. */
interface Net {
  isIP(text: string): number
  BlockList: new () => {
    addSubnet(base: string, bits: number, family: 'ipv4' | 'ipv6'): void
    check(address: string, family: 'ipv4' | 'ipv6'): boolean
  }
}

/** A proxy without its password, for messages. */
export const describeProxy = ({ url, variable }: ProxyServer) => `${url.host} of ${variable}`

/**
 * `https_proxy` or `http_proxy`, by the scheme of the address, or else `all_proxy`; `no_proxy` has the exceptions. A
 * name in lower case wins over the same name in upper case. Loopback addresses have no proxy.
 *
 * @returns undefined for an address that is reached without one.
 * @throws PlatenError if the variable has no address of a proxy. The message has no password.
 */
export function findProxy(target: URL, env: Environment): ProxyServer | undefined {
  const name = `${target.protocol}_proxy`.replace(':', '')
  const names = [name, name.toUpperCase(), 'all_proxy', 'ALL_PROXY']
  // A CGI program gets the header `Proxy` of a request as HTTP_PROXY, so it is not trusted there.
  const ignored = env.REQUEST_METHOD === undefined ? undefined : 'HTTP_PROXY'
  const variable = names.find((one) => one !== ignored && env[one]?.trim())
  if (variable === undefined || isLoopback(target) || isExcepted(target, env.no_proxy || env.NO_PROXY || ''))
    return undefined
  return parseProxy(env[variable]?.trim() ?? '', variable)
}

function parseProxy(text: string, variable: string): ProxyServer {
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isProxy = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
  const credential = url && decode(url.username, url.password)
  if (!isProxy || credential === undefined)
    throw new PlatenError(
      `${variable} must be an http or https proxy such as http://proxy.example:3128. Write the characters "%", "@", ":", "/", "?" and "#" of its password as "%25", "%40", "%3A", "%2F", "%3F" and "%23".`,
    )
  url.username = ''
  url.password = ''
  return { url, variable, authorization: credential === ':' ? undefined : `Basic ${toBase64(credential)}` }
}

/** @returns undefined if a `%` begins no character. */
function decode(username: string, password: string): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  } catch {
    return undefined
  }
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const isLoopback = ({ hostname }: URL) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)

/**
 * @param list `*`, a name and all names below it, an address, or a network: `.example.com`, `10.0.0.0/8`, `host:8080`.
 */
const isExcepted = (target: URL, list: string) =>
  list.split(/[\s,]+/).some((entry) => entry !== '' && matches(target, entry.toLowerCase()))

function matches({ hostname, port, protocol }: URL, entry: string): boolean {
  if (entry === '*') return true
  const net = getBuiltin<Net>('node:net')
  const isAddress = (text: string) => net !== undefined && net.isIP(text) !== 0
  const address = hostname.replace(/^\[|\]$/g, '')
  if (entry.includes('/')) return net !== undefined && isInNetwork(net, address, entry)
  if (isAddress(entry)) return address === entry
  const [, name = entry, ownPort] = /^(.+):(\d+)$/.exec(entry) ?? []
  if (ownPort && ownPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false
  const suffix = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '')
  return address === suffix || (!isAddress(address) && address.endsWith(`.${suffix}`))
}

function isInNetwork(net: Net, address: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/')
  const family = net.isIP(base)
  if (family === 0 || net.isIP(address) !== family || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new net.BlockList()
  list.addSubnet(base, Number(bits), type)
  return list.check(address, type)
}
