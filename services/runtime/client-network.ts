import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * What one client has for limits by address: an IPv4 address, or the /64 of an IPv6 address, because most have all of
 * it.
 */
export function toClientNetwork(ip: string): string {
  return isIPv6(ip) ? `${ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`)}/64` : ip
}

/** @returns the address without the form of IPv4 addresses on an IPv6 socket. */
export const toPlainAddress = (text: string): string => text.trim().replace(/^::ffff:(?=\d+\.)/i, '')
