/** Classifies addresses: a request to a user-supplied URL may only go to public ones. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A network in CIDR notation. */
export interface Network {
  address: string
  prefixLength: number
}

/** One that the operator allows besides public addresses. */
export interface AllowedNetwork extends Network {
  /** The only one that is allowed. */
  port?: number
}

const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
/** The former 6bone, unassigned since 2006. */
const RETURNED: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('3ffe::'), 16]
/** Azure's metadata service for virtual machines, the only one at an address of the public range. */
const AZURE_WIRE_SERVER = '168.63.129.16'

/**
 * Accepts only unicast addresses that IANA has assigned for global use. Refuses all IPv6 addresses that embed an IPv4
 * address (mapped, compatible, NAT64, 6to4, Teredo), because no legitimate server has only such an address. Source:
 * IANA's special-purpose registries. Reference: docs/reference/fetches.md#blocked-addresses.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return address.toString() !== AZURE_WIRE_SERVER
  return address.match(GLOBAL_UNICAST) && !address.match(RETURNED)
}

/** An IPv4 network contains no IPv6 address, not even one that embeds an address of the network. */
export function isInNetwork(text: string, network: Network): boolean {
  const address = parseAddress(text)
  const start = parseAddress(network.address)
  return address !== undefined && start?.kind() === address.kind() && address.match([start, network.prefixLength])
}

/** Accepts only the notation of sockets. Refuses `127.1` and zones. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(text) !== 0 && !text.includes('%') ? ipaddr.parse(text) : undefined
}
