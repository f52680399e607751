/** Clients that hold connections: real sockets against the real gateway, whose limits are made short. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpLimits } from '../http-server.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'

const LOOK_MS = 20
const LONG_MS = 60_000

async function startShort(limits: Partial<HttpLimits>) {
  const started = await startTestGateway({ httpLimits: { connectionsCheckingInterval: LOOK_MS, ...limits } })
  const open = () => {
    const socket = connect(started.port, '127.0.0.1').setNoDelay()
    socket.on('error', () => socket.destroy())
    onTestFinished(() => void socket.destroy())
    return socket
  }
  return { ...started, open }
}

const head = (key: string, contentLength: number) =>
  `POST /v1/printjobs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${contentLength}\r\n\r\n`

/** Sends these pieces one by one until the connection is closed. @returns all that came back. */
async function drip(socket: Socket, pieces: Iterable<string>, everyMs: number): Promise<string> {
  const all = received(socket)
  const closed = closing(socket)
  const left = pieces[Symbol.iterator]()
  for await (const _ of every(everyMs)) {
    const { value, done } = left.next()
    if (done || !socket.writable) break
    socket.write(value)
  }
  await closed
  return all()
}

/** Also when it ends by a reset. */
const closing = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

function received(socket: Socket): () => string {
  let all = ''
  socket.on('data', (chunk) => {
    all += chunk
  })
  return () => all
}

function* endless(pieces: Iterable<string>): Iterable<string> {
  for (;;) yield* pieces
}

const TIMEOUT = /^HTTP\/1.1 408 [\s\S]*\r\nConnection: close\r\n[\s\S]*"request_timeout"/i

test('headers that come byte by byte are a 408', async () => {
  const { open } = await startShort({ headersTimeout: 200 })
  expect(await drip(open(), endless('A: b\r\n'), 10)).toMatch(/^HTTP\/1.1 4(00|08) /)
  const slow = open()
  slow.write('GET /v1/whoami HTTP/1.1\r\n')
  expect(await drip(slow, endless('A: b\r\n'), 10)).toMatch(TIMEOUT)
})

test('a connection that never says anything is closed', async () => {
  const { open } = await startShort({ headersTimeout: 200, requestTimeout: 300 })
  await closing(open().resume())
})

test('a body that stops coming is a 408, and nothing of it stays in the store', async () => {
  const { open, key, services } = await startShort({ bodyPauseMs: 200 })
  const body = JSON.stringify(printJob({ content: 'JVBERi0x'.repeat(100_000) }))
  const socket = open()
  const all = received(socket)
  socket.write(head(key, body.length) + body.slice(0, -10))
  await closing(socket)
  expect(all()).toMatch(TIMEOUT)
  expect(await services.storedFiles()).toEqual([])
  expect(services.createdJobs).toEqual([])
})

test('a body that comes byte by byte is a 408', async () => {
  const { open, key } = await startShort({ bodyPauseMs: 300 })
  const socket = open()
  socket.write(head(key, 20_000))
  expect(await drip(socket, endless(' '), 10)).toMatch(TIMEOUT)
})

test('a body that always gets on a little is a 408 when all of it takes too long', async () => {
  const { open, key } = await startShort({ bodyPauseMs: LONG_MS, bodyTotalMs: 400 })
  const socket = open()
  socket.write(`${head(key, 30_000_000)}{"content":"`)
  expect(await drip(socket, endless(['JVBERi0x'.repeat(250)]), 10)).toMatch(TIMEOUT)
})

test('a body of a GET that stops coming is a 408', async () => {
  const { open, key } = await startShort({ bodyPauseMs: 200 })
  const socket = open()
  const all = received(socket)
  socket.write(`GET /v1/whoami HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Length: 10\r\n\r\n{`)
  await closing(socket)
  expect(all()).toMatch(TIMEOUT)
})

test('a slow body that is within the limits is accepted', async () => {
  const { open, key } = await startShort({ bodyPauseMs: 4_000, bodyTotalMs: LONG_MS })
  const body = JSON.stringify(printJob({ content: makePdf('x'.repeat(6_000)).toString('base64') }))
  const socket = open()
  const answered = once(socket, 'data')
  socket.write(head(key, body.length))
  // Longer in all than the time that each KiB may take.
  for (const part of body.match(/.{1,100}/g) ?? []) {
    socket.write(part)
    await sleep((5_000 * part.length) / body.length)
  }
  expect(String(await answered)).toMatch(/^HTTP\/1.1 201 /)
})

test('a client that does not take its answer is cut off, and others are served meanwhile', async () => {
  const { open, api, key } = await startShort({ answerMs: 300 })
  const reader = open().pause()
  const closed = closing(reader)
  const request = `GET /v1/printers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const cutOff = waitFor(() => {
    // More and more answers, until the buffers of both ends are full.
    if (reader.writableLength === 0) reader.write(request.repeat(100))
    expect(reader.destroyed).toBe(true)
  }, 40_000)
  for (let n = 0; n < 10; n++) expect((await api.get('/v1/whoami')).status).toBe(200)
  await Promise.all([cutOff, closed])
})

test('requests sent in one go are answered in their order', async () => {
  const { open, key } = await startShort({})
  const socket = open()
  const all = received(socket)
  const ids = Array.from({ length: 300 }, (_, n) => `r${n}`)
  for (const id of ids)
    socket.write(`GET /v1/whoami HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: ${id}\r\n\r\n`)
  await waitFor(() => {
    const answered = [...all().matchAll(/^X-Request-Id: (.*)\r$/gm)].map(([, id]) => id)
    expect(answered).toEqual(ids)
  })
})
