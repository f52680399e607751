/** An HTTP proxy with CONNECT and an optional password. It resolves the host names of tests. */
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Listens until the end of the test. @returns the port. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Names with `.test` and the loopback address of IPv6 are resolved to this computer. */
const resolveHost = (host: string) => (host.endsWith('.test') || host === '[::1]' ? '127.0.0.1' : host)

export async function startProxy({ user, refuses }: { user?: string; refuses?: number } = {}) {
  /** All requests, oldest first: `host:port` of tunnels, URLs of others. */
  const requests: string[] = []
  const authorization = user && `Basic ${Buffer.from(user).toString('base64')}`

  const server = createServer((incoming, answer) => {
    requests.push(incoming.url ?? '')
    if (authorization && incoming.headers['proxy-authorization'] !== authorization)
      return void answer.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('<html>')
    const { hostname, port, pathname } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const upstream = request({ host: resolveHost(hostname), port, path: pathname, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    })
    upstream.on('error', () => answer.destroy())
    incoming.pipe(upstream)
  })
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket, head: Buffer) => {
    requests.push(url)
    if (refuses) return void socket.end(`HTTP/1.1 ${refuses} Refused\r\n\r\n`)
    if (authorization && headers['proxy-authorization'] !== authorization)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const { hostname, port } = new URL(`http://${url}`)
    const upstream = connect(Number(port), resolveHost(hostname), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('close', () => upstream.destroy())
  })
  const host = `127.0.0.1:${await listen(server)}`
  return { requests, url: `http://${user ? `${user.split(':').map(encodeURIComponent).join(':')}@` : ''}${host}`, host }
}
