import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FetchFailure } from '../../fetch/failure.ts'
import { createKeepAlive, type KeepAlive } from '../../fetch/keep-alive.ts'
import { createPublicNetwork, type PublicNetwork } from '../../fetch/public-network.ts'
import { type Behaviour, NO_ANSWERS, networkTo, OK, sendEndlessBody, startHostileServer } from './hostile-servers.ts'

/** Deadline of requests that time out. */
const DEADLINE_MS = 400
const LONG_MS = 20_000
/** Less than the connect timeout of undici. */
const LATE_MAX_MS = 8_000
const READ_MAX_BYTES = 16 * 1024

function keepAliveOn(network: PublicNetwork): KeepAlive {
  const keepAlive = createKeepAlive(network)
  onTestFinished(() => keepAlive.close())
  return keepAlive
}

/** Reads at most 16 KB. @returns the status, the fault or the error. */
async function post(
  keepAlive: KeepAlive,
  { url = 'http://hooks.example.com/a?b=c', signal = undefined as AbortSignal | undefined, deadlineMs = LONG_MS } = {},
) {
  let sizeBytes = 0
  const request = {
    url: new URL(url),
    method: 'POST',
    headers: {},
    body: Buffer.from('{}'),
    deadlineMs,
    signal,
  } as const
  const outcome = await keepAlive
    .request(request, async ({ status, body }) => {
      for await (const chunk of body) {
        sizeBytes += chunk.length
        if (sizeBytes > READ_MAX_BYTES) break
      }
      return status
    })
    .catch((error: unknown) => (error instanceof FetchFailure ? error.fault : error))
  // undici reuses a connection only in the next turn of the event loop.
  await new Promise(setImmediate)
  return { outcome, sizeBytes }
}

/** Every name resolves to it. */
async function startServer(answer: RequestListener = (_request, response) => void response.end('ok')) {
  const sockets: Socket[] = []
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => answer(request, response))
  })
  // Longer than any test.
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => sockets.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, sockets }
}

describe('a hostile server costs at most the deadline and 16 KB if it', () => {
  test.each<[string, Behaviour, string | number]>([
    ...NO_ANSWERS,
    ['sends an endless body', sendEndlessBody, 200],
    ['closes at once', (socket) => socket.destroy(), 'response'],
    ['ends before its response does', (socket) => socket.end(`${OK}Content-Length: 10\r\n\r\nx`), 'response'],
    ['does not speak HTTP', (socket) => socket.end('220 ready\r\n'), 'response'],
  ])('%s', async (_, behave, outcome) => {
    const server = await startHostileServer(behave)
    const startedAt = performance.now()
    const keepAlive = keepAliveOn(networkTo(server).network)
    const result = await post(keepAlive, { deadlineMs: outcome === 'timeout' ? DEADLINE_MS : LONG_MS })
    expect(result.outcome).toBe(outcome)
    expect(result.sizeBytes).toBeLessThan(READ_MAX_BYTES + 70_000)
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS + LATE_MAX_MS)
    await waitFor(() => expect(server.connections.every(({ destroyed }) => destroyed)).toBe(true))
  })
})

test('a request reuses the connection of its origin; a concurrent one opens another', async () => {
  const { port, sockets } = await startServer()
  const keepAlive = keepAliveOn(networkTo({ port }).network)
  for (let n = 0; n < 5; n++) expect((await post(keepAlive)).outcome).toBe(200)
  expect(sockets).toHaveLength(1)
  await Promise.all([post(keepAlive), post(keepAlive)])
  expect(sockets).toHaveLength(2)
  await post(keepAlive, { url: 'http://others.example.com/' })
  expect(sockets).toHaveLength(3)
})

test('a connection with an unread response is not reused', async () => {
  const { port, sockets } = await startServer((_request, response) => void response.end(Buffer.alloc(1_000_000)))
  const keepAlive = keepAliveOn(networkTo({ port }).network)
  for (let n = 0; n < 3; n++) expect((await post(keepAlive)).outcome).toBe(200)
  expect(sockets).toHaveLength(3)
  await waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true))
})

test('bytes after the announced length are not the response of the next request', async () => {
  let answers = 0
  const server = await startHostileServer((socket) => {
    answers++
    socket.write(`${OK}Content-Length: 2\r\n\r\nokHTTP/1.1 500 Forged\r\nContent-Length: 0\r\n\r\n`)
  })
  const keepAlive = keepAliveOn(networkTo(server).network)
  expect((await post(keepAlive)).outcome).not.toBe(500)
  expect((await post(keepAlive)).outcome).not.toBe(500)
  expect(answers).toBeGreaterThan(0)
})

test('a connection that the server closes, idle or at its next use, fails no request', async () => {
  let resets = 0
  const { port, sockets } = await startServer((request, response) => {
    if (resets > 0) request.socket.resetAndDestroy()
    else response.end('ok')
    resets--
  })
  const keepAlive = keepAliveOn(networkTo({ port }).network)
  await post(keepAlive)
  for (const socket of sockets) socket.resetAndDestroy()
  expect((await post(keepAlive)).outcome).toBe(200)
  resets = 1
  expect((await post(keepAlive)).outcome).toBe(200)
  expect(sockets).toHaveLength(3)
})

test('an aborted request fails with the reason and leaves no connection', async () => {
  const { port, sockets } = await startServer(() => undefined)
  const keepAlive = keepAliveOn(networkTo({ port }).network)
  const abort = new AbortController()
  const posted = post(keepAlive, { signal: abort.signal })
  await waitFor(() => expect(sockets).toHaveLength(1))
  abort.abort(new Error('stopping'))
  expect((await posted).outcome).toMatchObject({ message: 'stopping' })
  await waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true))
})

describe('a name whose addresses change', () => {
  const [A, B] = ['93.184.216.34', '93.184.216.35']

  test.each<[string, string[], string[], string | number, string[]]>([
    ['is connected to at its new address', [A], [B], 200, [A, B]],
    ['keeps its connection if the order alone is another', [A, B], [B, A], 200, [`${A},${B}`]],
    ['is refused if the new address is private', [A], ['10.0.0.1'], 'blocked_address', [A]],
  ])('is resolved again after 10 s, not sooner, and %s', async (_, before, after, outcome, dials) => {
    const { port, sockets } = await startServer()
    let addresses = before
    let lookUps = 0
    let nowMs = 0
    const dialled: string[] = []
    const network = createPublicNetwork({
      allowed: [],
      resolve: async () => {
        lookUps++
        return addresses
      },
      dial(to, _port, signal) {
        dialled.push(to.join())
        return connect({ port, host: '127.0.0.1', signal })
      },
    })
    const keepAlive = createKeepAlive(network, () => nowMs)
    onTestFinished(() => keepAlive.close())
    await post(keepAlive)
    addresses = after
    nowMs = 9_999
    expect((await post(keepAlive)).outcome).toBe(200)
    expect(lookUps).toBe(1)
    nowMs = 10_000
    expect((await post(keepAlive)).outcome).toBe(outcome)
    expect([lookUps, dialled]).toEqual([2, dials])
    if (outcome !== 200) await waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true))
  })
})
