/** One limit over several gateways: real ones, that find each other through a real NATS. */
import { GATEWAYS_SUBJECT, gatewayRateSubject } from '@platen/proto/subjects.ts'
import { connectNatsWhenThere } from '@platen/runtime/messaging/nats.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addTestGateway, PATIENCE_MS } from './start-test-gateway.ts'
import { startTestServices, type TestServices } from './start-test-services.ts'

interface SharedOptions {
  replicas: number
  natsUrl?: string
  now?: () => number
  patienceMs?: number
}

async function startReplicas({ replicas, natsUrl, now, patienceMs = PATIENCE_MS }: SharedOptions) {
  const services = await startTestServices()
  await services.startAll()
  const options = { config: { rateLimitPerSecond: 20, natsUrl }, now, patienceMs }
  const gateways = []
  for (let n = 0; n < replicas; n++) gateways.push(await addTestGateway(services, options))
  return { services, gateways, baseUrls: gateways.map(({ baseUrl }) => baseUrl) }
}

const oneKey = (services: TestServices, baseUrls: string[]): Api[] => {
  const key = services.makeKey()
  return baseUrls.map((baseUrl) => createApi(baseUrl, key))
}

/** Each of these keys is used once at each gateway; it is decided in one place when each next one leaves less. */
async function expectShared(services: TestServices, baseUrls: string[]): Promise<void> {
  // So many that each of three gateways decides for some.
  for (let n = 0; n < 24; n++) {
    const left = []
    for (const api of oneKey(services, baseUrls))
      left.push(Number((await api.get('/v1/whoami')).headers.get('ratelimit-remaining')))
    expect(left).toEqual(baseUrls.map((_, at) => 19 - at))
  }
}

const waitUntilShared = (services: TestServices, baseUrls: string[]) => waitFor(() => expectShared(services, baseUrls))

/** At all gateways at once. @returns how many were accepted. */
async function burst(apis: Api[], count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => (apis[n % apis.length] as Api).get('/v1/whoami')),
  )
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
  return answers.filter(({ status }) => status === 200).length
}

describe.each([2, 3])('%i gateways', (replicas) => {
  test('of 100 requests of one key, spread over them, 20 are accepted in every second', async () => {
    const { url } = await startTestNats()
    const clock = { ms: 0 }
    const { services, baseUrls } = await startReplicas({ replicas, natsUrl: url, now: () => clock.ms })
    await waitUntilShared(services, baseUrls)
    for (let n = 0; n < 6; n++) {
      const apis = oneKey(services, baseUrls)
      expect(await burst(apis, 100)).toBe(20)
      clock.ms += 999
      expect(await burst(apis, 30)).toBe(0)
      clock.ms += 1
      expect(await burst(apis, 7)).toBe(7)
      clock.ms += 500
      expect(await burst(apis, 100)).toBe(13)
      clock.ms += 500
      expect(await burst(apis, 100)).toBe(7)
    }
  })

  test('other keys are not affected by one that is over the limit', async () => {
    const { url } = await startTestNats()
    const { services, baseUrls } = await startReplicas({ replicas, natsUrl: url, now: () => 0 })
    await waitUntilShared(services, baseUrls)
    expect(await burst(oneKey(services, baseUrls), 100)).toBe(20)
    for (let n = 0; n < 6; n++) expect(await burst(oneKey(services, baseUrls), 20)).toBe(20)
  })

  test('no second of real time has more than 20, and none less under load', async () => {
    const { url } = await startTestNats()
    const { services, baseUrls } = await startReplicas({ replicas, natsUrl: url })
    await waitUntilShared(services, baseUrls)
    const apis = oneKey(services, baseUrls)
    const startedAt = performance.now()
    const accepted: { sentAt: number; answeredAt: number }[] = []
    const refused: typeof accepted = []
    const client = async (api: Api) => {
      while (accepted.length < 60) {
        const sentAt = performance.now()
        const { status } = await api.get('/v1/whoami')
        const kind = status === 200 ? accepted : refused
        kind.push({ sentAt, answeredAt: performance.now() })
      }
    }
    await Promise.all([...apis, ...apis, ...apis].map(client))
    const seconds = (performance.now() - startedAt) / 1_000
    // Somewhere between being sent and answered each was accepted: these were all within one second for sure.
    const certain = accepted.map(
      ({ sentAt }) => accepted.filter((one) => one.sentAt >= sentAt && one.answeredAt < sentAt + 1_000).length,
    )
    expect(Math.max(...certain)).toBeLessThanOrEqual(20)
    expect(accepted.length).toBeLessThanOrEqual(20 * (Math.floor(seconds) + 1))
    // These may all have been accepted within the second before a refusal: less than 20, and it was wrong.
    const possible = refused.map(
      ({ sentAt, answeredAt }) =>
        accepted.filter((one) => one.sentAt <= answeredAt && one.answeredAt > sentAt - 1_000).length,
    )
    expect(Math.min(...possible)).toBeGreaterThanOrEqual(20)
  })
})

describe('when gateways come and go', () => {
  test('a new one shares the limit, and so do those that are left when one stops', async () => {
    const { url } = await startTestNats()
    const { services, gateways, baseUrls } = await startReplicas({ replicas: 2, natsUrl: url, now: () => 0 })
    await waitUntilShared(services, baseUrls)
    const third = await addTestGateway(services, { config: { rateLimitPerSecond: 20, natsUrl: url }, now: () => 0 })
    await waitUntilShared(services, [...baseUrls, third.baseUrl])
    await gateways[0]?.gateway.stop()
    const left = [...baseUrls.slice(1), third.baseUrl]
    await waitUntilShared(services, left)
    expect(await burst(oneKey(services, left), 100)).toBe(20)
  })

  test('of a key whose owner went away, twice the limit is accepted at most', async () => {
    const { url } = await startTestNats()
    const { services, gateways, baseUrls } = await startReplicas({ replicas: 3, natsUrl: url, now: () => 0 })
    await waitUntilShared(services, baseUrls)
    const keys = Array.from({ length: 24 }, () => oneKey(services, baseUrls))
    for (const apis of keys) expect(await burst(apis, 30)).toBe(20)
    await gateways[0]?.gateway.stop()
    const again = await Promise.all(keys.map(([, ...left]) => burst(left, 60)))
    // Its keys begin anew at their next owner, the others go on as they were.
    expect(new Set(again)).toEqual(new Set([0, 20]))
  })
})

test('a gateway that is there and does not answer holds up its keys once, and their limit holds at the next one', async () => {
  const { url } = await startTestNats()
  const { services, baseUrls } = await startReplicas({ replicas: 1, natsUrl: url, now: () => 0, patienceMs: 1_000 })
  const nats = await connectNatsWhenThere(createTestProcess('mute'), url)
  if (!nats) throw new Error('NATS is not there')
  onTestFinished(() => nats.close())
  const asked: string[] = []
  nats.subscribe(gatewayRateSubject('mute'), { callback: (_, message) => void asked.push(message.string()) })
  await waitFor(async () => {
    // Again for each key, since a gateway that did not answer is forgotten.
    nats.publish(GATEWAYS_SUBJECT, JSON.stringify({ id: 'mute', leaving: false }))
    await nats.flush()
    const [api] = oneKey(services, baseUrls)
    const startedAt = performance.now()
    expect((await api?.get('/v1/whoami'))?.status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(asked.length).toBeGreaterThan(3)
  }, 25_000)
  for (let n = 0; n < 6; n++) expect(await burst(oneKey(services, baseUrls), 100)).toBe(20)
})

describe('without NATS', () => {
  test('each gateway holds the limit for itself', async () => {
    const { services, baseUrls } = await startReplicas({ replicas: 2, now: () => 0 })
    expect(await burst(oneKey(services, baseUrls), 100)).toBe(40)
  })

  test('a gateway starts and serves, and shares the limit once NATS is there', async () => {
    const nats = await startTestNats()
    await nats.kill()
    const { services, baseUrls } = await startReplicas({ replicas: 2, natsUrl: nats.url, now: () => 0 })
    expect(await burst(oneKey(services, baseUrls), 100)).toBe(40)
    await nats.start()
    await waitUntilShared(services, baseUrls)
  })

  test('while NATS is away each gateway holds the limit for itself, and shares it again afterwards', async () => {
    const nats = await startTestNats()
    const { services, baseUrls } = await startReplicas({ replicas: 2, natsUrl: nats.url, now: () => 0 })
    await waitUntilShared(services, baseUrls)
    await nats.kill()
    await waitFor(async () => expect(await burst(oneKey(services, baseUrls), 100)).toBe(40))
    await nats.start()
    await waitUntilShared(services, baseUrls)
    expect(await burst(oneKey(services, baseUrls), 100)).toBe(20)
  })
})
