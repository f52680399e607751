/** A label printer at a raw TCP port, whose paper is memory. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface TestSocketPrinter {
  /** `socket://127.0.0.1:PORT`. */
  uri: string
  /** What each connection brought, in their order, up to now. */
  received(): Buffer[]
  /** Takes connections and reads nothing of them from now on. */
  stall(): void
  /** Takes no connection; those there are break off. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startSocketPrinter(port: number): Promise<TestSocketPrinter> {
  const connections: { socket: Socket; chunks: Buffer[] }[] = []
  let isStalled = false
  const server = createServer((socket) => {
    const chunks: Buffer[] = []
    connections.push({ socket, chunks })
    // The other side may break off as it likes.
    socket.on('error', () => socket.destroy())
    if (!isStalled) socket.on('data', (chunk) => chunks.push(chunk))
  })
  const start = async () => {
    isStalled = false
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await start()
  return {
    uri: `socket://127.0.0.1:${port}`,
    start,
    received: () => connections.map(({ chunks }) => Buffer.concat(chunks)),
    stall: () => {
      isStalled = true
    },
    async stop() {
      if (!server.listening) return
      for (const { socket } of connections) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
