/** A printer on port 9100 with the behaviour that a test sets. Records the bytes of each connection. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from '../../test/harness/free-port.ts'

/**
 * - `prints`: reads everything, then closes its side.
 * - `never closes`: reads everything.
 * - `reads nothing`: accepts connections only.
 * - `hangs up`: resets each connection immediately.
 * - `half-closes`: closes its side after the first bytes, and reads everything.
 * - a number: reads at least this many bytes, then resets the connection.
 */
export type Behaviour = 'prints' | 'never closes' | 'reads nothing' | 'hangs up' | 'half-closes' | number

export async function startRawPrinter(behaviour: Behaviour = 'prints') {
  const state = { behaviour }
  const connections: { socket: Socket; chunks: Buffer[]; isComplete: boolean }[] = []
  let server: Server | undefined
  // No other process can get the port while the printer is off.
  const port = await freePort()
  let maxConnections = 0
  const open = new Set<Socket>()

  function serve(socket: Socket): void {
    open.add(socket)
    maxConnections = Math.max(maxConnections, open.size)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    const connection = { socket, chunks: [] as Buffer[], isComplete: false }
    connections.push(connection)
    if (state.behaviour === 'hangs up') return void socket.resetAndDestroy()
    if (state.behaviour === 'reads nothing') return void socket.pause()
    socket.on('data', (chunk) => {
      connection.chunks.push(chunk)
      if (state.behaviour === 'half-closes') socket.end()
      if (typeof state.behaviour === 'number' && socket.bytesRead >= state.behaviour) socket.resetAndDestroy()
    })
    socket.on('end', () => {
      connection.isComplete = true
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

  /** Connections with data. Probes of the agent send none. */
  const connectionsWithData = () => connections.filter(({ chunks }) => chunks.length > 0)
  /** The complete documents. */
  const printed = () =>
    connectionsWithData().flatMap(({ isComplete, chunks }) => (isComplete ? [Buffer.concat(chunks)] : []))

  await switchOn()
  onTestFinished(switchOff)
  const uri = `socket://127.0.0.1:${port}`
  return Object.assign(state, {
    uri,
    switchOn,
    switchOff,
    connections,
    printed,
    connectionsWithData,
    maxConnections: () => maxConnections,
  })
}
