/**
 * A box between an agent and its service: it passes all connections on, answers requests itself, or resets connections.
 */
import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import { connect, createServer, type Socket } from 'node:net'
import { listen } from './connect-proxy.ts'

export type BoxAnswer = ((stream: ServerHttp2Stream) => void) | 'reset' | undefined

/** @param answer of the box; undefined to pass connections on. */
export async function startBox(targetUrl: string, answer?: BoxAnswer) {
  const target = new URL(targetUrl)
  const box = { url: '', answer, answered: 0, packetsLost: 0, largest: { toService: Infinity, toAgent: Infinity } }
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  const answering = createHttp2Server()
  answering.on('sessionError', () => undefined)
  answering.on('stream', (stream) => {
    stream.on('error', () => undefined)
    box.answered++
    if (typeof box.answer === 'function') box.answer(stream)
    else stream.session?.destroy()
  })
  /** Nothing passes after a packet that is larger than the largest one, because TCP repeats that packet. */
  function carry(from: Socket, into: Socket, direction: keyof typeof box.largest): void {
    let isLost = false
    from.on('data', (chunk) => {
      isLost ||= chunk.length > box.largest[direction]
      if (isLost) box.packetsLost++
      else into.write(chunk)
    })
    from.on('end', () => into.end())
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (box.answer === 'reset') {
      box.answered++
      socket.resetAndDestroy()
    } else if (box.answer) answering.emit('connection', socket)
    else {
      const upstream = connect(Number(target.port), target.hostname)
      upstreams.add(upstream)
      upstream.on('error', () => upstream.destroy())
      socket.once('close', () => upstream.destroy())
      upstream.once('close', () => {
        upstreams.delete(upstream)
        socket.destroy()
      })
      carry(socket, upstream, 'toService')
      carry(upstream, socket, 'toAgent')
    }
  })
  box.url = `http://127.0.0.1:${await listen(server)}`
  return Object.assign(box, {
    /** Changes the answer and resets all connections. */
    set(next: BoxAnswer): void {
      box.answer = next
      for (const socket of sockets) socket.resetAndDestroy()
    },
    /** Passes on nothing of the service until `release`. */
    hold(): void {
      for (const upstream of upstreams) upstream.pause()
    },
    release(): void {
      for (const upstream of upstreams) upstream.resume()
    },
  })
}
