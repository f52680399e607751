/** `readJson` with a stream of bytes. `content-scanner.test.ts` tests which JSON is accepted. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { random } from '@platen/test/harness/random.ts'
import { proves } from '@platen/test/harness/rules.ts'
import Koa from 'koa'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import { readJson } from '../../request/read-json.ts'
import { cutAnywhere } from './cuts.ts'

const SCHEMA = z.strictObject({ name: z.string().max(70_000).optional(), sizes: z.unknown().optional() })
const JSON_TYPE = { 'content-type': 'application/json' }

/** @param pieces of a body; null after the last piece of a complete one. */
function read(pieces: (Buffer | null)[], headers: IncomingHttpHeaders): Promise<unknown> {
  const request = Object.assign(new Readable({ read: () => undefined }), { headers }) as unknown as IncomingMessage
  for (const piece of pieces) request.push(piece)
  const context = new Koa().createContext(request, {} as ServerResponse)
  return readJson(context as unknown as RequestContext, SCHEMA)
}

function readText(text: string | Buffer, headers: IncomingHttpHeaders = {}) {
  const body = Buffer.from(text)
  return read([body, null], { ...JSON_TYPE, 'content-length': `${body.length || 1}`, ...headers })
}

const refusal = (code: string, message = /\w/) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

test('a body is parsed by its schema, in whatever pieces it comes', async () => {
  const next = random(1)
  const body = Buffer.from(' {\n"n\\u0061me" : "\\u00e4🖨 é\\"" , "sizes":[{"a":{"b":1}}, 1e2]} ')
  for (let round = 0; round < 200; round++)
    expect(await read([...cutAnywhere(body, next), null], { ...JSON_TYPE, 'transfer-encoding': 'chunked' })).toEqual({
      name: 'ä🖨 é"',
      sizes: [{ a: { b: 1 } }, 100],
    })
})

test('65,536 bytes pass, 65,537 are `content_too_large`', async () => {
  proves('convention.body-limit')
  const createBody = (bytes: number) => JSON.stringify({ name: 'a'.repeat(bytes - '{"name":""}'.length) })
  expect(await readText(createBody(65_536))).toHaveProperty('name')
  await expect(readText(createBody(65_537))).rejects.toThrow(refusal('content_too_large'))
})

test('a length that is too large is refused before any of the body came, else a body as soon as it is', async () => {
  await expect(read([], { ...JSON_TYPE, 'content-length': '65537' })).rejects.toThrow(refusal('content_too_large'))
  const pieces = [Buffer.alloc(65_536, ' '), Buffer.from(' ')]
  const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
  await expect(read(pieces, headers)).rejects.toThrow(refusal('content_too_large'))
})

const nested = (levels: number) => `{"sizes":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const members = (count: number) => `{"sizes":{${Array.from({ length: count }, (_, n) => `"m${n}":1`)}}}`

test.each([nested(8), members(64)])('%.20s… is taken', async (body) => {
  expect(await readText(body)).toHaveProperty('sizes')
})

test.each<[string, string | Buffer, RegExp]>([
  ['9 levels', nested(9), /8 levels/],
  ['65 members', members(65), /64 members/],
  ['half a body', '{"name":', /^The body is not valid JSON at byte offset 8\.$/],
  ['a key twice', '{"name":"a","n\\u0061me":"b"}', /`name` was sent twice/],
  ['__proto__, deeper and escaped', '{"sizes":[{"__proto\\u005f_":1}]}', /`__proto__`/],
  ['an unknown field', '{"colour":1}', /Unknown field `colour`/],
  ['bytes that are no UTF-8', Buffer.from('{"name":"\xff"}', 'latin1'), /UTF-8/],
])('%s: refused', async (_, body, message) => {
  proves('error.400.bad-json')
  await expect(readText(body)).rejects.toThrow(refusal('invalid_request', message))
})

test.each<[IncomingHttpHeaders, RegExp]>([
  [{ 'content-type': '' }, /application\/json/],
  [{ 'content-type': 'text/plain' }, /application\/json/],
  [{ 'content-type': 'application/jsonp' }, /application\/json/],
  [{ 'content-type': 'application/json; charset=latin1' }, /in UTF-8 instead of `latin1`/],
  [{ 'content-type': 'application/json; charset=utf-8; charset="utf16" ; a=b' }, /in UTF-8 instead of `"utf16"`/],
  [{ 'content-type': 'application/json; charset=utf-88' }, /in UTF-8 instead of `utf-88`/],
  [{ 'content-encoding': 'gzip' }, /Content-Encoding/],
])('%j: refused with `unsupported_media_type`', async (headers, message) => {
  proves('convention.wrong-content-type')
  await expect(readText('{}', headers)).rejects.toThrow(refusal('unsupported_media_type', message))
})

test.each<IncomingHttpHeaders>([
  { 'content-type': 'Application/JSON; Charset="UTF-8"' },
  { 'content-type': 'application/json;charset=utf8' },
  { 'content-type': 'application/json; charset=UTF8 ; a=b' },
  { 'content-type': 'application/json; charset="utf8"' },
  { 'content-type': "application/json; charset='utf-8'" },
  { 'content-encoding': 'identity' },
])('%j: taken', async (headers) => {
  expect(await readText('{}', headers)).toEqual({})
})
