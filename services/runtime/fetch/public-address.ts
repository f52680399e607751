/** Which addresses are everybody's, so that a request which a stranger asked for may go there. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A network that the operator opened, in CIDR notation. */
export interface Network {
  address: string
  prefixLength: number
}

const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]
/** The 6bone, given back in 2006 and not given out again. */
const RETURNED: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('3ffe::'), 16]
/** Azure's servers answer every virtual machine there; the only metadata address that looks like anybody's. */
const AZURE_WIRE_SERVER = '168.63.129.16'

/**
 * Only unicast addresses that IANA has given out for the whole Internet: what is not known to be public is not. IPv6 addresses that carry
 * an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are refused as a class, whatever they carry: no server of good faith has
 * such an address alone. Source: IANA's special-purpose registries. Reference: docs/reference/fetches.md#blocked-addresses.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === undefined || address.range() !== 'unicast') return false
  if (address.kind() === 'ipv4') return address.toString() !== AZURE_WIRE_SERVER
  return address.match(GLOBAL_UNICAST) && !address.match(RETURNED)
}

/** An IPv4 network holds no IPv6 address, also none that carries one of its own. */
export function isInNetwork(text: string, network: Network): boolean {
  const address = parseAddress(text)
  const start = parseAddress(network.address)
  return address !== undefined && start?.kind() === address.kind() && address.match([start, network.prefixLength])
}

/** Only the spellings that sockets take: `127.1` and zones are none. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(text) !== 0 && !text.includes('%') ? ipaddr.parse(text) : undefined
}
