/** One connection through a proxy: two sockets, and what is on its way between them. Made by `tcp-proxy.ts`. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the proxy does to all that passes at the moment; read anew for each chunk. */
export interface Weather {
  /** How much later a chunk arrives than it could. */
  delayMs: number
  /** Nothing gets through, in either direction, and nobody is told. */
  isSilent: boolean
  /** All that did not get through so far. */
  swallowedBytes: number
}

export interface ProxiedConnection {
  /** Something was swallowed: what came after it would make no sense, so this connection must never carry anything again. */
  isSpoiled(): boolean
  /** FIN to both sides. */
  end(): void
  /** RST to both sides. */
  reset(): void
}

/** Beyond this the sender has to wait, as it would for a slow receiver. */
const ON_ITS_WAY_MAX_BYTES = 1024 * 1024

/** For a side that does not answer our FIN with its own. */
const END_WITHIN_MS = 1_000

/**
 * @param client accepted and paused, with `allowHalfOpen`.
 * @param onEnd hears once, when no socket is left.
 */
export function passOn(
  client: Socket,
  to: { host: string; port: number },
  weather: Weather,
  onEnd: () => void,
): ProxiedConnection {
  let isOver = false
  let isSpoiled = weather.isSilent
  const sockets = [client]
  let open = 0
  adopt(client)
  if (isSpoiled) client.on('data', swallow).resume()
  else {
    const server = connect({ ...to, noDelay: true, allowHalfOpen: true })
    sockets.push(server)
    adopt(server)
    server.once('connect', () => {
      carry(server, client)
      carry(client, server)
      client.resume()
    })
  }

  function adopt(socket: Socket): void {
    open++
    socket.on('error', () => fail())
    socket.once('close', () => {
      if (--open === 0) onEnd()
    })
  }

  function swallow(chunk?: Buffer): void {
    isSpoiled = true
    weather.swallowedBytes += chunk?.length ?? 0
  }

  /** One side is gone, or was never there. In silence the other does not hear of it. */
  function fail(): void {
    if (weather.isSilent) isSpoiled = true
    else reset()
  }

  function reset(): void {
    isOver = true
    for (const socket of sockets) socket.resetAndDestroy()
  }

  function carry(from: Socket, into: Socket): void {
    /** Without a chunk: the end. */
    const onItsWay: { chunk?: Buffer; dueAtMs: number }[] = []
    let bytes = 0
    let isMoving = false

    function take(chunk?: Buffer): void {
      if (isOver) return
      onItsWay.push({ chunk, dueAtMs: performance.now() + weather.delayMs })
      bytes += chunk?.length ?? 0
      if (bytes >= ON_ITS_WAY_MAX_BYTES) from.pause()
      if (!isMoving) void move()
    }

    async function move(): Promise<void> {
      isMoving = true
      for (let next = onItsWay[0]; next && !isOver; next = onItsWay[0]) {
        const earlyMs = next.dueAtMs - performance.now()
        if (earlyMs > 0) await sleep(earlyMs)
        if (!isOver) await hand(next.chunk)
        onItsWay.shift()
        bytes -= next.chunk?.length ?? 0
        if (bytes < ON_ITS_WAY_MAX_BYTES) from.resume()
      }
      isMoving = false
    }

    async function hand(chunk: Buffer | undefined): Promise<void> {
      if (weather.isSilent || isSpoiled) swallow(chunk)
      else if (!chunk) into.end()
      else if (!into.write(chunk) && !into.destroyed) await drained(into)
    }

    from.on('data', take)
    from.once('end', () => take())
  }

  return {
    isSpoiled: () => isSpoiled,
    reset,
    end() {
      isOver = true
      for (const socket of sockets) {
        socket.resume()
        socket.end()
        setTimeout(() => socket.destroy(), END_WITHIN_MS).unref()
      }
    },
  }
}

/** Also when it is closed instead. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}
