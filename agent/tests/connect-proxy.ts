/** A proxy as companies have them: plain HTTP, CONNECT, perhaps a password. It knows names that nobody else does. */
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Until the end of the test, with all connections. @returns the port. */
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

/** Every name that a test makes up is this computer. */
const addressOf = (host: string) => (host.endsWith('.test') ? '127.0.0.1' : host)

export async function startProxy({ user, refuses = false }: { user?: string; refuses?: boolean } = {}) {
  /** What was asked for, oldest first: `host:port` of tunnels, URLs of others. */
  const asked: string[] = []
  const authorization = user && `Basic ${Buffer.from(user).toString('base64')}`

  const server = createServer((incoming, answer) => {
    asked.push(incoming.url ?? '')
    const { hostname, port, pathname } = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const onward = request({ host: addressOf(hostname), port, path: pathname, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    incoming.pipe(onward)
  })
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket, head: Buffer) => {
    asked.push(url)
    if (refuses) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    if (authorization && headers['proxy-authorization'] !== authorization)
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const { hostname, port } = new URL(`http://${url}`)
    const onward = connect(Number(port), addressOf(hostname), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })
  const host = `127.0.0.1:${await listen(server)}`
  return { asked, url: `http://${user ? `${user.split(':').map(encodeURIComponent).join(':')}@` : ''}${host}`, host }
}
