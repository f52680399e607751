/**
 * Limits the connections to a port, in all and from one address, so that one client cannot take all. Used by the ports
 * that other networks reach: the REST API and the agents' port.
 */
import type { Server, Socket } from 'node:net'
import { CONNECTIONS_PER_ADDRESS } from '@platen/resources/limits.ts'
import { z } from 'zod'
import { toClientNetwork, toPlainAddress } from './client-network.ts'
import { trustedProxies } from './fetch/allowed-networks.ts'
import { isInNetwork, type Network } from './fetch/public-address.ts'
import type { LimitReport } from './telemetry/limit-reports.ts'

export const CONNECTIONS_ENVIRONMENT = {
  PLATEN_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).default(CONNECTIONS_PER_ADDRESS),
  PLATEN_TRUSTED_PROXIES: trustedProxies,
}

export interface ConnectionLimits {
  max: number
  /** From an IPv4 address or an IPv6 /64. */
  perAddress: number
  /** Their connections are those of many clients, so only `max` applies. */
  trustedProxies: readonly Network[]
}

export interface LimitedConnections {
  /**
   * Stops counting a connection by its address, for a client that other limits apply to. It counts again when the
   * returned function is called, and is closed if that exceeds the limit.
   *
   * @param peer `address:port`
   */
  exempt(peer: string): () => void
}

interface Counted {
  socket: Socket
  network: string
  exemptions: number
}

/** The listeners for connections that `server` has get accepted ones only; later ones get all. */
export function limitConnections(
  server: Server,
  { max, perAddress, trustedProxies }: ConnectionLimits,
  report: LimitReport,
): LimitedConnections {
  const accept = server.listeners('connection')
  const counts = new Map<string, number>()
  const connections = new Map<string, Counted>()
  const getCount = (network: string) => counts.get(network) ?? 0
  const isFull = (network: string) => getCount(network) >= perAddress
  const count = (network: string, by: 1 | -1) => {
    const total = getCount(network) + by
    if (total > 0) counts.set(network, total)
    else counts.delete(network)
  }
  const refuse = (socket: Socket, address: string) => {
    report('connections of an address', { address })
    socket.destroy()
  }

  server.maxConnections = max
  server.on('drop', () => report('connections'))
  server.removeAllListeners('connection')
  server.on('connection', (socket) => {
    const address = toPlainAddress(socket.remoteAddress ?? '')
    const network = toClientNetwork(address)
    if (!trustedProxies.some((proxies) => isInNetwork(address, proxies))) {
      if (isFull(network)) return refuse(socket, network)
      const peer = `${socket.remoteAddress}:${socket.remotePort}`
      const counted = { socket, network, exemptions: 0 }
      connections.set(peer, counted)
      count(network, 1)
      socket.once('close', () => {
        connections.delete(peer)
        if (counted.exemptions === 0) count(network, -1)
      })
    }
    for (const listener of accept) listener.call(server, socket)
  })

  return {
    exempt(peer) {
      const counted = connections.get(peer)
      if (!counted) return () => undefined
      const { network, socket } = counted
      if (counted.exemptions++ === 0) count(network, -1)
      return () => {
        if (connections.get(peer) !== counted || counted.exemptions > 1) {
          counted.exemptions--
          return
        }
        const exceeds = isFull(network)
        counted.exemptions--
        count(network, 1)
        if (exceeds) refuse(socket, network)
      }
    },
  }
}
