/**
 * One request to a URL that somebody else gave us: to checked addresses only, on a connection of its own, within one deadline for
 * everything from the look-up of the host to the last byte. Redirects are not followed, no proxy or cookie is used, nothing is unpacked.
 */
import { Client } from 'undici'
import { connectorTo, HEADERS_LIMIT_BYTES } from './connector.ts'
import { exchange, type PublicRequest, type PublicResponse } from './exchange.ts'
import type { PublicNetwork } from './public-network.ts'

export interface SingleRequest extends PublicRequest {
  /** Told the addresses of the URL's host before any of them is connected to. */
  onAddresses?: (addresses: string[]) => void
}

/**
 * @param read what is wanted of the answer; the connection is closed when it comes back.
 * @throws FetchFailure; the signal's reason when that ended it; what `read` throws.
 */
export async function request<Result>(
  network: PublicNetwork,
  asked: SingleRequest,
  read: (response: PublicResponse) => Promise<Result>,
): Promise<Result> {
  const { url, method, headers, body, onAddresses } = asked
  let client: Client | undefined
  try {
    return await exchange(
      asked,
      async (over) => {
        const addresses = await network.addressesOf(url, over)
        over.throwIfAborted()
        onAddresses?.(addresses)
        client = new Client(url.origin, {
          connect: connectorTo(network, url, addresses, over),
          allowH2: false,
          maxHeaderSize: HEADERS_LIMIT_BYTES,
          // Of these there is one for everything: the deadline.
          headersTimeout: 0,
          bodyTimeout: 0,
        })
        const path = url.pathname + url.search
        return await client.request({ path, method, headers, body, signal: over, reset: true })
      },
      read,
    )
  } finally {
    await client?.destroy()
  }
}
