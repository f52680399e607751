/** The rate limit as a caller sees it, at one gateway. For several see `shared-rate-limit.test.ts`. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { createApi } from '@platen/test/harness/api.ts'
import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { printJob, startTestGateway } from './start-test-gateway.ts'

/** A gateway with the limit that it is shipped with, whose second lasts until the test lets it pass. */
async function startLimited() {
  const clock = { ms: 5_000 }
  const started = await startTestGateway({ config: { rateLimitPerSecond: 20 }, now: () => clock.ms })
  const { api } = started
  const spend = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => api.get('/v1/whoami')))
    return answers.filter(({ status }) => status === 200).length
  }
  return { ...started, clock, spend }
}

test('20 requests in a second are accepted, the 21st is a 429', async () => {
  const { api, spend } = await startLimited()
  expect(await spend(20)).toBe(20)
  expectError(await api.get('/v1/whoami'), 429, 'rate_limited', /20 requests a second/)
})

test('of 100 requests at once 20 are accepted', async () => {
  const { spend } = await startLimited()
  expect(await spend(100)).toBe(20)
})

test('in every second that can be laid over the time line 20 are accepted', async () => {
  const { clock, spend } = await startLimited()
  expect(await spend(12)).toBe(12)
  clock.ms += 600
  expect(await spend(30)).toBe(8)
  clock.ms += 399.9
  expect(await spend(30)).toBe(0)
  clock.ms += 0.1
  expect(await spend(30)).toBe(12)
  clock.ms += 599.9
  expect(await spend(30)).toBe(0)
  clock.ms += 0.1
  expect(await spend(30)).toBe(8)
})

test('whoever waits for as long as Retry-After says is served', async () => {
  const { api, clock, spend } = await startLimited()
  await spend(20)
  clock.ms += 250
  const refused = await api.get('/v1/whoami')
  const retryAfter = refused.headers.get('retry-after') ?? ''
  expect(retryAfter).toMatch(/^[1-9]\d*$/)
  clock.ms += Number(retryAfter) * 1000
  expect(await spend(20)).toBe(20)
})

test('a refused request does not count', async () => {
  const { clock, spend } = await startLimited()
  await spend(20)
  for (let round = 0; round < 9; round++) {
    clock.ms += 100
    expect(await spend(10)).toBe(0)
  }
  clock.ms += 100
  expect(await spend(21)).toBe(20)
})

test('other keys are not affected', async () => {
  const { services, baseUrl, spend } = await startLimited()
  await spend(21)
  const other = createApi(baseUrl, services.makeKey())
  expect((await other.get('/v1/whoami')).headers.get('ratelimit-remaining')).toBe('19')
})

test('what has no valid key neither counts nor tells of the limit', async () => {
  const { api, spend } = await startLimited()
  for (let n = 0; n < 30; n++) await api.get('/healthz')
  const unauthorized = await api.get('/v1/whoami', { authorization: 'Bearer nobody' })
  expect([...unauthorized.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
  expect(await spend(21)).toBe(20)
})

describe('the headers', () => {
  const limitsOf = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))

  test('count down, and tell when a request is free', async () => {
    const { api, clock } = await startLimited()
    for (let remaining = 19; remaining > 0; remaining--)
      expect(limitsOf(await api.get('/v1/whoami'))).toEqual(['20', String(remaining), '0'])
    const last = await api.get('/v1/whoami')
    expect(limitsOf(last)).toEqual(['20', '0', '1'])
    expect(last.headers.has('retry-after')).toBe(false)
    const refused = await api.get('/v1/whoami')
    expect([refused.status, ...limitsOf(refused)]).toEqual([429, '20', '0', '1'])
    clock.ms += 1000
    expect(limitsOf(await api.get('/v1/whoami'))).toEqual(['20', '19', '0'])
  })

  test.each<[number, string, string, unknown?, Record<string, string>?]>([
    [200, 'GET', '/v1/whoami'],
    [201, 'POST', '/v1/printjobs', printJob()],
    [400, 'GET', '/v1/whoami?a=1'],
    [400, 'POST', '/v1/printjobs', printJob({ title: '' })],
    [404, 'GET', '/v1/nowhere'],
    [404, 'GET', '/v1/printers/7'],
    [405, 'DELETE', '/v1/whoami'],
    [413, 'POST', '/v1/printjobs', ' '.repeat(36 * 1024 * 1024 + 1)],
    [415, 'POST', '/v1/printjobs', printJob(), { 'content-type': 'text/plain' }],
    [422, 'POST', '/v1/printjobs', printJob({ content: '*' })],
  ])('are on a %i: %s %s', async (status, method, path, body, headers = {}) => {
    const { api } = await startLimited()
    const answer =
      body === undefined ? await api.request(method, path, { headers }) : await api.post(path, body, headers)
    expect([answer.status, ...limitsOf(answer)]).toEqual([status, '20', '19', '0'])
  })

  test('are on a 403', async () => {
    const { services, baseUrl } = await startLimited()
    const answer = await createApi(baseUrl, services.makeKey('test', [])).get('/v1/printers')
    expect([answer.status, ...limitsOf(answer)]).toEqual([403, '20', '19', '0'])
  })

  test('are on a 503', async () => {
    const { services, api, baseUrl } = await startLimited()
    services.createJobError = 'service_unavailable'
    const answer = await createApi(baseUrl, services.makeKey()).post('/v1/printjobs', printJob())
    expect([answer.status, ...limitsOf(answer)]).toEqual([503, '20', '19', '0'])
    expect((await api.get('/healthz')).headers.has('ratelimit-limit')).toBe(false)
  })
})

test('an upload over the limit is refused before anything of it was sent, and nothing of it is stored', async () => {
  const { services, port, key, spend } = await startLimited()
  await spend(20)
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `POST /v1/printjobs HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 30000000\r\n\r\n',
  )
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toMatch(
    /^HTTP\/1.1 429 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*"rate_limited"/,
  )
  socket.destroy()
  expect(await services.storedFiles()).toEqual([])
})
