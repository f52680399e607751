import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../harness/free-port.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startTcpProxy } from '../system/tcp-proxy.ts'

const HOST = '127.0.0.1'

/** A socket that remembers what it got and how it ended. */
function listenTo(socket: Socket) {
  const heard = { text: '', bytes: 0, hasEnded: false, error: '', isClosed: false }
  socket.on('data', (chunk) => {
    heard.bytes += chunk.length
    if (heard.text.length < 10_000) heard.text += chunk
  })
  socket.on('end', () => {
    heard.hasEnded = true
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    heard.error = error.code ?? error.message
  })
  socket.on('close', () => {
    heard.isClosed = true
  })
  onTestFinished(() => void socket.destroy())
  return { socket, heard }
}

/** A server behind a proxy. `dial` makes a connection through it. */
async function startPair({ isPaused = false } = {}) {
  const accepted: ReturnType<typeof listenTo>[] = []
  const server = createServer({ pauseOnConnect: isPaused }, (socket) => {
    accepted.push(listenTo(socket))
  })
  server.listen(await freePort(), HOST)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  const port = await freePort()
  const proxy = await startTcpProxy({ host: HOST, port }, { host: HOST, port: address.port })
  onTestFinished(() => {
    proxy.close()
    server.close()
  })
  const dial = () => listenTo(connect(port, HOST))
  return {
    proxy,
    server,
    accepted,
    dial,
    /** A connection on which both sides have heard each other. */
    async dialThrough() {
      const before = accepted.length
      const client = dial()
      client.socket.write('hello')
      const served = await waitFor(() => {
        const last = accepted[before]
        if (last?.heard.text !== 'hello') throw new Error('the server has not heard the client')
        return last
      })
      served.socket.write('welcome')
      await waitFor(() => expect(client.heard.text).toBe('welcome'))
      return { client, served }
    },
  }
}

test('bytes and the end of each side pass on their own', async () => {
  const { dialThrough } = await startPair()
  const { client, served } = await dialThrough()
  client.socket.end('bye')
  await waitFor(() => expect(served.heard).toMatchObject({ text: 'hellobye', hasEnded: true }))
  await waitFor(() => expect(client.heard).toMatchObject({ hasEnded: true, error: '', isClosed: true }))
})

test('a sender waits for a receiver that does not read', async () => {
  const { dial, accepted } = await startPair({ isPaused: true })
  const client = dial()
  const sentBytes = 64 * 1024 * 1024
  client.socket.write(Buffer.alloc(sentBytes))
  await waitFor(() => expect(accepted).toHaveLength(1))
  let before = -1
  await waitFor(() => {
    const now = client.socket.bytesWritten - client.socket.writableLength
    const rests = now === before
    before = now
    if (!rests) throw new Error('bytes still move')
  })
  expect(client.socket.writableLength).toBeGreaterThan(0)
  const [served] = accepted
  served?.socket.resume()
  await waitFor(() => expect(served?.heard.bytes).toBe(sentBytes))
})

test('a delayed chunk arrives later, and chunks keep their order when the delay gets shorter', async () => {
  const { dialThrough, proxy } = await startPair()
  const { client, served } = await dialThrough()
  proxy.delay(300)
  const startedAtMs = performance.now()
  client.socket.write(' one')
  // A busy kernel takes a moment to bring it to the proxy, which then reads it in this process's next turn.
  await sleep(100)
  await new Promise((resolve) => setImmediate(resolve))
  proxy.delay(0)
  client.socket.write(' two')
  await waitFor(() => expect(served.heard.text).toBe('hello one two'))
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(299)
})

test('a cut ends connections with FIN and refuses new ones until it is healed', async () => {
  const { dialThrough, dial, proxy } = await startPair()
  const { client, served } = await dialThrough()
  proxy.cut()
  await waitFor(() => expect(client.heard).toMatchObject({ hasEnded: true, error: '', isClosed: true }))
  await waitFor(() => expect(served.heard).toMatchObject({ hasEnded: true, error: '', isClosed: true }))
  const refused = dial()
  await waitFor(() => expect(refused.heard).toMatchObject({ error: 'ECONNREFUSED' }))
  await proxy.heal()
  await dialThrough()
})

test('a reset is RST on all connections, and new ones work', async () => {
  const { dialThrough, proxy } = await startPair()
  const { client, served } = await dialThrough()
  proxy.reset()
  await waitFor(() => expect(client.heard).toMatchObject({ error: 'ECONNRESET', isClosed: true }))
  await waitFor(() => expect(served.heard).toMatchObject({ error: 'ECONNRESET', isClosed: true }))
  await dialThrough()
})

test('a half-open connection that swallowed something is reset when it is healed, and never carries a byte again', async () => {
  const { dialThrough, proxy } = await startPair()
  const { client, served } = await dialThrough()
  await proxy.halfOpen()
  client.socket.write(' lost')
  served.socket.end(' lost too')
  await waitFor(() => expect(proxy.swallowedBytes()).toBe(' lost lost too'.length))
  expect(client.heard).toMatchObject({ text: 'welcome', hasEnded: false, isClosed: false })
  await proxy.heal()
  client.socket.write(' again')
  await waitFor(() => expect(client.heard).toMatchObject({ text: 'welcome', isClosed: true }))
  expect(client.heard.error).toMatch(/ECONNRESET|EPIPE/)
  expect(served.heard.text).toBe('hello')
  await dialThrough()
})

test('a half-open connection that swallowed nothing goes on when it is healed', async () => {
  const { dialThrough, proxy } = await startPair()
  const { client, served } = await dialThrough()
  await proxy.halfOpen()
  await proxy.heal()
  client.socket.write(' again')
  await waitFor(() => expect(served.heard.text).toBe('hello again'))
  expect(client.heard).toMatchObject({ error: '', isClosed: false })
})

test('a connection made while half-open is accepted, gets nothing, and is reset when it is healed', async () => {
  const { dial, accepted, proxy } = await startPair()
  await proxy.halfOpen()
  const client = dial()
  await once(client.socket, 'connect')
  client.socket.write('hello')
  await waitFor(() => expect(proxy.swallowedBytes()).toBe('hello'.length))
  expect(client.heard).toMatchObject({ bytes: 0, isClosed: false })
  await proxy.heal()
  await waitFor(() => expect(client.heard).toMatchObject({ bytes: 0, error: 'ECONNRESET' }))
  expect(accepted).toHaveLength(0)
})

test('a server that is not there is a reset to the client', async () => {
  const { dial, dialThrough, server } = await startPair()
  await dialThrough()
  server.close()
  const client = dial()
  await waitFor(() => expect(client.heard).toMatchObject({ error: 'ECONNRESET', isClosed: true }))
})

test('is in use while it has a connection', async () => {
  const { proxy, dialThrough } = await startPair()
  expect(proxy.isInUse()).toBe(false)
  await dialThrough()
  expect(proxy.isInUse()).toBe(true)
  proxy.reset()
  await waitFor(() => expect(proxy.isInUse()).toBe(false))
})
