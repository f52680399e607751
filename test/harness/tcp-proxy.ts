/** A TCP proxy that injects network faults. */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Address {
  host: string
  port: number
}

export interface TcpProxy {
  /** Delays each chunk, in order. */
  delay(ms: number): void
  /** Sends RST on each connection that has carried this many bytes to its client. */
  cutAfter(bytes: number): void
  /** Sends RST on each connection that has carried this many bytes to the server. The last ones may not arrive. */
  cutRequestAfter(bytes: number): void
  /** Closes all connections and refuses new ones. */
  cut(): void
  /** Keeps old and new connections open, but drops all data and FINs. */
  halfOpen(): void
  /** Sends RST on all connections. New ones work. */
  reset(): void
  /** Ends the fault. A connection that lost bytes is reset. */
  heal(): Promise<void>
  /** Sends RST on all connections and closes the proxy. */
  close(): void
}

interface Condition {
  delayMs: number
  cutAfterBytes: number
  cutRequestAfterBytes: number
  isHalfOpen: boolean
}

const HEALTHY: Condition = {
  delayMs: 0,
  cutAfterBytes: Number.POSITIVE_INFINITY,
  cutRequestAfterBytes: Number.POSITIVE_INFINITY,
  isHalfOpen: false,
}

/** Bytes in flight after which a sender waits for a slow receiver. */
const BUFFERED_MAX_BYTES = 1024 * 1024

/** Returns when the proxy accepts connections. */
export async function startTcpProxy(listen: Address, to: Address): Promise<TcpProxy> {
  const condition: Condition = { ...HEALTHY }
  const connections = new Set<Connection>()
  let server: Server | undefined

  async function open(): Promise<void> {
    if (server) return
    server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
      const connection = new Connection(client, to, condition, () => connections.delete(connection))
      connections.add(connection)
    })
    await once(server.listen(listen), 'listening')
  }

  function refuse(): void {
    server?.close()
    server = undefined
  }

  const end = (how: 'destroy' | 'resetAndDestroy', which: (one: Connection) => boolean = () => true) => {
    for (const connection of [...connections]) if (which(connection)) connection.end(how)
  }

  await open()
  return {
    delay(ms) {
      condition.delayMs = ms
    },
    cutAfter(bytes) {
      condition.cutAfterBytes = bytes
    },
    cutRequestAfter(bytes) {
      condition.cutRequestAfterBytes = bytes
    },
    cut() {
      refuse()
      end('destroy')
    },
    halfOpen() {
      condition.isHalfOpen = true
    },
    reset: () => end('resetAndDestroy'),
    async heal() {
      Object.assign(condition, HEALTHY)
      end('resetAndDestroy', ({ hasLostBytes }) => hasLostBytes)
      await open()
    },
    close() {
      refuse()
      end('resetAndDestroy')
    },
  }
}

/** Two sockets and the bytes between them. */
class Connection {
  hasLostBytes = false
  readonly #sockets: Socket[]
  readonly #condition: Condition

  constructor(client: Socket, to: Address, condition: Condition, onEnd: () => void) {
    const server = connect({ ...to, noDelay: true, allowHalfOpen: true })
    this.#sockets = [client, server]
    this.#condition = condition
    let open = this.#sockets.length
    for (const socket of this.#sockets) {
      // Errors are not forwarded during a stall.
      socket.on('error', () => (condition.isHalfOpen ? this.#lose() : this.end('resetAndDestroy')))
      socket.once('close', () => --open === 0 && onEnd())
    }
    server.once('connect', () => {
      this.#carry(server, client)
      server.on('data', () => {
        if (server.bytesRead >= condition.cutAfterBytes) this.end('resetAndDestroy')
      })
      this.#carry(client, server)
      client.on('data', () => {
        if (client.bytesRead >= condition.cutRequestAfterBytes) this.end('resetAndDestroy')
      })
      client.resume()
    })
  }

  end(how: 'destroy' | 'resetAndDestroy'): void {
    for (const socket of this.#sockets) socket[how]()
  }

  #lose(): void {
    this.hasLostBytes = true
  }

  #carry(from: Socket, into: Socket): void {
    let buffered = 0
    let last = Promise.resolve()
    /** Without a chunk: FIN. */
    const take = (chunk?: Buffer) => {
      const dueAtMs = performance.now() + this.#condition.delayMs
      buffered += chunk?.length ?? 0
      if (buffered > BUFFERED_MAX_BYTES) from.pause()
      last = last.then(async () => {
        if (dueAtMs > performance.now()) await sleep(dueAtMs - performance.now())
        await this.#pass(into, chunk)
        buffered -= chunk?.length ?? 0
        if (buffered <= BUFFERED_MAX_BYTES) from.resume()
      })
    }
    from.on('data', take)
    from.once('end', () => take())
  }

  async #pass(into: Socket, chunk: Buffer | undefined): Promise<void> {
    if (this.#condition.isHalfOpen || this.hasLostBytes) this.#lose()
    else if (!chunk) into.end()
    else if (!into.destroyed && !into.write(chunk)) await untilWritable(into)
  }
}

function untilWritable(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}
