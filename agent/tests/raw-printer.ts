/** A printer on port 9100, as tests want it to behave. Keeps the bytes of each connection. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from '../../test/harness/free-port.ts'

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
  const connections: { socket: Socket; chunks: Buffer[]; isWhole: boolean }[] = []
  let server: Server | undefined
  // No other process takes it while the printer is switched off.
  const port = await freePort()
  let mostAtOnce = 0
  const open = new Set<Socket>()

  function serve(socket: Socket): void {
    open.add(socket)
    mostAtOnce = Math.max(mostAtOnce, open.size)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    const connection = { socket, chunks: [] as Buffer[], isWhole: false }
    connections.push(connection)
    if (state.behaviour === 'hangs up') return void socket.resetAndDestroy()
    if (state.behaviour === 'reads nothing') return void socket.pause()
    socket.on('data', (chunk) => {
      connection.chunks.push(chunk)
      if (state.behaviour === 'half-closes') socket.end()
      if (typeof state.behaviour === 'number' && socket.bytesRead >= state.behaviour) socket.resetAndDestroy()
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

  /** Connections on which anything came: the agent opens some only to see whether the printer is there. */
  const begun = () => connections.filter(({ chunks }) => chunks.length > 0)
  /** The documents that came as a whole. */
  const printed = () => begun().flatMap(({ isWhole, chunks }) => (isWhole ? [Buffer.concat(chunks)] : []))

  await switchOn()
  onTestFinished(switchOff)
  const uri = `socket://127.0.0.1:${port}`
  return Object.assign(state, { uri, switchOn, switchOff, connections, printed, begun, mostAtOnce: () => mostAtOnce })
}
