/**
 * The addresses at which printers may be added from the dashboard: the networks of the interfaces of this computer, and those that its owner
 * has allowed in `agent.json`. Whoever may add printers could otherwise reach any address that this computer reaches.
 */
import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'

/** `false`: no printer may be added from the dashboard. Otherwise networks beside those of the interfaces: "10.2.0.0/16". */
export type AllowedNetworks = string[] | false

/** The address does not belong to an allowed network. The message is a sentence for users. */
export class ForeignAddress extends Error {
  override name = 'ForeignAddress'
  readonly code = 'ADDRESS_NOT_ALLOWED'
}

/** Read at each call, because the networks of a computer change. */
function readNetworks(allowed: string[]): BlockList {
  const networks = new BlockList()
  const local = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  for (const { internal, cidr } of local) if (!internal && cidr) add(networks, cidr)
  for (const network of allowed) add(networks, network)
  return networks
}

function add(networks: BlockList, network: string): void {
  const [address = '', bits] = network.split('/')
  networks.addSubnet(address, Number(bits), getFamily(address))
}

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** @returns whether an address with its number of bits is a network: "10.2.0.0/16", "fd00::/8". */
export function isNetwork(text: unknown): boolean {
  if (typeof text !== 'string') return false
  const [address = '', bits = '', ...more] = text.split('/')
  const family = isIP(address)
  return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)
}

export const isLocal = (address: string, allowed: string[]) =>
  readNetworks(allowed).check(address.replace(/%.*$/, ''), getFamily(address))

/** The IPv4 addresses of the interfaces from which printers are searched. */
export const getSearchAddresses = (allowed: string[]) =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && (!internal || isLocal(address, allowed)))
    .map(({ address }) => address)

/**
 * A `lookup` for connections that resolves a name only to allowed addresses, so that the name cannot lead elsewhere later.
 *
 * @returns a function that fails with `ForeignAddress` if the name has no allowed address.
 */
export function createLookup(allowed: string[]): LookupFunction {
  return (hostname, options, done) => {
    lookUp(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const local = found.filter(({ address }) => isLocal(address, allowed))
      const [first] = local
      if (!first) return done(refuseAddress(hostname, found), '')
      if (options.all) done(null, local)
      else done(null, first.address, first.family)
    })
  }
}

/** @throws ForeignAddress; the error of the resolver for an unknown name. @param host a name or an address. */
export async function requireLocal(host: string, allowed: string[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  createLookup(allowed)(host, {}, (error) => (error ? reject(error) : resolve()))
  await promise
}

function refuseAddress(host: string, found: LookupAddress[]): ForeignAddress {
  const addresses = found.map(({ address }) => address).filter((address) => address !== host)
  const named = addresses.length > 0 ? `${host} (${addresses.join(', ')})` : host
  return new ForeignAddress(
    `${named} is not in a network of the computer. Its owner can allow other networks with "allowedNetworks" in agent.json.`,
  )
}
