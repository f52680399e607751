import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { realWait } from '@platen/test/harness/real-time.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FetchFailure } from '../../fetch/failure.ts'
import { fetchFile } from '../../fetch/fetch-file.ts'
import type { PublicNetwork } from '../../fetch/public-network.ts'
import { CERTIFICATE } from '../certificate.ts'
import {
  after,
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
/** Deadline of fetches, 30 s in the product. */
const DEADLINE_MS = 400
const LONG_MS = 20_000
/** Less than the connect timeout of undici. */
const LATE_MAX_MS = 8_000

/** All client sockets of this process. */
const opened: Socket[] = []
const recordSocket = (message: unknown) => void opened.push((message as { socket: Socket }).socket)

beforeEach(() => {
  opened.length = 0
  subscribe('net.client.socket', recordSocket)
})

afterEach(() => {
  unsubscribe('net.client.socket', recordSocket)
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

const sendHead = (head: string) => (socket: Socket) => socket.write(`${OK}${head}\r\n\r\n`)
const end = (text: string) => (socket: Socket) => socket.end(text)
const endOk = (text: string) => end(OK + text)
const status = (code: number, headers = '') => end(`HTTP/1.1 ${code} Some\r\n${headers}Content-Length: 0\r\n\r\n`)
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`
const bomb = gzipSync(Buffer.alloc(50_000_000))

describe('a hostile server costs at most the deadline of the whole fetch, and one connection, if it', () => {
  test.each<[string, Behaviour, string]>([
    ...NO_ANSWERS,
    ['drips the status line', after('HTTP/1.1 200 ', (socket) => drip(socket, 'K')), 'timeout'],
    ['drips chunks', after(CHUNKED, (socket) => drip(socket, '1\r\nx\r\n')), 'timeout'],
    ['sends an endless header', after(`${OK}a: `, (socket) => pour(socket, 'b'.repeat(1_000))), 'response'],
    ['sends endless early hints', (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'timeout'],
    ['sends an endless body', sendEndlessBody, 'too_large'],
    ['sends endless chunks', after(CHUNKED, (socket) => pour(socket, `3e8\r\n${'x'.repeat(1000)}\r\n`)), 'too_large'],
    ['announces too much', sendHead(`Content-Length: ${LIMIT_BYTES + 1}`), 'too_large'],
    ['announces more than it sends', endOk('Content-Length: 10\r\n\r\nx'), 'response'],
    ['announces two lengths', endOk('Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx'), 'response'],
    ['announces a negative length', endOk('Content-Length: -1\r\n\r\nxx'), 'response'],
    [
      'announces a length and chunks',
      endOk('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
      'response',
    ],
    ['ends within a chunk', end(`${CHUNKED}a\r\nx`), 'response'],
    ['ends within the headers', endOk('a: b'), 'response'],
    ['closes without an answer', end(''), 'response'],
    ['resets the connection', (socket) => socket.resetAndDestroy(), 'response'],
    ['speaks HTTP/0.9', end('<html>inside</html>'), 'response'],
    ['does not speak HTTP', end('SSH-2.0-OpenSSH_9.2\r\n'), 'response'],
    [
      'switches protocols',
      (socket) => socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'response',
    ],
    [
      'sends a gzip bomb',
      after(`${OK}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`, (socket) => socket.end(bomb)),
      'encoding',
    ],
    ['encodes with br', endOk('Content-Encoding: br\r\n\r\nx'), 'encoding'],
    ['encodes a hundred times', endOk(`Content-Encoding: ${Array(100).fill('gzip')}\r\n\r\nx`), 'encoding'],
    ['encodes besides identity', endOk('Content-Encoding: identity, gzip\r\n\r\nx'), 'encoding'],
    ['encodes the transfer', endOk('Transfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n'), 'encoding'],
    ...[301, 302, 303, 307, 308].map((code): [string, Behaviour, string] => [
      `redirects to cloud metadata with ${code}`,
      status(code, 'Location: http://169.254.169.254/\r\n'),
      'redirect',
    ]),
    ['redirects by Refresh', status(204, 'Refresh: 0;url=http://10.0.0.1/\r\n'), 'status'],
    ...[201, 206, 400, 401, 404, 500, 503].map((code): [string, Behaviour, string] => [
      `answers ${code}`,
      status(code),
      'status',
    ]),
  ])('%s', async (_, behave, expected) => {
    proves('fetch.whole')
    const server = await startHostileServer(behave)
    const { network, dialled } = networkTo(server)
    const deadlineMs = expected === 'timeout' ? DEADLINE_MS : LONG_MS
    const { fault, sizeBytes, durationMs } = await fetched(network, { deadlineMs })
    expect(fault).toBe(expected)
    expect(durationMs).toBeLessThan(DEADLINE_MS + LATE_MAX_MS)
    expect(sizeBytes).toBeLessThanOrEqual(LIMIT_BYTES)
    expect(dialled).toEqual(['93.184.216.34'])
    await waitFor(() => expect(server.connections).toHaveLength(1))
  })

  test('stalls in the TLS handshake', async () => {
    const server = await startHostileServer(() => undefined, { answersAtOnce: true })
    const fetching = fetched(networkTo(server).network, { url: 'https://files.example.com/', deadlineMs: DEADLINE_MS })
    const { fault, durationMs } = await fetching
    expect(fault).toBe('timeout')
    expect(durationMs).toBeLessThan(DEADLINE_MS + LATE_MAX_MS)
  })

  test('speaks plain HTTP instead of TLS', async () => {
    const server = await startHostileServer(endOk('\r\nx'), { answersAtOnce: true })
    expect((await fetched(networkTo(server).network, { url: 'https://files.example.com/' })).fault).toBe('tls')
  })

  test('has an untrusted certificate, or one of another host', async () => {
    const server = await startHostileServer(endOk('\r\nx'), { tls: true })
    const untrusted = await fetched(networkTo(server).network, { url: 'https://files.example.com/' })
    const foreign = await fetched(networkTo(server, CERTIFICATE).network, { url: 'https://other.example.com/' })
    expect([untrusted.fault, foreign.fault]).toEqual(['tls', 'tls'])
    expect(server.received()).toBe('')
  })

  test('is a name server that does not answer', async () => {
    const { network } = networkTo({ port: 1 })
    const resolveAddresses = (_url: URL, signal: AbortSignal) =>
      new Promise<string[]>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { fault, durationMs } = await fetched({ ...network, resolveAddresses }, { deadlineMs: DEADLINE_MS })
    expect(fault).toBe('timeout')
    expect(durationMs).toBeLessThan(DEADLINE_MS + LATE_MAX_MS)
  })
})

describe('a file', () => {
  const sends = (sizeBytes: number, head = `Content-Length: ${sizeBytes}\r\n`) =>
    after(`${OK}${head}\r\n`, (socket) => socket.end(Buffer.alloc(sizeBytes, 'x')))

  test.each([
    ['with its length', undefined],
    ['that ends with its connection', ''],
  ])('%s is accepted up to the limit, and not with one byte more', async (_, head) => {
    const exact = await fetched(networkTo(await startHostileServer(sends(LIMIT_BYTES, head))).network)
    expect(exact).toMatchObject({ fault: undefined, sizeBytes: LIMIT_BYTES })
    const beyond = await fetched(networkTo(await startHostileServer(sends(LIMIT_BYTES + 1, head))).network)
    expect(beyond.fault).toBe('too_large')
  })

  test('is requested by one plain request in the name of its host', async () => {
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

  test('is fetched by TLS from the host of its certificate', async () => {
    proves('url.https')
    const server = await startHostileServer(sends(5), { tls: true })
    const answer = await fetched(networkTo(server, CERTIFICATE).network, { url: 'https://files.example.com/' })
    expect(answer).toMatchObject({ fault: undefined, sizeBytes: 5 })
  })

  test('that arrives shortly before the deadline is accepted', async () => {
    proves('fetch.29s')
    const server = await startHostileServer(async (socket) => {
      sendHead('Content-Length: 2')(socket)
      await realWait('a server is slow')
      socket.end('xy')
    })
    const answer = await fetched(networkTo(server).network, { deadlineMs: 3_000 })
    expect(answer).toMatchObject({ fault: undefined, sizeBytes: 2 })
  })

  test('is not awaited after an abort: the connection is closed', async () => {
    const abort = new AbortController()
    const server = await startHostileServer(sendHead('Content-Length: 2'))
    const fetching = fetched(networkTo(server).network, { signal: abort.signal })
    await waitFor(() => expect(server.received()).toContain('\r\n\r\n'))
    abort.abort(new Error('not wanted'))
    const { fault, durationMs } = await fetching
    expect(fault).toEqual(new Error('not wanted'))
    expect(durationMs).toBeLessThan(LATE_MAX_MS)
    await waitFor(() => expect(server.connections[0]?.destroyed).toBe(true))
  })
})
