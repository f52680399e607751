/** The connection after an upload that is not read to its end. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { createApi } from '@platen/test/harness/api.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { base64, expectError, jsonHead, listFiles, MEGABYTE, newPrinting } from '../client.ts'
import { startRunningGateway } from './start-gateway.ts'

/** A socket to a gateway of the test's own. */
async function start() {
  const { service, port, url } = await startRunningGateway()
  const printing = await newPrinting('live', url)
  return { ...printing, service, port, socket: connect(port, '127.0.0.1') }
}

test('fetch reads the answer to an upload that is refused while it is being sent', async () => {
  const { url, job } = await start()
  const body = JSON.stringify(job({ content: '*'.repeat(30 * MEGABYTE) }))
  for (let round = 0; round < 3; round++) {
    const refused = await createApi(url, 'wrong').post('/v1/printjobs', body)
    expectError(refused, 401, 'unauthorized')
    expect(refused.headers.get('connection')).toBe('close')
  }
})

test('a client that sends all before it reads gets the answer when little is left', async () => {
  const { socket, key } = await start()
  socket.pause()
  socket.write(jsonHead(`${key}0`, 2 * MEGABYTE))
  await new Promise<void>((resolve, reject) => {
    socket.write(Buffer.alloc(2 * MEGABYTE, ' '), (error) => (error ? reject(error) : resolve()))
  })
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(/^HTTP\/1.1 401 [\s\S]*"unauthorized"/)
})

test('a client that neither ends nor continues a refused upload is disconnected', async () => {
  const { socket, key } = await start()
  socket.write(jsonHead(`${key}0`, MEGABYTE))
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(/^HTTP\/1.1 401 [\s\S]*\r\nConnection: close\r\n/)
})

test('a client that goes away in the middle leaves nothing in the store', async () => {
  const { socket, key, job, world, jobIds, expectFilesOfJobs } = await start()
  const content = JSON.stringify(job({ content: base64('%PDF-'.repeat(200_000)) }))
  const { length: before } = await listFiles(world)
  socket.write(jsonHead(key, 2 * content.length) + content.slice(0, -10))
  await waitFor(async () => expect(await listFiles(world)).toHaveLength(before + 1))
  socket.destroy()
  expect([await expectFilesOfJobs(), await jobIds()]).toEqual([0, []])
})

test.each([
  ['a chunk without a size', 'Transfer-Encoding: chunked', 'zz\r\n'],
  ['a body that ends before its length', 'Content-Length: 100', '{'],
])('%s is a 400 that closes the connection', async (_, framing, body) => {
  const { socket, key } = await start()
  const head = `POST /v1/printjobs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
  socket.end(`${head}\r\n${framing}\r\n\r\n${body}`)
  let answer = ''
  for await (const chunk of socket) answer += chunk
  expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*\r\nConnection: close\r\n[\s\S]*"invalid_request"/)
})

test('a connection serves on after an upload', async () => {
  const { socket, key, job } = await start()
  const body = JSON.stringify(job())
  for (let round = 0; round < 3; round++) {
    socket.write(jsonHead(key, body.length) + body)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 201 /)
  }
  socket.destroy()
})

test('stopping lets an upload finish, closes idle connections, and takes no new ones', async () => {
  const { socket: idle, port, url, key, job, service } = await start()
  const body = JSON.stringify(job())
  const upload = connect(port, '127.0.0.1')
  upload.write(jsonHead(key, body.length) + body.slice(0, 20))
  // The server has the upload once it has answered a request that was sent after it.
  await fetch(`${url}/healthz`)

  const idleClosed = once(idle, 'close')
  const stopped = service.stop()
  await idleClosed
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  const answered = once(upload, 'data')
  upload.write(body.slice(20))
  expect(String(await answered)).toMatch(/^HTTP\/1.1 201 [\s\S]*\r\nConnection: close\r\n/)
  await stopped
})
