/**
 * Outbound connections to user-supplied hosts: resolves a host, refuses addresses that are not public, and connects to
 * checked addresses only. A name is resolved once per request, so that a DNS server cannot answer the check and the
 * connection differently.
 */
import { BADNAME, NODATA, NOTFOUND } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { ApiError } from '../errors.ts'
import { FetchFailure } from './failure.ts'
import { type AllowedNetwork, isInNetwork, isPublicAddress } from './public-address.ts'
import { getHost, getPort, type Ports, readUrl, type UrlFault, WEB_PORTS } from './public-url.ts'

const DNS_TIMEOUT_MS = 2_000
const DNS_TRIES = 2
/** Addresses of a host to connect to. All addresses are checked. */
const ADDRESSES_TRIED_MAX = 8
/** Delay before the next address is tried. */
const CONNECT_ATTEMPT_MS = 2_000

export interface PublicNetworkOptions {
  /** Networks that the operator allows besides public addresses. */
  allowed: AllowedNetwork[]
  /** Default: `WEB_PORTS`. */
  ports?: Ports
  /** For tests. Default: DNS. Not called for IP addresses. */
  resolve?: Resolve
  /** For tests. Default: sockets. */
  dial?: Dial
  /** For tests: replaces the certificates of the system and of `NODE_EXTRA_CA_CERTS`. */
  ca?: string
}

/**
 * @returns an empty array if the host has no address.
 * @throws FetchFailure `dns_failed` if no DNS server answered.
 */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>
/** @returns a socket that is connecting to one of the addresses. */
export type Dial = (addresses: string[], port: number, signal: AbortSignal) => Socket

export interface PublicNetwork {
  /** Checks only the form of the URL. */
  readUrl(text: string): { url: URL } | { fault: UrlFault }
  /**
   * Resolves the host of the URL. A single address that is neither public nor allowed refuses the host, because a
   * connection could use any of its addresses.
   *
   * @throws FetchFailure `dns`, `dns_failed`, `blocked_address`
   */
  resolveAddresses(url: URL, signal: AbortSignal): Promise<string[]>
  dial: Dial
  ca: string | undefined
}

export function createPublicNetwork(options: PublicNetworkOptions): PublicNetwork {
  const { allowed, ports = WEB_PORTS, resolve = resolveByDns, dial = dialSocket, ca } = options
  const isOpen = (address: string, port: number) =>
    isPublicAddress(address) ||
    allowed.some((network) => (network.port ?? port) === port && isInNetwork(address, network))

  return {
    readUrl: (text) => readUrl(text, ports),
    async resolveAddresses(url, signal) {
      const host = getHost(url)
      const addresses = isIP(host) === 0 ? await resolve(host, signal) : [host]
      if (addresses.length === 0) throw new FetchFailure('dns')
      if (!addresses.every((address) => isOpen(address, getPort(url)))) throw new FetchFailure('blocked_address')
      return addresses.slice(0, ADDRESSES_TRIED_MAX)
    },
    dial,
    ca,
  }
}

/**
 * Checks at a creation that requests to this URL will be possible. A host without an address and one with a forbidden
 * address get the same error, because the difference would reveal hosts of the internal network.
 *
 * @throws the error of `refuse`; ApiError `service_unavailable` if no DNS server answered within `timeoutMs`.
 */
export async function checkAddresses(
  network: PublicNetwork,
  url: URL,
  timeoutMs: number,
  refuse: (cause: FetchFailure) => ApiError,
): Promise<void> {
  try {
    await network.resolveAddresses(url, AbortSignal.timeout(timeoutMs))
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    if (error.fault !== 'dns_failed') throw refuse(error)
    throw new ApiError(
      'service_unavailable',
      `DNS does not answer for the host \`${getHost(url)}\`. Try again later.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * A clause about a host that `checkAddresses` refuses. It depends on the form of the URL alone, so it reveals nothing
 * of the internal network.
 *
 * @param remedy what the caller can do instead.
 */
export function refusedHostText(url: URL, remedy = ''): string {
  const cause =
    isIP(getHost(url)) === 0
      ? 'the host does not resolve to a public address. Check the name'
      : 'the address of the host is not public'
  return `${cause}.${remedy} The operator of this service can permit private networks with PLATEN_ALLOWED_NETWORKS`
}

/**
 * Queries DNS directly. The system resolver would expose the hosts file and search domains of this machine, and a slow
 * DNS server would block one of the few threads that also read files.
 */
const resolveByDns: Resolve = async (hostname, signal) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    return await queryAddresses(resolver, hostname)
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Codes of `node:dns` for answers without an address. All others are failures of the query. */
const NO_ADDRESS: unknown[] = [NOTFOUND, NODATA, BADNAME]

/** @throws FetchFailure `dns_failed` if neither query has an address and one of them failed. */
export async function queryAddresses(
  resolver: Pick<Resolver, 'resolve4' | 'resolve6'>,
  hostname: string,
): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failure = answers.find((answer) => answer.status === 'rejected' && !NO_ADDRESS.includes(answer.reason?.code))
  if (addresses.length === 0 && failure?.status === 'rejected')
    throw new FetchFailure('dns_failed', { cause: failure.reason })
  return addresses
}

/** Connects with a look-up that returns the checked addresses, so no other address can be used. */
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
