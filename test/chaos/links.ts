/**
 * The connections of a system. Each client reaches each replica of a server through a proxy of its own, so that every
 * link can fail alone.
 */
import { freePort } from '../harness/free-port.ts'
import { REPLICA_ADDRESSES, REPLICA_HOST } from '../harness/replica-addresses.ts'
import { type Address, startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.ts'

export interface Link extends TcpProxy {
  /** "gateway-0 > jobs-1", "jobs-0 > postgres", "agent > agents-0". */
  name: string
}

export type Links = ReturnType<typeof createLinks>

/** Linux only. */
export function createLinks() {
  if (process.platform !== 'linux') throw new Error('This run needs Linux: each address of 127.0.0.0/8 is loopback.')
  const all: Link[] = []
  return {
    all,
    /** @returns where the client connects instead of to the replicas. */
    async route(client: string, server: string, replicas: Address[]): Promise<Address> {
      const port = await freePort()
      for (const [n, to] of replicas.entries()) {
        const name = `${client} > ${server}${replicas.length > 1 ? `-${n}` : ''}`
        all.push({ name, ...(await startTcpProxy({ host: REPLICA_ADDRESSES[n] ?? '', port }, to)) })
      }
      return { host: replicas.length > 1 ? REPLICA_HOST : '127.0.0.1', port }
    },
    close() {
      for (const link of all) link.close()
    },
  }
}
