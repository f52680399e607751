/**
 * The way out: finds the addresses of a host, refuses those that are not public, and connects to what it checked and nothing else.
 * A name is looked up once a request, so that a server of names cannot answer the check and the connection differently.
 */
import { Resolver } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { FetchFailure } from './failure.ts'
import { isInNetwork, isPublicAddress, type Network } from './public-address.ts'
import { hostOf, type Ports, readUrl, type UrlFault } from './public-url.ts'

const PORTS = [80, 443]
const DNS_TIMEOUT_MS = 2_000
const DNS_TRIES = 2
/** Of the addresses of one host; all of them are checked. */
const ADDRESSES_TRIED_MAX = 8
/** After which the next address is tried. */
const CONNECT_ATTEMPT_MS = 2_000

export interface PublicNetworkOptions {
  /** That the operator opened beside the public addresses. */
  allowed: Network[]
  /** Else 80 and 443. */
  ports?: Ports
  /** For tests: without it, DNS. An address that is given instead of a name is not looked up. */
  resolve?: Resolve
  /** For tests: without it, sockets. */
  dial?: Dial
  /** For tests: trusted instead of the certificates of the system and of `NODE_EXTRA_CA_CERTS`. */
  ca?: string
}

/** @returns no address when there is none. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>
/** @returns a socket that is connecting to one of the addresses. */
export type Dial = (addresses: string[], port: number, signal: AbortSignal) => Socket

export interface PublicNetwork {
  /** Judges the form alone. */
  readUrl(text: string): { url: URL } | { fault: UrlFault }
  /**
   * Those of the URL's host, all of them public or allowed: one that is not makes the host refused, since it is chance, or somebody's
   * trick, which one a connection would take.
   *
   * @throws FetchFailure `dns`, `blocked_address`
   */
  addressesOf(url: URL, signal: AbortSignal): Promise<string[]>
  dial: Dial
  ca: string | undefined
}

export function createPublicNetwork(options: PublicNetworkOptions): PublicNetwork {
  const { allowed, ports = PORTS, resolve = resolveByDns, dial = dialSocket, ca } = options
  const isOpen = (address: string) =>
    isPublicAddress(address) || allowed.some((network) => isInNetwork(address, network))

  return {
    readUrl: (text) => readUrl(text, ports),
    async addressesOf(url, signal) {
      const host = hostOf(url)
      const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host]
      if (addresses.length === 0) throw new FetchFailure('dns')
      if (!addresses.every(isOpen)) throw new FetchFailure('blocked_address')
      return addresses.slice(0, ADDRESSES_TRIED_MAX)
    },
    dial,
    ca,
  }
}

/**
 * Asks the DNS itself: the hosts file and search domains of this machine are none of a stranger's business, and the system's resolver
 * would keep one of the few threads that files are read with for as long as a slow server of names likes.
 */
const resolveByDns: Resolve = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** The name that is connected to is looked up in what was checked, so no address can come from elsewhere. */
const dialSocket: Dial = (addresses, port, signal) => {
  const lookup: LookupFunction = (_hostname, _options, done) => {
    done(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  }
  const attempt = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT_MS }
  return connect({ host: 'checked.invalid', port, lookup, signal, ...attempt })
}
