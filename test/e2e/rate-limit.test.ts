/** The limit as it is shipped: two gateways, each a process of its own, that find each other. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'

let system: System

beforeAll(async () => {
  system = await startSystem({ replicas: 2, env: { PLATEN_RATE_LIMIT_PER_SECOND: '' } })
})

afterAll(() => system.stop())

async function newKey(): Promise<Api[]> {
  const { key } = await system.addOrganization()
  return system.baseUrls.map((baseUrl) => createApi(baseUrl, key))
}

const remaining = async (api?: Api) => (await api?.get('/v1/whoami'))?.headers.get('ratelimit-remaining')

test('two gateways accept 20 requests of one key in a second, and then those that waited', async () => {
  // Each gateway looks the key up once, which takes longer than what follows.
  const apis = await waitFor(async () => {
    const [first, second] = await newKey()
    expect([await remaining(first), await remaining(second)]).toEqual(['19', '18'])
    return [first, second]
  })

  const startedAt = performance.now()
  const answers = await Promise.all(Array.from({ length: 100 }, async (_, n) => (apis[n % 2] as Api).get('/v1/whoami')))
  const seconds = (performance.now() - startedAt) / 1000
  const accepted = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  // Two were accepted before. Each second that the machine takes for 100 requests frees 20 more.
  expect(accepted.length).toBeGreaterThanOrEqual(18)
  expect(accepted.length).toBeLessThanOrEqual(20 * (1 + Math.floor(seconds)))
  expect(new Set(answers.map(({ headers }) => headers.get('ratelimit-limit')))).toEqual(new Set(['20']))
  for (const { status, headers, body } of refused)
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
  await waitFor(async () => expect((await apis[1]?.get('/v1/whoami'))?.status).toBe(200))
})
