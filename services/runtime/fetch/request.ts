/**
 * A single request to a user-supplied URL: to checked addresses only, on its own connection, with one deadline from the
 * DNS query to the last byte. Without redirects, proxies, cookies and decompression.
 */
import { Client } from 'undici'
import { createConnector, HEADERS_LIMIT_BYTES } from './connector.ts'
import { exchange, type PublicRequest, type PublicResponse } from './exchange.ts'
import type { PublicNetwork } from './public-network.ts'

/**
 * @param read processes the response. The connection is closed afterwards.
 * @throws FetchFailure; the reason of `signal` if it cancelled the request; errors of `read`.
 */
export async function request<Result>(
  network: PublicNetwork,
  options: PublicRequest,
  read: (response: PublicResponse) => Promise<Result>,
): Promise<Result> {
  const { url, method, headers, body, onAddresses } = options
  let client: Client | undefined
  try {
    return await exchange(
      options,
      async (over) => {
        const addresses = await network.resolveAddresses(url, over)
        over.throwIfAborted()
        onAddresses?.(addresses)
        client = new Client(url.origin, {
          connect: createConnector(network, url, addresses, over),
          allowH2: false,
          maxHeaderSize: HEADERS_LIMIT_BYTES,
          // The deadline covers these.
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
