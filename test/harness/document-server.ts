/** A server of documents for fetches, and a network in which every public host resolves to it. */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { createPublicNetwork, type PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { onTestFinished } from 'vitest'

const PUBLIC_ADDRESS = '93.184.216.34'

export interface DocumentServer {
  network: PublicNetwork
  /** Hosts and paths in the order of requests. */
  asked: string[]
  /** On loopback. */
  port: number
}

/** Answers each request with `content`, by `http` only, for the hosts of `example.com`. */
export async function startDocumentServer(content: string): Promise<DocumentServer> {
  const asked: string[] = []
  const server = createServer(({ headers, url }, response) => {
    asked.push(`${headers.host}${url}`)
    response.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const network = createPublicNetwork({
    allowed: [],
    resolve: async (host) => (host.endsWith('.example.com') ? [PUBLIC_ADDRESS] : []),
    dial: (_addresses, _port, signal) => connect({ host: '127.0.0.1', port, signal }),
  })
  return { network, asked, port }
}
