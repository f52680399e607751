import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { toPlainAddress } from '@platen/runtime/client-network.ts'
import { isInNetwork, type Network } from '@platen/runtime/fetch/public-address.ts'
import type { Logger } from '@platen/runtime/log.ts'

/** @returns the address of the client of a request, as far as the proxies in front are trusted. */
export type GetClientAddress = (request: IncomingMessage) => string

/** @param trustedProxies whose `X-Forwarded-For` is used. Others can send any. */
export function createClientAddress(trustedProxies: readonly Network[], log: Logger): GetClientAddress {
  const isTrusted = (address: string) => trustedProxies.some((network) => isInNetwork(address, network))
  let isReported = false
  return ({ socket, headersDistinct }) => {
    const forwarded = (headersDistinct['x-forwarded-for'] ?? []).join(',').split(',').map(toPlainAddress).filter(isIP)
    let address = toPlainAddress(socket.remoteAddress ?? '')
    if (forwarded.length > 0 && !isTrusted(address) && !isReported) {
      isReported = true
      log.warn(
        { remote: address },
        'X-Forwarded-For ignored, because its sender is not in PLATEN_TRUSTED_PROXIES; all its clients share the limits of connections, sign-ins and wrong credentials',
      )
    }
    while (isTrusted(address) && forwarded.length > 0) address = forwarded.pop() ?? ''
    return address
  }
}
