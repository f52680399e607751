/** Servers on loopback that send arbitrary bytes. The network of a test treats their addresses as public. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { realWait } from '@platen/test/harness/real-time.ts'
import { onTestFinished } from 'vitest'
import { createPublicNetwork } from '../../fetch/public-network.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../certificate.ts'

export type Behaviour = (socket: Socket) => unknown

export interface HostileServer {
  port: number
  /** Received bytes. */
  received(): string
  connections: Socket[]
}

export async function startHostileServer(
  behave: Behaviour,
  { tls = false, answersAtOnce = false } = {},
): Promise<HostileServer> {
  const connections: Socket[] = []
  let received = ''
  const accept = (socket: Socket) => {
    connections.push(socket)
    // Clients close connections at any time.
    socket.on('error', () => socket.destroy())
    let begun = answersAtOnce
    if (begun) behave(socket)
    socket.on('data', (chunk) => {
      received += chunk
      if (begun || !received.includes('\r\n\r\n')) return
      begun = true
      behave(socket)
    })
  }
  const server = tls ? createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, accept) : createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received: () => received, connections }
}

/** Every name resolves to the server. `dialled` contains the addresses of connections. */
export function networkTo(server: { port: number }, ca?: string) {
  const dialled: string[] = []
  const network = createPublicNetwork({
    allowed: [],
    ca,
    resolve: async () => ['93.184.216.34'],
    dial(addresses, _port, signal) {
      dialled.push(...addresses)
      return connect({ port: server.port, host: '127.0.0.1', signal })
    },
  })
  return { network, dialled }
}

/** Writes as fast as the client reads, until it closes the connection. */
export function pour(socket: Socket, piece: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

/** Writes single pieces until the client closes the connection. */
export async function drip(socket: Socket, piece: string): Promise<void> {
  while (!socket.destroyed) {
    socket.write(piece)
    await realWait('a server drips')
  }
}

export const OK = 'HTTP/1.1 200 OK\r\n'

/** `behave` after `head`. */
export const after =
  (head: string, behave: Behaviour): Behaviour =>
  (socket) => {
    socket.write(head)
    behave(socket)
  }

/** Endless answers, and the fault of the request. */
export const NO_ANSWERS: [what: string, behave: Behaviour, fault: 'timeout' | 'response'][] = [
  ['accepts and does not answer', () => undefined, 'timeout'],
  ['drips headers', after(OK, (socket) => drip(socket, 'a: b\r\n')), 'timeout'],
  ['drips the body', after(`${OK}Content-Length: 1000\r\n\r\n`, (socket) => drip(socket, 'x')), 'timeout'],
  ['sends endless headers', after(OK, (socket) => pour(socket, `a: ${'b'.repeat(1_000)}\r\n`)), 'response'],
]

export function sendEndlessBody(socket: Socket): void {
  socket.write(`${OK}\r\n`)
  pour(socket, Buffer.alloc(10_000))
}
