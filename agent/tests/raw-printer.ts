/** A printer on port 9100, as tests want it to behave. Keeps the bytes of each connection. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from '../../test/harness/free-port.ts'

export interface Connection {
  socket: Socket
  readonly bytes: Buffer
  /** The other side has said that nothing more comes. */
  isWhole: boolean
}

/**
 * - `prints`: reads everything, then closes its side.
 * - `never closes`: reads everything.
 * - `reads nothing`: takes connections.
 * - `hangs up`: resets each connection at once.
 * - `half-closes`: says at the first bytes that nothing more comes from it, and reads everything.
 * - a number: reads at least so many bytes, then resets the connection.
 */
export type Behaviour = 'prints' | 'never closes' | 'reads nothing' | 'hangs up' | 'half-closes' | number

export async function startRawPrinter(behaviour: Behaviour = 'prints') {
  const state = { behaviour }
  const connections: Connection[] = []
  let server: Server | undefined
  // Nobody else is given it while the printer is off.
  const port = await freePort()
  let mostAtOnce = 0
  const open = new Set<Socket>()

  function serve(socket: Socket): void {
    open.add(socket)
    mostAtOnce = Math.max(mostAtOnce, open.size)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    const chunks: Buffer[] = []
    const connection = {
      socket,
      isWhole: false,
      get bytes() {
        return Buffer.concat(chunks)
      },
    }
    connections.push(connection)
    let sizeBytes = 0
    if (state.behaviour === 'hangs up') return void socket.resetAndDestroy()
    if (state.behaviour === 'reads nothing') return void socket.pause()
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (state.behaviour === 'half-closes') socket.end()
      if (typeof state.behaviour === 'number' && sizeBytes >= state.behaviour) socket.resetAndDestroy()
    })
    socket.on('end', () => {
      connection.isWhole = true
      if (state.behaviour === 'prints') socket.end()
    })
  }

  async function switchOn(): Promise<void> {
    server = createServer({ allowHalfOpen: true }, serve).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  function switchOff(): void {
    server?.close()
    for (const socket of open) socket.resetAndDestroy()
  }

  await switchOn()
  onTestFinished(switchOff)
  return Object.assign(state, {
    uri: `socket://127.0.0.1:${port}`,
    switchOn,
    switchOff,
    connections,
    /** The documents that came as a whole; whoever only looked whether the printer is there sent none. */
    printed: () => connections.filter(({ isWhole, bytes }) => isWhole && bytes.length > 0).map(({ bytes }) => bytes),
    /** Connections on which anything came. */
    begun: () => connections.filter(({ bytes }) => bytes.length > 0),
    mostAtOnce: () => mostAtOnce,
  })
}
