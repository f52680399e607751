/** How an upload that does not go to its end leaves the connection, and what clients see of it. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'

const MEGABYTE = 1024 * 1024

const head = (key: string, contentLength: number, ...headers: string[]) =>
  [
    'POST /v1/printjobs HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${contentLength}`,
    ...headers,
    '',
    '',
  ].join('\r\n')

test('a length that cannot fit is refused before anything of the body was sent', async () => {
  const { port, key } = await startTestGateway()
  const socket = connect(port, '127.0.0.1')
  socket.write(head(key, 36 * MEGABYTE + 1))
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 [\s\S]*\r\nConnection: close\r\n[\s\S]*"content_too_large"/)
  socket.destroy()
})

test('a client that waits for 100 Continue does not send the body of a request that is refused', async () => {
  const { port, key } = await startTestGateway()
  const refused = connect(port, '127.0.0.1')
  refused.write(head(`${key}0`, 1000, 'Expect: 100-continue'))
  const [answer] = await once(refused, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /)
  refused.destroy()

  const accepted = connect(port, '127.0.0.1')
  const body = JSON.stringify(printJob())
  accepted.write(head(key, body.length, 'Expect: 100-continue'))
  const [continued] = await once(accepted, 'data')
  expect(String(continued)).toMatch(/^HTTP\/1.1 100 Continue/)
  accepted.write(body)
  const [created] = await once(accepted, 'data')
  expect(String(created)).toMatch(/^HTTP\/1.1 201 /)
  accepted.destroy()
})

test('fetch reads the answer to an upload that is refused while it is being sent', async () => {
  const { api } = await startTestGateway()
  const body = JSON.stringify(printJob({ content: '*'.repeat(30 * MEGABYTE) }))
  for (let round = 0; round < 5; round++) {
    const refused = await api.post('/v1/printjobs', body, { authorization: 'Bearer nobody' })
    expectError(refused, 401, 'unauthorized')
    expect(refused.headers.get('connection')).toBe('close')
    expectError(await api.post('/v1/printjobs', body), 422, 'invalid_content')
  }
})

test('a client that sends all before it reads gets the answer when little is left', async () => {
  const { port, key } = await startTestGateway()
  const socket = connect(port, '127.0.0.1').pause()
  socket.write(head(`${key}0`, 2 * MEGABYTE))
  await new Promise<void>((resolve, reject) => {
    socket.write(Buffer.alloc(2 * MEGABYTE, ' '), (error) => (error ? reject(error) : resolve()))
  })
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(/^HTTP\/1.1 401 [\s\S]*"unauthorized"/)
})

test('a client that goes away in the middle leaves nothing in the store', async () => {
  const { port, key, services } = await startTestGateway()
  const socket = connect(port, '127.0.0.1')
  const content = JSON.stringify(printJob({ content: 'JVBERi0x'.repeat(100_000) }))
  socket.write(head(key, 2 * content.length) + content.slice(0, -10))
  await waitFor(async () => expect(await services.storedFiles()).toHaveLength(1))
  socket.destroy()
  await waitFor(async () => expect(await services.storedFiles()).toEqual([]))
  expect(services.createdJobs).toEqual([])
})

test('a connection serves on after an upload', async () => {
  const { port, key } = await startTestGateway()
  const socket = connect(port, '127.0.0.1')
  const body = JSON.stringify(printJob())
  for (let round = 0; round < 3; round++) {
    socket.write(head(key, body.length) + body)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 201 /)
  }
  socket.destroy()
})

test('stopping lets an upload finish, closes idle connections, and takes no new ones', async () => {
  const { port, key, gateway } = await startTestGateway()
  const idle = connect(port, '127.0.0.1')
  const body = JSON.stringify(printJob())
  const upload = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/v1/printjobs',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length },
  })
  upload.write(body.slice(0, 20))
  await once(idle, 'connect')
  // The server has the upload once it has answered a request that was sent after it.
  await fetch(`http://127.0.0.1:${port}/healthz`)

  const idleClosed = once(idle, 'close')
  const stopped = gateway.stop()
  await idleClosed
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
  const answered = once(upload, 'response')
  upload.end(body.slice(20))
  const [response] = await answered
  expect([response.statusCode, response.headers.connection]).toEqual([201, 'close'])
  await stopped
})
