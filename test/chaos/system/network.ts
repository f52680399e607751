/**
 * All connections of one system. Each goes through a proxy of its own, at a loopback address of its own, so that a link can fail
 * alone. Linux only: elsewhere loopback has one address.
 */
import type { Link } from './chaos-system.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** One replica of a server, on 127.0.0.1. */
export interface Server {
  /** "jobs-1", "postgres". */
  name: string
  port: number
}

/** A way from one client to all replicas of a server. */
export interface Way {
  /** One for each replica. */
  addresses: string[]
  /** The same at each address. */
  port: number
}

export interface Network {
  links: Link[]
  connect(client: string, servers: Server[]): Promise<Way>
  close(): void
}

/** @throws Error on a system where loopback has one address. */
export function createNetwork(): Network {
  if (process.platform !== 'linux')
    throw new Error('The fault harness needs Linux, where each address of 127.0.0.0/8 is a loopback address.')
  const links: Link[] = []
  const proxies: TcpProxy[] = []
  let opened = 0

  async function open(client: string, server: Server, port: number): Promise<string> {
    const host = addressOf(opened++)
    const proxy = await startTcpProxy({ host, port }, { host: '127.0.0.1', port: server.port })
    proxies.push(proxy)
    links.push({ name: `${client} > ${server.name}`, ...proxy })
    return host
  }

  return {
    links,
    async connect(client, servers) {
      const port = servers[0]?.port
      if (port === undefined) throw new Error(`${client} has no server to connect to`)
      const addresses: string[] = []
      for (const server of servers) addresses.push(await open(client, server, port))
      return { addresses, port }
    },
    close() {
      for (const proxy of proxies) proxy.close()
    },
  }
}

/** 127.77.0.1, 127.77.0.2, … The servers themselves listen on 127.0.0.1 alone, so that their ports are free here. */
function addressOf(index: number): string {
  return `127.77.${Math.floor(index / 250)}.${(index % 250) + 1}`
}
