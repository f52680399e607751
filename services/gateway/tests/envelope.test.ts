import { request as httpRequest } from 'node:http'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { sendRaw } from './send-raw.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('the request id', () => {
  test.each(['a', 'order_17.retry-2', 'x'.repeat(128)])('is the one that the caller sent: %s', async (id) => {
    const { api } = await startTestGateway()
    const answer = await api.get('/v1/nowhere', { 'x-request-id': id })
    expectError(answer, 404, 'not_found')
    expect(answer.headers.get('x-request-id')).toBe(id)
  })

  test.each(['', 'x'.repeat(129), 'a b', 'a"b', 'ä', 'a,b'])('is a new one when it could do harm: %s', async (id) => {
    const { api } = await startTestGateway()
    const { headers } = await api.get('/healthz', { 'x-request-id': id })
    expect(headers.get('x-request-id')).toMatch(UUID)
  })
})

test('a path below /v1 that does not exist is a 401 without a key and a 404 with one', async () => {
  const { api } = await startTestGateway()
  for (const path of ['/v1', '/v1/', '/v1/nowhere', '/v1/printers/', '/v1/printjobs/x/y/z']) {
    expectError(await api.get(path, { authorization: '' }), 401, 'unauthorized')
    expectError(await api.get(path), 404, 'not_found')
  }
})

test('any other path that does not exist is a 404', async () => {
  const { api } = await startTestGateway()
  for (const path of ['/', '/nowhere', '/v10/printers', '/V1/printers', '/%76%31/printers', '//v1/printers'])
    expectError(await api.get(path, { authorization: '' }), 404, 'not_found')
})

test.each([
  ['DELETE', '/v1/printjobs', 'POST, HEAD, GET'],
  ['OPTIONS', '/v1/printjobs', 'POST, HEAD, GET'],
  ['PATCH', '/v1/whoami', 'HEAD, GET'],
  ['POST', '/healthz', 'HEAD, GET'],
])('%s %s is a 405 that says what is allowed', async (method, path, allowed) => {
  const { api } = await startTestGateway()
  const answer = await api.request(method, path)
  expectError(answer, 405, 'method_not_allowed')
  expect(answer.headers.get('allow')).toBe(allowed)
})

test.each([
  ['/v1/whoami?a=1', /`a`: not known here/],
  ['/v1/printers?colour=red', /`colour`: not known here/],
  ['/v1/printers?__proto__=1', /`__proto__`: not known here/],
  ['/v1/printjobs/01890a5d-ac96-774b-bcce-b302099a8057?limit=1', /`limit`: not known here/],
])('%s: an unknown query parameter is a 400 that names it', async (path, message) => {
  const { api } = await startTestGateway()
  expectError(await api.get(path), 400, 'invalid_request', message)
})

describe('the body of a creation must be plain JSON', () => {
  test.each<Record<string, string>>([
    { 'content-type': '' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/json; charset=latin1' },
    { 'content-encoding': 'gzip' },
  ])('%j is a 415', async (headers) => {
    const { api } = await startTestGateway()
    expectError(await api.post('/v1/printjobs', printJob(), headers), 415, 'unsupported_media_type')
  })

  test.each<Record<string, string>>([
    { 'content-type': 'application/json' },
    { 'content-type': 'Application/JSON; Charset="UTF-8"' },
    { 'content-encoding': 'identity' },
  ])('%j is accepted', async (headers) => {
    const { api } = await startTestGateway()
    expect((await api.post('/v1/printjobs', printJob(), headers)).status).toBe(201)
  })
})

describe('a GET may have a body of 64 KiB and no more', () => {
  function getWithBody(port: number, key: string, sizeBytes: number): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}`, 'content-length': sizeBytes }
      const request = httpRequest({ port, host: '127.0.0.1', path: '/v1/whoami', headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      request.once('error', reject)
      request.end(Buffer.alloc(sizeBytes))
    })
  }
  test.each([
    [65_536, 200],
    [65_537, 413],
  ])('%i bytes: %i', async (sizeBytes, status) => {
    const { port, key } = await startTestGateway()
    expect(await getWithBody(port, key, sizeBytes)).toBe(status)
  })
})

describe('what is no HTTP still gets the envelope', () => {
  test.each([
    ['a line that is no request', 'nonsense\r\n\r\n', 400],
    ['a method that does not exist', 'BREW /v1/whoami HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a request to a proxy', 'CONNECT printer.test:631 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['no host', 'GET /v1/whoami HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /v1/whoami HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400],
    ['a URL without a path', 'GET foo://a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['a URL that is none', 'GET http://[::1/v1/whoami HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['a URL with a broken user', 'GET http://%zz@a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['a target of 1 MiB', `GET /${'a'.repeat(1024 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['headers of more than 16 KiB', `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'a'.repeat(16 * 1024)}\r\n\r\n`, 431],
  ])('%s', async (_, bytes, status) => {
    const { port } = await startTestGateway()
    const answer = await sendRaw(port, bytes)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const requestId = /^X-Request-Id: (.*)$/m.exec(head)?.[1]
    expect(JSON.parse(body)).toEqual({
      error: { code: 'invalid_request', message: expect.any(String), request_id: requestId },
    })
  })
})

test('a complete request has its answer, whatever comes behind it', async () => {
  const { port, key } = await startTestGateway()
  const head = `GET /v1/whoami HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
  expect(await sendRaw(port, `${head}nonsense\r\n\r\n`)).toMatch(/^HTTP\/1.1 200 .*"organization".*}$/s)
})

test('answers are kept by no cache and guessed to be nothing else', async () => {
  const { api } = await startTestGateway()
  const { headers } = await api.get('/v1/whoami')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('/healthz is about this process alone; /readyz names what is missing', async () => {
  const { api, services } = await startTestGateway({ withServices: false })
  expect((await api.get('/healthz')).body).toEqual({ status: 'ok' })
  expectError(await api.get('/readyz'), 503, 'service_unavailable', /^Not ready: accounts, jobs, devices\.$/)
  const [accounts] = await services.startAll()
  await waitFor(async () => expect((await api.get('/readyz')).status).toBe(200))
  await accounts.stop()
  expectError(await api.get('/readyz'), 503, 'service_unavailable', /^Not ready: accounts\.$/)
})
