/**
 * The addresses at which printers may be added from the dashboard: the networks of the interfaces of this computer, and
 * those that its owner has allowed in `agent.json`. Whoever may add printers could otherwise reach any address that
 * this computer reaches.
 */
import { lookup as lookUp } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { AddressGuard } from '../../ipp/http.ts'
import type { PrinterPort } from './config.ts'

/**
 * Where printers may be added from the dashboard. `false`: nowhere. `true`: in the networks of the interfaces. A list:
 * there, and in these networks: "10.2.0.0/16" with the ports of printers, "10.2.0.0/16:9200" with this port only.
 */
export type AllowedNetworks = boolean | string[]

/** The address does not belong to an allowed network. The message is a sentence for users. */
export class ForeignAddress extends Error {
  override name = 'ForeignAddress'
}

/** @returns why this computer finds and adds no printers, as sentences for users; undefined if its owner permits it. */
export function findRefusal(allowed: AllowedNetworks | undefined): string | undefined {
  if (allowed) return undefined
  return 'The owner of the computer has not permitted network printers from the dashboard. To permit them, set "allowedNetworks" to true in agent.json on the computer, and restart the agent.'
}

interface Network {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
  /** The only one. Undefined: those of printers. */
  port?: number
}

const NETWORK = /^(?<address>[0-9a-fA-F.:]+)\/(?<bits>\d{1,3})(?::(?<port>\d{1,5}))?$/

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function parseNetwork(text: string): Network | undefined {
  const { address = '', bits = '', port } = NETWORK.exec(text)?.groups ?? {}
  const family = getFamily(address)
  if (isIP(address) === 0 || Number(bits) > (family === 'ipv6' ? 128 : 32)) return undefined
  if (port === undefined) return { address, bits: Number(bits), family }
  return Number(port) > 0 && Number(port) < 65_536
    ? { address, bits: Number(bits), family, port: Number(port) }
    : undefined
}

/** @returns whether an address with its number of bits is a network: "10.2.0.0/16", "fd00::/8", "10.2.0.0/16:9200". */
export const isNetwork = (text: unknown) => typeof text === 'string' && parseNetwork(text) !== undefined

const parseNetworks = (allowed: AllowedNetworks | undefined): Network[] =>
  Array.isArray(allowed) ? allowed.flatMap((text) => parseNetwork(text) ?? []) : []

/** Read at each call, because the networks of a computer change. */
function readInterfaces(): Network[] {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  return addresses.flatMap(({ internal, cidr }) => (!internal && cidr ? (parseNetwork(cidr) ?? []) : []))
}

function contains(networks: Network[], address: string): boolean {
  const list = new BlockList()
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family)
  return list.check(address.replace(/%.*$/, ''), getFamily(address))
}

/** The IPv4 addresses of the interfaces from which printers are searched. */
export const getSearchAddresses = (allowed: AllowedNetworks) =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ family, internal, address }) => family === 'IPv4' && (!internal || contains(parseNetworks(allowed), address)),
    )
    .map(({ address }) => address)

export type NetworkGuard = AddressGuard & { isAllowed(address: string): boolean }

/**
 * @returns the guard of a printer with this port, which opens an address only in a network where the owner permits the
 *   port.
 */
export function createGuard(allowed: AllowedNetworks | undefined, { port, isUsual }: PrinterPort): NetworkGuard {
  const named = parseNetworks(allowed)
  const opened = named.filter((network) => network.port === port || (isUsual && network.port === undefined))
  const isAllowed = (address: string) => contains(isUsual ? [...readInterfaces(), ...opened] : opened, address)

  return {
    isAllowed,

    requireAddress(host) {
      if (!isUsual && opened.length === 0) throw new ForeignAddress(refusePort(port))
      if (isIP(host) !== 0 && !isAllowed(host)) throw new ForeignAddress(refuseAddress(host))
    },

    // The connection goes to the address that was checked.
    lookup(hostname, options, done) {
      lookUp(hostname, { ...options, all: true }, (error, found) => {
        if (error) return done(error, '')
        const local = found.filter(({ address }) => isAllowed(address))
        const [first] = local
        if (!first) return done(Object.assign(new Error(refuseAddress(hostname)), { code: 'ADDRESS_NOT_ALLOWED' }), '')
        if (options.all) done(null, local)
        else done(null, first.address, first.family)
      })
    },
  }
}

const refuseAddress = (host: string) =>
  `${host} is not in a network of the computer. Its owner can allow other networks with "allowedNetworks" in agent.json.`

const refusePort = (port: number) =>
  `Port ${port} is not one of printers: IPP has 631, 443 and 80, raw data 9100 to 9109. The owner of the computer can allow it with "192.168.0.0/24:${port}" in "allowedNetworks" of agent.json.`
