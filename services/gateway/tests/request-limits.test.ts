/** How large a request may be, and what every answer says of itself: bytes against the real gateway. */
import { describe, expect, test } from 'vitest'
import { sendRaw } from './send-raw.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'

const statusOf = (answer: string) => Number(/^HTTP\/1.1 (\d{3}) /.exec(answer)?.[1])

/** A request whose line and headers have so many bytes together. */
function requestOf(bytes: number, { target = '/healthz', name = 'Cookie' } = {}): string {
  const start = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${name}: `
  return `${start}${'a'.repeat(bytes - start.length - '\r\n\r\n'.length)}\r\n\r\n`
}

describe('headers', () => {
  test('of nearly 16 KiB pass, those of 16 KiB are a 431', async () => {
    const { port } = await startTestGateway()
    expect(statusOf(await sendRaw(port, requestOf(16_000)))).toBe(200)
    expect(await sendRaw(port, requestOf(16_384 + 100))).toMatch(/^HTTP\/1.1 431 [\s\S]*"invalid_request"/)
  })

  test('100 of them pass, 101 are a 431', async () => {
    const { port } = await startTestGateway()
    const request = (count: number) =>
      `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'A: b\r\n'.repeat(count - 2)}\r\n`
    expect(statusOf(await sendRaw(port, request(100)))).toBe(200)
    expect(await sendRaw(port, request(101))).toMatch(/^HTTP\/1.1 431 [\s\S]*"invalid_request"/)
  })

  test('a key behind 100 others is not overlooked but refused with them', async () => {
    const { port, key } = await startTestGateway()
    const head = `GET /v1/whoami HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(100)}Authorization: Bearer ${key}\r\n\r\n`
    expect(statusOf(await sendRaw(port, head))).toBe(431)
  })
})

test('a long path is a 404 as long as it fits the 16 KiB, and a 431 beyond', async () => {
  const { port } = await startTestGateway()
  const path = (length: number) => `GET /${'a'.repeat(length)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  expect(statusOf(await sendRaw(port, path(15_000)))).toBe(404)
  expect(statusOf(await sendRaw(port, path(17_000)))).toBe(431)
})

describe('every answer says what it may be used for', () => {
  const authorized = (key: string, line: string, more = '') =>
    `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`
  const body = JSON.stringify(printJob())

  test.each<[number, (key: string) => string]>([
    [200, (key) => authorized(key, 'GET /v1/whoami')],
    [200, () => requestOf(200)],
    [
      201,
      (key) =>
        `${authorized(key, 'POST /v1/printjobs', `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`)}${body}`,
    ],
    [400, () => 'nonsense\r\n\r\n'],
    [400, () => 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [401, () => authorized('nobody', 'GET /v1/whoami')],
    [404, (key) => authorized(key, 'GET /v1/nowhere')],
    [405, (key) => authorized(key, 'PUT /v1/whoami')],
    [413, (key) => authorized(key, 'GET /v1/whoami', 'Content-Length: 70000\r\n')],
    [415, (key) => authorized(key, 'POST /v1/printjobs', 'Content-Length: 0\r\n')],
    [431, () => requestOf(20_000)],
    [431, () => `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(200)}\r\n`],
  ])('%i', async (status, request) => {
    const { port, key } = await startTestGateway({ config: { hstsSeconds: 600 } })
    const answer = await sendRaw(port, request(key))
    expect(statusOf(answer)).toBe(status)
    const [head = ''] = answer.split('\r\n\r\n')
    const headers = new Headers(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    )
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=600; includeSubDomains',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'content-type': 'application/json; charset=utf-8',
    })
    expect(headers.has('server') || headers.has('x-powered-by')).toBe(false)
  })

  test('that a host is to be reached by TLS alone is said only where its operator says so', async () => {
    const { api } = await startTestGateway()
    expect((await api.get('/v1/whoami')).headers.has('strict-transport-security')).toBe(false)
  })

  test('no answer repeats the host that a request names', async () => {
    const { port, key } = await startTestGateway()
    for (const line of ['GET /v1/printers', 'GET /v1/nowhere', 'PUT /v1/whoami'])
      expect(await sendRaw(port, authorized(key, line).replace('Host: a', 'Host: evil.test'))).not.toContain('evil')
  })
})
