/** The rules of all requests. */
import { Health } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Answer, Api } from '@platen/test/harness/api.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import {
  addGateway,
  expectError,
  jsonHead,
  MEGABYTE,
  newPrinting,
  sendRaw,
  UNKNOWN_ID,
  unavailable,
} from '../client.ts'

const ANONYMOUS = { authorization: '' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CLOSE = 'Host: a\r\nConnection: close\r\n'

test('the request id is the one that the caller sent, and a new one where that could do harm', async () => {
  proves('request-id.error', 'request-id.success')
  const { api } = await newPrinting()
  for (const id of ['a', 'order_17.retry-2', 'x'.repeat(128)]) {
    const answer = await api.get('/v1/nowhere', { 'x-request-id': id })
    expectError(answer, 404, 'not_found')
    expect(answer.headers.get('x-request-id')).toBe(id)
  }
  for (const id of ['', 'x'.repeat(129), 'a b', 'a"b', 'ä', 'a,b'])
    expect((await api.get('/healthz', { 'x-request-id': id })).headers.get('x-request-id')).toMatch(UUID)
})

test('a path below /v1 that does not exist is a 401 without a key and a 404 with one', async () => {
  proves('convention.closed-by-default', 'convention.unknown-path')
  const { api } = await newPrinting()
  for (const path of ['/v1', '/v1/', '/v1/nowhere', '/v1/printjobs/x/y/z', '/v1/openapi.jsonx', '/v1/v1']) {
    expectError(await api.get(path, ANONYMOUS), 401, 'unauthorized')
    expectError(
      await api.get(path),
      404,
      'not_found',
      /^This path does not exist\. See `\/docs\/`, or `\/docs\/llms\.txt` for programs\.$/,
    )
  }
  for (const path of ['/nowhere', '/v10/printers', '/V1/printers', '/%76%31/printers', '//v1/printers'])
    expectError(await api.get(path, ANONYMOUS), 404, 'not_found')
})

test('a 404 names the path that differs only by slashes, case or `/v1`, if the method is one of it', async () => {
  proves('convention.similar-path')
  const { api } = await newPrinting()
  for (const [path, similar] of [
    ['/v1/printers/', '/v1/printers'],
    ['//v1/printers', '/v1/printers'],
    ['/v1//printers', '/v1/printers'],
    ['/v1/v1/printers', '/v1/printers'],
    ['/v1/v1/v1/whoami/', '/v1/whoami'],
    ['/usage', '/v1/usage'],
    ['/V1/Printers', '/v1/printers'],
    ['/healthz/', '/healthz'],
  ] as const)
    expectError(await api.get(path), 404, 'not_found', new RegExp(`exist; \`${similar}\` does`))
  expectError(await api.post('/v1/printers/', {}), 404, 'not_found', /^This path does not exist\. See/)
  expectError(await api.post('/enrollments', {}), 404, 'not_found', /`\/v1\/enrollments` does/)
})

test('another method is a 405 that lists the allowed methods', async () => {
  proves('convention.wrong-method', 'error.405.method_not_allowed')
  const { api } = await newPrinting()
  for (const [method, path, allowed] of [
    ...['DELETE', 'OPTIONS'].map((one) => [one, '/v1/printjobs', 'POST, HEAD, GET'] as const),
    ...['/v1/whoami', '/healthz', '/docs/openapi/', '/v1/openapi.json'].map(
      (one) => ['POST', one, 'HEAD, GET'] as const,
    ),
  ]) {
    const answer = await api.request(method, path)
    expectError(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe(allowed)
  }
})

test('a job that is deleted is a 405 that says how to cancel it', async () => {
  proves('print-job.cancel.delete')
  const { api } = await newPrinting()
  const path = `/v1/printjobs/${UNKNOWN_ID}`
  const message = `This path supports only HEAD, GET. Send \`POST ${path}/cancel\` to cancel it.`
  expect((await api.request('DELETE', path)).body.error).toMatchObject({ code: 'method_not_allowed', message })
  expect((await api.request('DELETE', '/v1/whoami')).body.error.message).toBe('This path supports only HEAD, GET.')
})

test('an unknown query parameter is a 400 that names it', async () => {
  proves('convention.unknown-parameter')
  const { api } = await newPrinting()
  for (const path of ['/v1/whoami', '/v1/printers', `/v1/printjobs/${UNKNOWN_ID}`, '/v1/openapi.json'])
    for (const name of ['colour', '__proto__'])
      expectError(
        await api.get(`${path}?${name}=1`),
        400,
        'invalid_request',
        new RegExp(`^Unknown parameter \`${name}\``),
      )
})

describe('every response has the envelope and the security headers:', () => {
  const get =
    (line: string, more = '') =>
    (key: string) =>
      `${line} HTTP/1.1\r\n${CLOSE}Authorization: Bearer ${key}\r\n${more}\r\n`
  const headers = (count: number) => `GET /healthz HTTP/1.1\r\n${CLOSE}${'A: b\r\n'.repeat(count - 2)}\r\n`
  const cookie = (bytes: number) => {
    const start = `GET /healthz HTTP/1.1\r\n${CLOSE}Cookie: `
    return `${start}${'a'.repeat(bytes - start.length - 4)}\r\n\r\n`
  }
  const url = (target: string) => `GET ${target} HTTP/1.1\r\n${CLOSE}\r\n`

  test.each<[string, number, string | ((key: string) => string)]>([
    ['a success', 200, get('GET /v1/whoami')],
    ['another content type', 415, get('POST /v1/printjobs', 'Content-Length: 0\r\n')],
    ['a wrong key', 401, get('GET /v1/whoami', 'Authorization: Bearer wrong\r\n')],
    ['another method', 405, get('PUT /v1/whoami')],
    [
      'a body of a GET of 64 KiB',
      200,
      (key) => get('GET /v1/whoami', 'Content-Length: 65536\r\n')(key) + ' '.repeat(65_536),
    ],
    ['a larger body of a GET', 413, get('GET /v1/whoami', 'Content-Length: 65537\r\n')],
    ['no request line', 400, 'nonsense\r\n\r\n'],
    ['a method that does not exist', 400, 'BREW /v1/whoami HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a request to a proxy', 400, 'CONNECT printer.test:631 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no host', 400, 'GET /v1/whoami HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 400, get('GET /v1/whoami', 'Host: b\r\n')],
    ['a URL without a path', 400, url('foo://a')],
    ['a URL that is none', 400, url('http://[::1/v1/whoami')],
    ['a URL with a broken user', 400, url('http://%zz@a/')],
    ['a path that fits 16 KiB', 404, url(`/${'a'.repeat(15_000)}`)],
    ['a path of more than 16 KiB', 431, url(`/${'a'.repeat(17_000)}`)],
    ['a target of 1 MiB', 431, url(`/${'a'.repeat(MEGABYTE)}`)],
    ['headers of nearly 16 KiB', 200, cookie(16_000)],
    ['headers of more than 16 KiB', 431, cookie(16_384 + 100)],
    ['100 headers', 200, headers(100)],
    ['101 headers', 431, headers(101)],
    ['a key behind 100 headers', 431, (key) => `${headers(102).slice(0, -2)}Authorization: Bearer ${key}\r\n\r\n`],
  ])('%s', async (_, status, request) => {
    proves('envelope.malformed-http', 'error.415.unsupported_media_type', 'convention.body-limit')
    const { port } = await addGateway({ hsts: 'max-age=600; includeSubDomains' })
    const { key } = await newPrinting()
    const answer = await sendRaw(port, typeof request === 'string' ? request : request(key))
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const lines = head.split('\r\n').slice(1)
    const fields = new Headers(lines.map((line) => line.split(': ') as [string, string]))
    expect(Object.fromEntries(fields)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=600; includeSubDomains',
      'x-request-id': expect.stringMatching(UUID),
      'content-type': 'application/json; charset=utf-8',
    })
    expect(fields.has('server') || fields.has('x-powered-by')).toBe(false)
    if (status >= 400)
      expect(JSON.parse(body)).toEqual({
        error: expect.objectContaining({
          code: expect.any(String),
          message: expect.any(String),
          doc_url: expect.stringMatching(/^\/docs\/reference\/errors#error\./),
          request_id: fields.get('x-request-id'),
        }),
      })
  })
})

const REPRINT = { printer: '1', title: 'Invoice', reprintOf: UNKNOWN_ID }

test.each<[string, string | undefined, (api: Api) => Promise<Answer>]>([
  ['a missing field', 'title', ({ post }) => post('/v1/printjobs', { ...REPRINT, title: undefined })],
  ['the first of several fields', 'source', ({ post }) => post('/v1/printjobs', { ...REPRINT, source: '', qty: 0 })],
  [
    'a field in a list',
    'customPapers[0].name',
    ({ patch }) => patch('/v1/printers/1', { customPapers: [{ width: 1, height: 1 }] }),
  ],
  ['an unknown field', 'colour', ({ post }) => post('/v1/printjobs', { ...REPRINT, colour: true })],
  ['a field that jobs refuses', 'reprintOf', ({ post }) => post('/v1/printjobs', REPRINT)],
  [
    'a field that webhooks refuses',
    'url',
    ({ post }) => post('/v1/webhooks', { url: 'https://user@a.test', events: ['printjob.done'] }),
  ],
  ['an unknown parameter', 'colour', ({ get }) => get('/v1/printers?colour=1')],
  ['a parameter out of range', 'limit', ({ get }) => get('/v1/printers?limit=0')],
  ['a cursor of another list', 'after', ({ get }) => get('/v1/printers?after=x')],
  ['a header', 'Idempotency-Key', ({ post }) => post('/v1/printjobs', REPRINT, { 'idempotency-key': '' })],
  ['a content type', 'Content-Type', ({ post }) => post('/v1/printjobs', 'x', { 'content-type': 'text/plain' })],
  ['no field for a rule about two', undefined, ({ post }) => post('/v1/printjobs', { ...REPRINT, printer: undefined })],
  ['no field of a body that is no JSON', undefined, ({ post }) => post('/v1/printjobs', '{')],
])('the `param` of an error names %s', async (_, param, send) => {
  proves('envelope.param')
  const { api } = await newPrinting()
  const { status, body } = await send(api)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(body.error.param).toBe(param)
})

test('no answer repeats the host of a request', async () => {
  const { key, port } = await newPrinting()
  for (const line of ['GET /v1/printers', 'GET /v1/nowhere', 'PUT /v1/whoami']) {
    const head = `${line} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n\r\n`
    expect(await sendRaw(port, head)).not.toMatch(/evil|strict-transport-security/i)
  }
})

test('requests sent in one go are answered in their order, whatever comes behind them', async () => {
  const { port, key } = await newPrinting()
  const ids = Array.from({ length: 300 }, (_, n) => `r${n}`)
  const head = (id: string) =>
    `GET /v1/whoami HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: ${id}\r\n\r\n`
  const answer = await sendRaw(port, `${ids.map(head).join('')}nonsense\r\n\r\n`)
  expect([...answer.matchAll(/^X-Request-Id: (r.*)\r$/gm)].map(([, id]) => id)).toEqual(ids)
})

test('/healthz is about this process alone; /readyz is about the services, which are checked once a second, and the log names the missing ones', async () => {
  const { api, world } = await newPrinting()
  world.advance(1_000)
  let checks = 0
  world.intercept(Health.method.check, async (request, next) => {
    checks++
    return await next(request)
  })
  const answers = await Promise.all(Array.from({ length: 100 }, () => api.get('/readyz')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(checks).toBe(3)
  world.intercept(Health.method.check, async () => Promise.reject(unavailable()))
  expect((await api.get('/healthz')).body).toEqual({ status: 'ok' })
  world.advance(999)
  expect((await api.get('/readyz')).status).toBe(200)
  world.advance(1)
  expectError(
    await api.get('/readyz'),
    503,
    'service_unavailable',
    /^Not ready\. The log names the missing services\.$/,
  )
  expect(world.logs.some((line) => line.includes('"missing":["accounts","jobs","devices"]'))).toBe(true)
  world.advance(1_000)
})

test('each request is one log line with its facts', async () => {
  const { api, id, job, world } = await newPrinting()
  await api.post('/v1/printjobs', job(), { 'x-request-id': `${id}-created` })
  await api.post('/v1/printjobs', '{', { 'x-request-id': `${id}-broken` })
  await api.get('/v1/canary?q=canary', { 'x-request-id': `${id}-unknown` })
  world.intercept(JobsService.method.createJobs, async () => Promise.reject(new Error('a defect')))
  await api.post('/v1/printjobs', job(), { 'x-request-id': `${id}-failed` })
  const lines = () =>
    world.logs
      .filter((line) => line.includes(`${id}-`) && line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line))
      .map((facts) => ['method', 'route', 'status', 'error_code', 'organization_id'].map((name) => facts[name]))
  await waitFor(() => expect(lines()).toHaveLength(4))
  expect(lines()).toEqual([
    ['POST', '/v1/printjobs', 201, null, id],
    ['POST', '/v1/printjobs', 400, 'invalid_request', id],
    ['GET', null, 404, 'not_found', id],
    ['POST', '/v1/printjobs', 500, 'internal_error', id],
  ])
})

test('a client that waits for 100 Continue sends no body that is refused', async () => {
  const { key, port, job } = await newPrinting()
  const refused = await sendRaw(port, jsonHead(`${key}0`, 1000, 'Expect: 100-continue', 'Connection: close'))
  expect(refused).toMatch(/^HTTP\/1.1 401 /)
  const body = JSON.stringify(job())
  const accepted = await sendRaw(port, jsonHead(key, body.length, 'Expect: 100-continue', 'Connection: close') + body)
  expect(accepted).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201 /)
})
