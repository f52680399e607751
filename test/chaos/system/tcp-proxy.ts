/**
 * Stands between a client and a server and makes their connection fail in every way that a network knows. Knows nothing of what
 * passes. A server that is not there is a reset to the client, since the proxy has accepted by then; only `cut` refuses.
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { type ProxiedConnection, passOn, type Weather } from './proxied-connection.ts'

export interface Address {
  host: string
  port: number
}

export interface TcpProxy {
  /** Has a connection at this moment. */
  isInUse(): boolean
  /** Each chunk arrives this much later, in order. */
  delay(ms: number): void
  /** FIN on all connections (RST on those that swallowed something); new ones are refused. What is on its way is lost. */
  cut(): void
  /** Keeps the connections and swallows what goes through, also their ends; new ones are accepted and get nothing. */
  halfOpen(): Promise<void>
  /** RST on all connections, once; new ones work. */
  reset(): void
  /** Everything works again, but for connections that swallowed something: those are reset. Comes back when it accepts. */
  heal(): Promise<void>
  /** What was swallowed since the start. */
  swallowedBytes(): number
  /** RST on all connections, and no more of them. */
  close(): void
}

/** @returns once it accepts. */
export async function startTcpProxy(listen: Address, to: Address): Promise<TcpProxy> {
  const weather: Weather = { delayMs: 0, isSilent: false, swallowedBytes: 0 }
  const connections = new Set<ProxiedConnection>()
  let server: Server | undefined

  async function open(): Promise<void> {
    if (server) return
    const opening = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, accept)
    server = opening
    opening.listen(listen)
    await once(opening, 'listening')
    if (server !== opening) opening.close()
  }

  /** The socket that listens is gone when this returns. */
  function refuse(): void {
    if (server?.listening) server.close()
    server = undefined
  }

  function accept(client: Socket): void {
    if (!server) {
      client.resetAndDestroy()
      return
    }
    const connection = passOn(client, to, weather, () => connections.delete(connection))
    connections.add(connection)
  }

  function reset(): void {
    for (const connection of connections) connection.reset()
  }

  function resetSpoiled(): void {
    for (const connection of connections) if (connection.isSpoiled()) connection.reset()
  }

  await open()
  return {
    isInUse: () => connections.size > 0,
    delay(ms) {
      weather.delayMs = ms
    },
    cut() {
      refuse()
      weather.isSilent = false
      resetSpoiled()
      for (const connection of connections) if (!connection.isSpoiled()) connection.end()
    },
    async halfOpen() {
      weather.isSilent = true
      await open()
    },
    reset,
    async heal() {
      weather.isSilent = false
      weather.delayMs = 0
      resetSpoiled()
      await open()
    },
    swallowedBytes: () => weather.swallowedBytes,
    close() {
      refuse()
      reset()
    },
  }
}
