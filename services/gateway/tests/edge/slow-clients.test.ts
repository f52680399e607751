/** Clients that hold connections: real sockets against a gateway whose limits are made short. */
import { once } from 'node:events'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { encodeMessage } from '@platen/ipp/encode.ts'
import { OPERATIONS } from '@platen/ipp/operations.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpLimits } from '../../http-server.ts'
import { base64, jsonHead, newPrinting } from '../client.ts'
import { newIppPrinting } from '../ipp-client.ts'
import { startRunningGateway } from './start-gateway.ts'

const LONG_MS = 60_000
const TIMEOUT = /^HTTP\/1.1 408 [\s\S]*\r\nConnection: close\r\n[\s\S]*"request_timeout"/i

async function startShort(limits: Partial<HttpLimits>) {
  const { port, url } = await startRunningGateway({ httpLimits: { connectionsCheckingInterval: 20, ...limits } })
  const printing = await newPrinting('live', url)
  const open = () => openSocket({ port, host: '127.0.0.1' })
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${printing.key}\r\n`
  return { ...printing, open, get }
}

function openSocket(address: NetConnectOpts): Socket {
  const socket = connect(address).setNoDelay()
  socket.on('error', () => socket.destroy())
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends these pieces, the last one again and again, until the connection is closed. @returns all that came back. */
async function drip(socket: Socket, ...pieces: string[]): Promise<string> {
  const closed = closing(socket)
  const all = received(socket)
  for (let sent = 0; socket.writable; sent++) {
    socket.write(pieces[Math.min(sent, pieces.length - 1)] ?? '')
    await realWait('a slow client')
  }
  await closed
  return all()
}

/** A reset is an end as well. */
const closing = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

function received(socket: Socket): () => string {
  let all = ''
  socket.on('data', (chunk) => {
    all += chunk
  })
  return () => all
}

async function expectTimeout(socket: Socket, bytes: string, message = ''): Promise<void> {
  const all = received(socket)
  socket.write(bytes)
  await closing(socket)
  expect(all()).toMatch(TIMEOUT)
  expect(all()).toContain(message)
}

test('headers that come byte by byte are a 408, and a connection that sends nothing is closed', async () => {
  proves('envelope.malformed-http')
  const { open } = await startShort({ headersTimeout: 200, requestTimeout: 300 })
  await closing(open().resume())
  expect(await drip(open(), 'A: b\r\n')).toMatch(/^HTTP\/1.1 4(00|08) /)
  expect(await drip(open(), 'GET /v1/whoami HTTP/1.1\r\n', 'A: b\r\n')).toMatch(TIMEOUT)
})

test('a body that stops coming is a 408, and nothing of it stays in the store', async () => {
  proves('error.408.request_timeout', 'envelope.body-length')
  const { open, key, job, get, jobIds, expectFilesOfJobs } = await startShort({ bodyPauseMs: 200 })
  const body = JSON.stringify(job({ content: 'JVBERi0x'.repeat(100_000) }))
  const form = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--x--\r\n'
  const toForm = (path: string) =>
    `POST ${get(path).slice('GET '.length)}Content-Type: multipart/form-data; boundary=x\r\n`
  await Promise.all([
    expectTimeout(
      open(),
      jsonHead(key, body.length) + body.slice(0, -10),
      `Only ${body.length - 10} of the ${body.length} bytes that \`Content-Length\` announces arrived`,
    ),
    expectTimeout(open(), `${get('/v1/whoami')}Content-Length: 10\r\n\r\n{`),
    expectTimeout(
      open(),
      `${toForm('/v1/printjobs')}Content-Length: ${form.length + 9}\r\n\r\n${form}`,
      `Only ${form.length} of the ${form.length + 9} bytes that \`Content-Length\` announces arrived`,
    ),
  ])
  expect([await expectFilesOfJobs(), await jobIds()]).toEqual([0, []])
})

test('a body that ends before its `Content-Length` is a 400 that names the header', async () => {
  proves('envelope.body-length')
  const { open, key, job, jobIds } = await startShort({})
  const body = JSON.stringify(job())
  const socket = open()
  const all = received(socket)
  socket.end(jsonHead(key, body.length + 1) + body)
  await closing(socket)
  expect(all()).toMatch(/^HTTP\/1.1 400 [\s\S]*fewer bytes than its `Content-Length` announces/)
  expect(await jobIds()).toEqual([])
})

test('a body that comes byte by byte, or gets on a little but takes too long, is a 408', async () => {
  const paused = await startShort({ bodyPauseMs: 300 })
  const { open, key } = await startShort({ bodyPauseMs: LONG_MS, bodyTotalMs: 400 })
  const pieces = [`${jsonHead(key, 30_000_000)}{"content":"`, 'JVBERi0x'.repeat(250)]
  const answers = [drip(paused.open(), jsonHead(paused.key, 20_000), ' '), drip(open(), ...pieces)]
  for (const answer of await Promise.all(answers)) expect(answer).toMatch(TIMEOUT)
})

test('a slow body that is within the limits is accepted', async () => {
  // Longer in all than the time that each KiB may take.
  const { open, key, job } = await startShort({ bodyPauseMs: 1_000, bodyTotalMs: LONG_MS })
  const body = JSON.stringify(job({ content: base64(makePdf('x'.repeat(12_000))) }))
  const socket = open()
  const answered = once(socket, 'data')
  socket.write(jsonHead(key, body.length))
  for (const part of body.match(/.{1,100}/g) ?? []) {
    socket.write(part)
    await realWait('a slow client')
  }
  expect(String(await answered)).toMatch(/^HTTP\/1.1 201 /)
})

test('a document of a computer that pauses for longer is accepted, and the same without a secret is not', async () => {
  proves('ipp.documents.slow')
  const { port, url } = await startRunningGateway({
    ...{ httpLimits: { connectionsCheckingInterval: 20, bodyPauseMs: 200 }, ipp: true },
  })
  const { printer, secret } = await newIppPrinting()
  const attributes = {
    'attributes-charset': { syntax: 'charset', value: 'utf-8' },
    'attributes-natural-language': { syntax: 'naturalLanguage', value: 'en' },
    'printer-uri': { syntax: 'uri', value: `${url}/ipp/print/${printer.number}` },
  } as const
  const groups = [{ tag: GROUPS.operation, attributes }]
  const request = encodeMessage({ version: [2, 0], code: OPERATIONS['Print-Job'], requestId: 1, groups })
  const document = makePdf('Hello')
  const begin = (path: string) => {
    const socket = openSocket({ port, host: '127.0.0.1' })
    const length = request.length + document.length
    const head = `POST /ipp/print/${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/ipp\r\nContent-Length: ${length}\r\n\r\n`
    return { socket, head: Buffer.concat([Buffer.from(head), request]) }
  }
  const known = begin(`${printer.number}/${secret}`)
  const answered = once(known.socket, 'data')
  known.socket.write(known.head)
  // The other one begins later, and has ended before the first one goes on.
  const unknown = begin(printer.id)
  const all = received(unknown.socket)
  unknown.socket.write(unknown.head.subarray(0, -1))
  await closing(unknown.socket)
  expect(all()).toMatch(/^HTTP\/1.1 408 /)
  known.socket.write(document)
  expect(String(await answered)).toMatch(/^HTTP\/1.1 200 /)
})

test('a client that does not take its answer is cut off, and others are served meanwhile', async () => {
  const { open, api, get } = await startShort({ answerMs: 300 })
  const reader = open().pause()
  const closed = closing(reader)
  const cutOff = waitFor(() => {
    // More and more answers, until the buffers of both ends are full.
    if (reader.writableLength === 0) reader.write(`${get('/v1/openapi.json')}\r\n`.repeat(10))
    expect(reader.destroyed).toBe(true)
  }, 40_000)
  for (let n = 0; n < 10; n++) expect((await api.get('/v1/whoami')).status).toBe(200)
  await Promise.all([cutOff, closed])
})

test('a client that waits for events longer than slow clients may is not cut off, and the call behind it has the time that it needs', async () => {
  const short = { headersTimeout: 100, bodyPauseMs: 100, bodyTotalMs: 100, answerMs: 100 }
  const { open, api, url, key, world } = await startShort(short)
  const { nextCursor } = (await api.get('/v1/events?after=now')).body
  let waits = 0
  world.intercept(EventsService.method.listEvents, (request, next) => {
    waits++
    return next(request)
  })
  const leaving = new AbortController()
  const init = { headers: { authorization: `Bearer ${key}` }, signal: leaving.signal }
  const over = fetch(`${url}/v1/events?wait=30&after=${nextCursor}`, init).then(
    () => 'answered',
    () => 'left',
  )
  await waitFor(() => expect(waits).toBe(1))
  // One that came later, and sends its request too slowly.
  const slow = open().resume()
  slow.write('GET /healthz HTTP/1.1\r\nHost: platen.test\r\n')
  await closing(slow)
  leaving.abort()
  expect(await over).toBe('left')
})

test('a connection above the limit is closed, and the others continue', async () => {
  proves('connections.max')
  const { open, get } = await startShort({ maxConnections: 2 })
  const [first, second] = [open(), open()]
  await Promise.all([first, second].map((socket) => once(socket, 'connect')))
  await closing(open())
  second.destroy()
  for (const socket of [first, await waitForConnection(open)]) {
    socket.write(`${get('/healthz')}\r\n`)
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200/)
  }
})

test('a connection of an address above its limit is closed, and other addresses are served', async () => {
  proves('connections.address')
  const { port } = await startRunningGateway({ connectionsPerAddress: 2 })
  const open = (localAddress: string) => openSocket({ port, host: '127.0.0.1', localAddress })
  const accepted = [open('127.0.0.1'), open('127.0.0.1')]
  await Promise.all(accepted.map((socket) => once(socket, 'connect')))
  await closing(open('127.0.0.1').resume())
  for (const socket of [...accepted, open('127.0.0.2')]) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200/)
  }
})

/** @returns a connection that the gateway accepts, which it does once it has noticed the end of an earlier one. */
async function waitForConnection(open: () => Socket): Promise<Socket> {
  return await waitFor(async () => {
    const socket = open()
    socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n')
    const [answer] = await Promise.race([once(socket, 'data'), closing(socket).then(() => [''])])
    expect(String(answer)).toMatch(/200/)
    return socket
  })
}
