/** `readJson` behind a server of its own, since the routes that use it each have their own schema. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Router from '@koa/router'
import { createLogger } from '@platen/runtime/log.ts'
import { createApi } from '@platen/test/harness/api.ts'
import Koa from 'koa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import type { RequestState } from '../context.ts'
import { answerErrors } from '../middleware/answer-errors.ts'
import { closeUnreadBody } from '../middleware/close-unread-body.ts'
import { nameRequest } from '../middleware/request-id.ts'
import { readJson } from '../request/read-json.ts'
import { cutAnywhere, random } from './cuts.ts'
import { expectError } from './expect-error.ts'

const SCHEMA = z.strictObject({ name: z.string().max(70_000).optional(), sizes: z.unknown().optional() })

/** Answers every POST with what it read. */
async function startEcho() {
  const app = new Koa<RequestState>()
  app.silent = true
  const router = new Router<RequestState>()
  router.post('/', async (ctx) => {
    ctx.body = { read: await readJson(ctx, SCHEMA) }
  })
  app.use(closeUnreadBody(new AbortController().signal)).use(nameRequest)
  app.use(answerErrors({ log: createLogger('test'), upgradeUrl: 'https://print.example/billing' })).use(router.routes())
  const server = createServer(app.callback()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const api = createApi(`http://127.0.0.1:${port}`, '', { documented: false })
  return { port, post: (body: unknown, headers?: Record<string, string>) => api.post('/', body, headers) }
}

/** `{"name":"aaa…"}` of so many bytes. */
const bodyOf = (bytes: number) => JSON.stringify({ name: 'a'.repeat(bytes - '{"name":""}'.length) })

test('a body is parsed by its schema, in whatever pieces it comes', async () => {
  const { port, post } = await startEcho()
  expect((await post({ name: 'a' })).body).toEqual({ read: { name: 'a' } })
  const next = random(1)
  const body = Buffer.from(' {\n"n\\u0061me" : "\\u00e4🖨 é\\"" , "sizes":[{"a":{"b":1}}, 1e2]} ')
  for (let round = 0; round < 20; round++) {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    const answered = once(socket, 'data')
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    for (const piece of cutAnywhere(body, next)) await new Promise((resolve) => socket.write(piece, resolve))
    expect(String(await answered)).toContain('{"read":{"name":"ä🖨 é\\"","sizes":[{"a":{"b":1}},100]}}')
    socket.destroy()
  }
})

describe('limits', () => {
  test('65,536 bytes pass, 65,537 are a 413', async () => {
    const { post } = await startEcho()
    expect((await post(bodyOf(65_536))).status).toBe(200)
    expectError(await post(bodyOf(65_537)), 413, 'content_too_large')
  })

  test('a length that is too large is refused before anything of the body was sent', async () => {
    const { port } = await startEcho()
    const socket = connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 65537\r\n\r\n')
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  test('a body without an announced length is refused as soon as it is too large', async () => {
    const { port } = await startEcho()
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n' +
        `10001\r\n${' '.repeat(65_537)}\r\n`,
    )
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  test('8 levels pass, 9 do not', async () => {
    const { post } = await startEcho()
    const nested = (levels: number) => `{"sizes":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect((await post(nested(8))).status).toBe(200)
    expectError(await post(nested(9)), 400, 'invalid_request', /8 levels/)
  })

  test('64 members of an object pass, 65 do not', async () => {
    const { post } = await startEcho()
    const sizes = (count: number) => ({
      sizes: Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 1])),
    })
    expect((await post(sizes(64))).status).toBe(200)
    expectError(await post(sizes(65)), 400, 'invalid_request', /64 members/)
  })
})

describe('refused', () => {
  test.each([
    ['nothing', '', /not valid JSON/],
    ['half a body', '{"name":', /not valid JSON/],
    ['two bodies', '{} {}', /not valid JSON/],
    ['a comment', '{/* */}', /not valid JSON/],
    ['a key twice', '{"name":"a","n\\u0061me":"b"}', /`name` stands twice/],
    ['a key twice, deeper', '{"sizes":[{"a":1,"a":2}]}', /`a` stands twice/],
    ['__proto__', '{"__proto__":{"name":"a"}}', /not valid JSON/],
    ['__proto__, deeper and escaped', '{"sizes":[{"__proto\\u005f_":1}]}', /not valid JSON/],
    ['constructor.prototype', '{"sizes":{"constructor":{"prototype":{}}}}', /not valid JSON/],
    ['an unknown field', '{"colour":1}', /`colour`: not known here/],
    ['another type of body', '[]', /expected object/],
  ])('%s', async (_, body, message) => {
    const { post } = await startEcho()
    expectError(await post(body), 400, 'invalid_request', message)
  })

  test('bytes that are no UTF-8', async () => {
    const { port } = await startEcho()
    const socket = connect(port, '127.0.0.1')
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n'
    socket.write(Buffer.from(`${head}{"name":"\xff"}`, 'latin1'))
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 400 /)
    socket.destroy()
  })

  test.each<Record<string, string>>([
    { 'content-type': '' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-encoding': 'gzip' },
  ])('%j is a 415', async (headers) => {
    const { post } = await startEcho()
    expectError(await post('{}', headers), 415, 'unsupported_media_type')
  })
})
