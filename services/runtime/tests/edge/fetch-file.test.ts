import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FetchFailure } from '../fetch/failure.ts'
import { fetchFile } from '../fetch/fetch-file.ts'
import type { PublicNetwork } from '../fetch/public-network.ts'
import { CERTIFICATE } from './certificate.ts'
import {
  type Behaviour,
  drip,
  NO_ANSWERS,
  networkTo,
  OK,
  pour,
  sendEndlessBody,
  startHostileServer,
} from './hostile-servers.ts'

const LIMIT_BYTES = 1_000_000
/** Where the rule says 30 s, for what lasts to the deadline; the rest has time to end as it does. */
const DEADLINE_MS = 400
const LONG_MS = 20_000
/** Less than what undici gives up a connection after by itself. */
const LATE_MAX_MS = 8_000

/** Every socket that this process opens as a client, whoever opens it. */
const opened: Socket[] = []
const remember = (message: unknown) => void opened.push((message as { socket: Socket }).socket)

beforeEach(() => {
  opened.length = 0
  subscribe('net.client.socket', remember)
})

afterEach(() => {
  unsubscribe('net.client.socket', remember)
  expect(opened.filter(({ remoteAddress }) => remoteAddress !== undefined && remoteAddress !== '127.0.0.1')).toEqual([])
})

async function fetched(
  network: PublicNetwork,
  {
    url = 'http://files.example.com/a/b.pdf?c=d',
    headers = {},
    deadlineMs = LONG_MS,
    limitBytes = LIMIT_BYTES,
    signal = new AbortController().signal,
  } = {},
) {
  let sizeBytes = 0
  const startedAt = performance.now()
  const fault = await fetchFile(
    network,
    { url: new URL(url), headers, deadlineMs, limitBytes, signal },
    async (content) => {
      for await (const chunk of content) sizeBytes += chunk.length
    },
  ).then(
    () => undefined,
    (error: unknown) => (error instanceof FetchFailure ? error.fault : error),
  )
  return { fault, sizeBytes, durationMs: performance.now() - startedAt }
}

describe('a hostile server costs no more than its deadline, and ends in a failure, when it', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  test.each<[string, Behaviour, string]>([
    ...NO_ANSWERS,
    [
      'drips the status line',
      (socket) => {
        socket.write('HTTP/1.1 200 ')
        drip(socket, 'K', 20)
      },
      'timeout',
    ],
    [
      'drips chunks',
      (socket) => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
        drip(socket, '1\r\nx\r\n', 20)
      },
      'timeout',
    ],
    [
      'sends one endless header',
      (socket) => {
        socket.write(`${OK}a: `)
        pour(socket, 'b'.repeat(1_000))
      },
      'response',
    ],
    ['sends early hints without end', (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'timeout'],
    ['sends a body without end', sendEndlessBody, 'too_large'],
    [
      'sends chunks without end',
      (socket) => {
        socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
        pour(socket, `3e8\r\n${'x'.repeat(1000)}\r\n`)
      },
      'too_large',
    ],
    [
      'announces too much',
      (socket) => void socket.write(`${OK}Content-Length: ${LIMIT_BYTES + 1}\r\n\r\n`),
      'too_large',
    ],
    ['announces more than it sends', (socket) => void socket.end(`${OK}Content-Length: 10\r\n\r\nx`), 'response'],
    [
      'announces two lengths',
      (socket) => void socket.end(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`),
      'response',
    ],
    ['announces a length below zero', (socket) => void socket.end(`${OK}Content-Length: -1\r\n\r\nxx`), 'response'],
    [
      'announces a length and chunks',
      (socket) => void socket.end(`${OK}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      'response',
    ],
    ['breaks off in a chunk', (socket) => void socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\na\r\nx`), 'response'],
    ['breaks off in the headers', (socket) => void socket.end(`${OK}a: b`), 'response'],
    ['closes without a word', (socket) => void socket.end(), 'response'],
    ['resets', (socket) => void socket.resetAndDestroy(), 'response'],
    ['speaks HTTP/0.9', (socket) => void socket.end('<html>inside</html>'), 'response'],
    ['speaks no HTTP', (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'response'],
    [
      'sends a gzip bomb',
      (socket) => {
        socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`)
        socket.end(bomb)
      },
      'encoding',
    ],
    ['packs with br', (socket) => void socket.end(`${OK}Content-Encoding: br\r\n\r\nx`), 'encoding'],
    [
      'packs a hundred times',
      (socket) => void socket.end(`${OK}Content-Encoding: ${Array(100).fill('gzip')}\r\n\r\nx`),
      'encoding',
    ],
    [
      'packs and says identity too',
      (socket) => void socket.end(`${OK}Content-Encoding: identity, gzip\r\n\r\nx`),
      'encoding',
    ],
    [
      'packs on the way',
      (socket) => void socket.end(`${OK}Transfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`),
      'encoding',
    ],
    ...[301, 302, 303, 307, 308].map((status): [string, Behaviour, string] => [
      `redirects to the metadata with ${status}`,
      (socket) =>
        void socket.end(`HTTP/1.1 ${status} Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n`),
      'redirect',
    ]),
    [
      'redirects to itself by Refresh',
      (socket) => void socket.end('HTTP/1.1 204 No\r\nRefresh: 0;url=http://10.0.0.1/\r\n\r\n'),
      'status',
    ],
    ...[201, 204, 206, 400, 401, 404, 500, 503].map((status): [string, Behaviour, string] => [
      `answers ${status}`,
      (socket) => void socket.end(`HTTP/1.1 ${status} Some\r\nContent-Length: 0\r\n\r\n`),
      'status',
    ]),
    [
      'switches protocols',
      (socket) => void socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'response',
    ],
  ])('%s', async (_, behave, expected) => {
    const server = await startHostileServer(behave)
    const { network, dialled } = networkTo(server)
    const deadlineMs = expected === 'timeout' ? DEADLINE_MS : LONG_MS
    const { fault, sizeBytes, durationMs } = await fetched(network, { deadlineMs })
    expect(fault).toBe(expected)
    expect(durationMs).toBeLessThan(DEADLINE_MS + LATE_MAX_MS)
    expect(sizeBytes).toBeLessThanOrEqual(LIMIT_BYTES)
    // One connection, and nothing was followed.
    expect(dialled).toEqual(['93.184.216.34'])
    await waitFor(() => expect(server.connections).toHaveLength(1))
  })

  test('stalls in the TLS handshake', async () => {
    const server = await startHostileServer(() => undefined, { answersAtOnce: true })
    const { fault, durationMs } = await fetched(networkTo(server).network, {
      url: 'https://files.example.com/',
      deadlineMs: DEADLINE_MS,
    })
    expect(fault).toBe('timeout')
    expect(durationMs).toBeLessThan(DEADLINE_MS + LATE_MAX_MS)
  })

  test('speaks plain HTTP where TLS is meant', async () => {
    const server = await startHostileServer((socket) => void socket.end(`${OK}\r\nx`), { answersAtOnce: true })
    expect(await fetched(networkTo(server).network, { url: 'https://files.example.com/' })).toMatchObject({
      fault: 'tls',
    })
  })

  test('has a certificate that nobody trusts, or one of another host', async () => {
    const server = await startHostileServer((socket) => void socket.end(`${OK}\r\nx`), { tls: true })
    const untrusted = await fetched(networkTo(server).network, { url: 'https://files.example.com/' })
    const foreign = await fetched(networkTo(server, CERTIFICATE).network, { url: 'https://other.example.com/' })
    expect([untrusted.fault, foreign.fault]).toEqual(['tls', 'tls'])
    expect(server.received()).toBe('')
  })

  test('is a name server that never answers', async () => {
    const { network } = networkTo({ port: 1 })
    const addressesOf = (_url: URL, signal: AbortSignal) =>
      new Promise<string[]>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { fault, durationMs } = await fetched({ ...network, addressesOf }, { deadlineMs: DEADLINE_MS })
    expect(fault).toBe('timeout')
    expect(durationMs).toBeLessThan(DEADLINE_MS + LATE_MAX_MS)
  })

  test('does not listen', async () => {
    expect(await fetched(networkTo({ port: 1 }).network)).toMatchObject({ fault: 'connect' })
  })
})

describe('a file', () => {
  const sends =
    (sizeBytes: number, head = `Content-Length: ${sizeBytes}\r\n`) =>
    (socket: Socket) =>
      void socket.end(Buffer.concat([Buffer.from(`${OK}${head}\r\n`), Buffer.alloc(sizeBytes, 'x')]))

  test.each([
    ['with its length', undefined],
    ['that ends with its connection', ''],
  ])('%s is taken up to the limit, and not one byte more', async (_, head) => {
    const within = await fetched(networkTo(await startHostileServer(sends(LIMIT_BYTES, head))).network)
    expect(within).toMatchObject({ fault: undefined, sizeBytes: LIMIT_BYTES })
    const beyond = await fetched(networkTo(await startHostileServer(sends(LIMIT_BYTES + 1, head))).network)
    expect(beyond.fault).toBe('too_large')
  })

  test('is asked for by one plain request in the name of its host', async () => {
    const server = await startHostileServer(sends(1))
    await fetched(networkTo(server).network, { headers: { authorization: 'Basic dTpw' } })
    const [first, ...headers] = server.received().trim().split('\r\n')
    expect(first).toBe('GET /a/b.pdf?c=d HTTP/1.1')
    expect(headers.map((header) => header.toLowerCase()).toSorted()).toEqual([
      'accept-encoding: identity',
      'authorization: basic dtpw',
      'connection: close',
      'host: files.example.com',
    ])
  })

  test('comes by TLS from the host that its certificate names', async () => {
    const server = await startHostileServer(sends(5), { tls: true })
    const answer = await fetched(networkTo(server, CERTIFICATE).network, { url: 'https://files.example.com/' })
    expect(answer).toMatchObject({ fault: undefined, sizeBytes: 5 })
  })

  test('that takes nearly the whole deadline is taken', async () => {
    const deadlineMs = 6_000
    const server = await startHostileServer((socket) => {
      socket.write(`${OK}Content-Length: 2\r\n\r\nx`)
      setTimeout(() => socket.end('y'), deadlineMs / 2)
    })
    const answer = await fetched(networkTo(server).network, { deadlineMs })
    expect(answer).toMatchObject({ fault: undefined, sizeBytes: 2 })
  })

  test('is not waited for when it is not wanted any more: the connection is closed', async () => {
    const unwanted = new AbortController()
    const server = await startHostileServer((socket) => {
      socket.write(`${OK}\r\nx`)
      setTimeout(() => unwanted.abort(new Error('not wanted')), 50)
    })
    const { fault, durationMs } = await fetched(networkTo(server).network, { signal: unwanted.signal })
    expect(fault).toEqual(new Error('not wanted'))
    expect(durationMs).toBeLessThan(LATE_MAX_MS)
    await waitFor(() => expect(server.connections[0]?.destroyed).toBe(true))
  })
})
