/** Servers that answer by the byte as they like: real sockets on loopback, which a test's network takes for public addresses. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { createPublicNetwork } from '../fetch/public-network.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts'

export type Behaviour = (socket: Socket) => void

export interface HostileServer {
  port: number
  /** All that clients sent. */
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
    // Clients that have enough go away in the middle of things.
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

/** Where `files.example.com` and every other name is the server; `dialled` has what was connected to, in the name of which addresses. */
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

/** Writes again and again, as fast as the other side reads, until it goes away. */
export function pour(socket: Socket, piece: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

/** One piece each time that so much time has gone by. */
export function drip(socket: Socket, piece: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

export const OK = 'HTTP/1.1 200 OK\r\n'

/** What never comes to its end, and how whoever asked should end: at the deadline, or because this is no answer. */
export const NO_ANSWERS: [what: string, behave: Behaviour, fault: 'timeout' | 'response'][] = [
  ['accepts and says nothing', () => undefined, 'timeout'],
  [
    'drips headers',
    (socket) => {
      socket.write(OK)
      drip(socket, 'a: b\r\n', 20)
    },
    'timeout',
  ],
  [
    'drips the body',
    (socket) => {
      socket.write(`${OK}Content-Length: 1000\r\n\r\n`)
      drip(socket, 'x', 20)
    },
    'timeout',
  ],
  [
    'sends headers without end',
    (socket) => {
      socket.write(OK)
      pour(socket, `a: ${'b'.repeat(1_000)}\r\n`)
    },
    'response',
  ],
]

export function sendEndlessBody(socket: Socket): void {
  socket.write(`${OK}\r\n`)
  pour(socket, Buffer.alloc(10_000))
}
