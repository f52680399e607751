import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { decodeMessage } from '@platen/ipp/decode.ts'
import { IppDecodingError } from '@platen/ipp/decoding-error.ts'
import { encodeMessage } from '@platen/ipp/encode.ts'
import { STATUS_CODES } from '@platen/ipp/status-codes.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../test/harness/free-port.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { type IppClientOptions, openIppClient } from '../../ipp/client.ts'
import { IppConnectionError, IppError } from '../../ipp/ipp-error.ts'

const OK = encodeAnswer('successful-ok')

test('a request contains charset, language and target first, then its attributes, and reuses the connection', async () => {
  const { url, requests } = await startServer()
  const uri = `${url.replace('http:', 'ipp:')}/ipp/print`
  const client = openClient({ url: uri })
  await client.request({ operation: 'Get-Printer-Attributes' })
  const job = { syntax: 'uri', value: 'ipp://localhost/jobs/7' } as const
  const name = { syntax: 'nameWithoutLanguage', value: 'Größe' } as const
  const jobAttributes = { copies: { syntax: 'integer', value: 2 } } as const
  await client.request({ operation: 'Create-Job', attributes: { 'job-name': name, 'job-uri': job }, jobAttributes })
  const [first, second] = requests.map(({ body }) => decodeMessage(body))
  const start = { 'attributes-charset': ['utf-8'], 'attributes-natural-language': ['en'] }
  expect(first).toMatchObject({ version: [2, 0], code: 0x000b, requestId: 1 })
  // Compared as text, because the order is significant.
  expect(JSON.stringify(first?.groups[0]?.attributes)).toBe(JSON.stringify({ ...start, 'printer-uri': [uri] }))
  const expected = { ...start, 'job-uri': ['ipp://localhost/jobs/7'], 'job-name': ['Größe'] }
  expect(JSON.stringify(second?.groups[0]?.attributes)).toBe(JSON.stringify(expected))
  expect(second?.groups[1]).toEqual({ tag: GROUPS.job, attributes: { copies: [2] } })
  expect(requests.map(({ path }) => path)).toEqual(['/ipp/print', '/jobs/7'])
  expect(new Set(requests.map(({ remotePort }) => remotePort)).size).toBe(1)
})

test('an error response is an IppError with its status and message', async () => {
  const message = 'Destination "Till" is not accepting jobs.'
  const { url } = await startServer(encodeAnswer('server-error-not-accepting-jobs', message))
  const refused = openClient({ url }).request({ operation: 'Create-Job' })
  await expect(refused).rejects.toThrow(IppError)
  await expect(refused).rejects.toMatchObject({
    status: 'server-error-not-accepting-jobs',
    message: expect.stringContaining(message),
  })
})

test.each<[string, (response: ServerResponse) => unknown]>([
  ['names the version', (response) => respond(response, encodeAnswer('server-error-version-not-supported'))],
  ['calls the request invalid', (response) => respond(response, encodeAnswer('client-error-bad-request'))],
  ['answers with HTTP status 400', (response) => response.writeHead(400).end()],
])('a server without IPP 2.0 that %s receives only IPP 1.1 after its first response', async (_, refuse) => {
  const { url, requests } = await startServer((_request, response, body) =>
    body[0] === 1 ? respond(response, OK) : refuse(response),
  )
  const client = openClient({ url })
  for (let n = 0; n < 2; n++) await client.request({ operation: 'Get-Jobs' })
  expect(requests.map(({ body }) => body.readUInt16BE())).toEqual([0x0200, 0x0101, 0x0101])
})

test('a server that has accepted IPP 2.0 or refuses IPP 1.1 as well keeps receiving IPP 2.0', async () => {
  let isRefusing = true
  const { url, requests } = await startServer((_request, response) =>
    respond(response, isRefusing ? encodeAnswer('client-error-bad-request') : OK),
  )
  const client = openClient({ url })
  const send = () => client.request({ operation: 'Get-Jobs' })
  await expect(send()).rejects.toMatchObject({ status: 'client-error-bad-request' })
  isRefusing = false
  await send()
  isRefusing = true
  await expect(send()).rejects.toMatchObject({ status: 'client-error-bad-request' })
  expect(requests.map(({ body }) => body.readUInt16BE())).toEqual([0x0200, 0x0101, 0x0200, 0x0200])
})

test('a document is sent unchanged after its request, with its length if it is known, otherwise in chunks', async () => {
  const { url, requests } = await startServer()
  const client = openClient({ url })
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
  async function* document() {
    for (let offset = 0; offset < bytes.length; offset += 4_096) yield bytes.subarray(offset, offset + 4_096)
  }
  await client.request({ operation: 'Send-Document', document: document(), documentLength: bytes.length })
  await client.request({ operation: 'Send-Document', document: document() })
  for (const { body } of requests) expect(body.subarray(-bytes.length).equals(bytes)).toBe(true)
  expect(requests.map(({ headers }) => headers['content-length'] ?? headers['transfer-encoding'])).toEqual([
    String(requests[0]?.body.length),
    'chunked',
  ])
})

test('a response before the end of the document is read, and the document is closed', async () => {
  const { url } = await startServer(encodeAnswer('client-error-document-format-not-supported'), { readsBody: false })
  let isClosed = false
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(65_536)
    } finally {
      isClosed = true
    }
  }
  const refused = openClient({ url }).request({ operation: 'Print-Job', document: endless() })
  await expect(refused).rejects.toMatchObject({ status: 'client-error-document-format-not-supported' })
  await waitFor(() => expect(isClosed).toBe(true))
})

test('a document that cannot be read is an error, and a document that is not sent is closed', async () => {
  const { url } = await startServer()
  const send = (document: AsyncIterable<Buffer>, to = url, signal?: AbortSignal) =>
    openClient({ url: to }).request({ operation: 'Print-Job', document, signal })
  async function* broken() {
    yield Buffer.from('%PDF')
    throw new Error('reading failed')
  }
  await expect(send(broken())).rejects.toThrow('reading failed')
  await expect(send(createReadStream('/nowhere/document'))).rejects.toThrow('ENOENT')
  const existing = createReadStream(import.meta.filename)
  await expect(send(existing, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow('ECONNREFUSED')
  const aborted = createReadStream(import.meta.filename)
  await expect(send(aborted, url, AbortSignal.abort(new Error('the agent stops')))).rejects.toThrow('stops')
  expect([existing.destroyed, aborted.destroyed]).toEqual([true, true])
})

test.each([
  [400, { message: expect.stringContaining('answers, but not as a printer (HTTP status 400).') }],
  [401, { status: 'client-error-not-authenticated' }],
  [403, { status: 'client-error-forbidden' }],
  [426, { message: expect.stringContaining('ipps://') }],
  [500, { status: 'server-error-internal-error' }],
  [200, { name: IppDecodingError.name, message: expect.stringContaining('answers, but not as a printer.') }],
])('an HTTP response %d without IPP causes the error %j', async (status, error) => {
  const { url } = await startServer((_request, response) => response.writeHead(status).end('<html>'))
  await expect(openClient({ url }).request({ operation: 'Get-Jobs' })).rejects.toMatchObject(error)
})

test('a response of 16 MB is read, a response with one byte more is not', async () => {
  let length = 16 * 1024 * 1024
  const { url } = await startServer((_request, response) => respond(response, Buffer.concat([OK], length)))
  const client = openClient({ url })
  await expect(client.request({ operation: 'Get-Jobs' })).resolves.toMatchObject({ status: 'successful-ok' })
  length++
  await expect(client.request({ operation: 'Get-Jobs' })).rejects.toThrow('more than the maximum of 16777216 bytes')
})

test('an unreachable server causes the error of a connection that was never established', async () => {
  const refused = openClient({ url: `http://127.0.0.1:${await freePort()}` }).request({ operation: 'Print-Job' })
  await expect(refused).rejects.toMatchObject({ name: 'IppConnectionError', connected: false })
  await expect(refused).rejects.toThrow('cannot be reached (ECONNREFUSED)')
  const socketPath = '/nowhere/cups.sock'
  const noSocket = openClient({ url: 'http://localhost/', socketPath }).request({ operation: 'Get-Jobs' })
  await expect(noSocket).rejects.toThrow(/^CUPS cannot be reached \(ENOENT\)$/)
})

test('a request ends with a timeout if the server does not respond or accepts no data', async () => {
  const silent = createTcpServer((socket) => socket.on('error', () => socket.destroy()).pause())
  onTestFinished(() => void silent.close())
  const url = await listen(silent)
  // One deadline per request, because after a delay of this process either of two could have passed first.
  const unanswered = openClient({ url, deadlines: { answerMs: 50 } }).request({ operation: 'Get-Jobs' })
  await expect(unanswered).rejects.toMatchObject({ name: 'IppConnectionError', connected: true })
  await expect(unanswered).rejects.toThrow('has not responded for 0.05 s')
  async function* endless() {
    for (;;) yield Buffer.alloc(1_048_576)
  }
  const stalled = openClient({ url, deadlines: { idleMs: 80 } }).request({
    operation: 'Print-Job',
    document: endless(),
  })
  await expect(stalled).rejects.toThrow('has accepted no data for 0.08 s')
})

test('a request is aborted by its signal', async () => {
  const arrived = Promise.withResolvers<void>()
  const { url } = await startServer(() => arrived.resolve())
  const abort = new AbortController()
  const request = openClient({ url }).request({ operation: 'Get-Jobs', signal: abort.signal })
  await arrived.promise
  abort.abort(new Error('the agent stops'))
  await expect(request).rejects.toThrow('the agent stops')
})

test('queries are repeated after a reused connection was closed, other requests are not', async () => {
  const connections = new Set<unknown>()
  // Responds to the first request of a connection and resets it at the second.
  const { url, requests } = await startServer(({ socket }, response) => {
    if (connections.has(socket)) return void socket.resetAndDestroy()
    connections.add(socket)
    respond(response, OK)
  })
  const client = openClient({ url })
  await client.request({ operation: 'Get-Jobs' })
  await client.request({ operation: 'Get-Jobs' })
  expect([connections.size, requests.length]).toEqual([2, 3])
  await expect(client.request({ operation: 'Create-Job' })).rejects.toThrow(IppConnectionError)
  expect([connections.size, requests.length]).toEqual([2, 4])
})

function openClient(options: IppClientOptions) {
  const client = openIppClient(options)
  onTestFinished(() => client.close())
  return client
}

type Received = Pick<IncomingMessage, 'headers'> & { path?: string; remotePort?: number; body: Buffer }
type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => unknown

/** @param answer the response, or a function that is called with the complete request. */
async function startServer(answer: Buffer | Answer = OK, { readsBody = true } = {}) {
  const requests: Received[] = []
  const server = createServer(async (request, response) => {
    request.on('error', () => request.destroy())
    // Undefined if the client aborted the request.
    const body = readsBody ? await buffer(request).catch(() => undefined) : Buffer.alloc(0)
    if (!body) return
    const { url: path, headers, socket } = request
    requests.push({ path, headers, remotePort: socket.remotePort, body })
    if (Buffer.isBuffer(answer)) respond(response, answer)
    else answer(request, response, body)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: await listen(server), requests }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function respond(response: ServerResponse, bytes: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/ipp' }).end(bytes)
}

function encodeAnswer(status: keyof typeof STATUS_CODES, message?: string): Buffer {
  const attributes: IppTypedAttributes = { 'attributes-charset': { syntax: 'charset', value: 'utf-8' } }
  if (message) attributes['status-message'] = { syntax: 'textWithoutLanguage', value: message }
  const groups = [{ tag: GROUPS.operation, attributes }]
  return encodeMessage({ version: [2, 0], code: STATUS_CODES[status], requestId: 1, groups })
}
