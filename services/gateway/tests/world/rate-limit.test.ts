/** The rate limit of one gateway. For several see `edge/shared-rate-limit.server.test.ts`. */
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { type Answer, createApi } from '@platen/test/harness/api.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { Handler } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { addGateway, expectError, jsonHead, MEGABYTE, newPrinting, sendRaw, unavailable } from '../client.ts'

/** A gateway with the default limit, on the clock of the test. */
async function newLimited() {
  const limits = { rateLimitPerSecond: 20, organizationRateLimitPerSecond: 200 }
  const { url } = await addGateway({ ...limits, nats: undefined })
  const printing = await newPrinting('live', url)
  /** @returns how many were accepted. */
  const spend = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => printing.api.get('/v1/whoami')))
    return answers.filter(({ status }) => status === 200).length
  }
  return { ...printing, spend }
}

const limits = ({ headers }: Answer) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))

test('20 requests in every second are accepted, and no more; refused ones do not count', async () => {
  proves('error.429.rate_limited', 'rate-limit.20', 'rate-limit.21')
  const { api, world, spend } = await newLimited()
  expect(await spend(12)).toBe(12)
  world.advance(600)
  expect(await spend(100)).toBe(8)
  expectError(await api.get('/v1/whoami'), 429, 'rate_limited', /20 requests a second/)
  world.advance(399)
  expect(await spend(30)).toBe(0)
  world.advance(1)
  expect(await spend(30)).toBe(12)
  world.advance(599)
  expect(await spend(30)).toBe(0)
  world.advance(1)
  expect(await spend(30)).toBe(8)
})

test('a client that waits for `Retry-After` seconds is served', async () => {
  proves('rate-limit.next-window', 'rate-limit.header.Retry-After')
  const { api, world, spend } = await newLimited()
  await spend(20)
  world.advance(250)
  const retryAfter = (await api.get('/v1/whoami')).headers.get('retry-after') ?? ''
  expect(retryAfter).toMatch(/^[1-9]\d*$/)
  world.advance(Number(retryAfter) * 1000)
  expect(await spend(20)).toBe(20)
})

test('another key of the organization is not affected', async () => {
  proves('rate-limit.per-key')
  const { url, addKey, spend } = await newLimited()
  await spend(21)
  const other = createApi(url, await addKey('live', ['read']))
  expect((await other.get('/v1/whoami')).headers.get('ratelimit-remaining')).toBe('19')
})

test('all keys of an organization make 200 requests a second together, and another organization is not affected', async () => {
  proves('rate-limit.organization.200', 'rate-limit.organization.201', 'rate-limit.per-organization')
  const { url, addKey, world } = await newLimited()
  const keys = await Promise.all(Array.from({ length: 11 }, (_, n) => addKey(n < 6 ? 'live' : 'test', ['read'])))
  const apis = keys.map((key) => createApi(url, key))
  const spend = async () => {
    const answers = await Promise.all(
      Array.from({ length: 220 }, (_, n) => (apis[n % 11] as (typeof apis)[0]).get('/v1/whoami')),
    )
    return answers.filter(({ status }) => status === 200).length
  }
  expect(await spend()).toBe(200)
  const refused = await (apis[10] as (typeof apis)[0]).get('/v1/whoami')
  expectError(refused, 429, 'rate_limited', /This organization can make 200 requests a second/)
  expect([...limits(refused), refused.headers.get('retry-after')]).toEqual(['20', '0', '1', '1'])
  const other = createApi(url, (await newOrganization()).liveKey)
  expect(limits(await other.get('/v1/whoami'))).toEqual(['20', '19', '0'])
  world.advance(1000)
  expect(await spend()).toBe(200)
})

test('a request without a valid key neither counts nor has the headers', async () => {
  const { api, spend } = await newLimited()
  for (let n = 0; n < 30; n++) expect(limits(await api.get('/healthz'))).toEqual([null, null, null])
  expect(limits(await api.get('/v1/whoami', { authorization: 'Bearer wrong' }))).toEqual([null, null, null])
  expect(await spend(21)).toBe(20)
})

test('the headers count down, and show when a request is free', async () => {
  proves(
    'rate-limit.header.RateLimit-Limit',
    'rate-limit.header.RateLimit-Remaining',
    'rate-limit.header.RateLimit-Reset',
    'rate-limit.reset.range',
  )
  const { api, world } = await newLimited()
  for (let remaining = 19; remaining > 0; remaining--)
    expect(limits(await api.get('/v1/whoami'))).toEqual(['20', String(remaining), '0'])
  const last = await api.get('/v1/whoami')
  expect([...limits(last), last.headers.has('retry-after')]).toEqual(['20', '0', '1', false])
  const refused = await api.get('/v1/whoami')
  expect([refused.status, ...limits(refused)]).toEqual([429, '20', '0', '1'])
  world.advance(1000)
  expect(limits(await api.get('/v1/whoami'))).toEqual(['20', '19', '0'])
})

test.each<[number, string, string, string?]>([
  [200, 'GET', '/v1/whoami'],
  [400, 'GET', '/v1/whoami?a=1'],
  [403, 'POST', '/v1/enrollments', '{}'],
  [404, 'GET', '/v1/nowhere'],
  [404, 'GET', '/v1/printers/7'],
  [405, 'DELETE', '/v1/whoami'],
  [413, 'POST', '/v1/printjobs', ' '.repeat(36 * MEGABYTE + 1)],
  [415, 'POST', '/v1/printjobs'],
  [503, 'POST', '/v1/printjobs/01890a5d-ac96-774b-bcce-b302099a8057/cancel'],
])('the headers are on a %i: %s %s', async (status, method, path, body) => {
  proves('rate-limit.headers.everywhere')
  const { url, addKey, world } = await newLimited()
  world.intercept(JobsService.method.cancelJob, async () => Promise.reject(unavailable()))
  const api = createApi(url, await addKey('live', ['read', 'print']))
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await api.request(method, path, { body, headers })
  expect([answer.status, ...limits(answer)]).toEqual([status, '20', '19', '0'])
})

test('an upload over the limit is refused before anything of it was sent', async () => {
  const { port, key, spend } = await newLimited()
  await spend(20)
  expect(await sendRaw(port, jsonHead(key, 30_000_000))).toMatch(
    /^HTTP\/1.1 429 [\s\S]*\r\nRetry-After: 1\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*"rate_limited"/,
  )
})

test('an organization has 40 units of work at once, with all its keys; other organizations are not affected', async () => {
  proves('work.40', 'work.41')
  const { api, url, addKey, world, id } = await newPrinting()
  const others = createApi(url, await addKey('live', ['read']))
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const hold: Handler = async (request, next) => {
    if ((request.message as unknown as { organizationId: string }).organizationId === id) await isOver
    return await next(request)
  }
  world.intercept(JobsService.method.getJob, hold)
  const path = `/v1/printjobs/${id}`
  const running = Array.from({ length: 20 }, () => [api.get(path), others.get(path)]).flat()
  await waitFor(async () =>
    expectError(await api.get('/v1/whoami'), 429, 'rate_limited', /^This organization has 40 units of work at once/),
  )
  expect((await (await newPrinting()).api.get('/v1/whoami')).status).toBe(200)
  end()
  for (const { status } of await Promise.all(running)) expect(status).toBe(404)
  await waitFor(async () => expect((await api.get('/v1/whoami')).status).toBe(200))
})
