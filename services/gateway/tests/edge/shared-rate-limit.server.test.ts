/**
 * The limits over several real gateways, which find each other through a nats-server. The clock of the world does not
 * move.
 */
import { GATEWAYS_SUBJECT, gatewayRateSubject } from '@platen/proto/subjects.ts'
import { connectNatsWhenThere } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startRunningGateway } from './start-gateway.ts'

const keys: string[] = []

/** Keys of enough organizations that each of three gateways owns some. Made once, one after the other. */
async function getKeys(): Promise<string[]> {
  while (keys.length < 24) keys.push((await newOrganization()).liveKey)
  return keys
}

/** @param count of gateways with the shipped limit. */
async function startReplicas(count: number, natsUrl?: string, optionalTimeoutMs?: number) {
  const { world } = await newOrganization()
  const limits = { rateLimitPerSecond: 20, organizationRateLimitPerSecond: 50 }
  const add = () => startRunningGateway({ ...limits, natsUrl, ...(optionalTimeoutMs && { optionalTimeoutMs }) })
  const gateways = await Promise.all(Array.from({ length: count }, add))
  const apis = (key: string, at = gateways) => at.map(({ url }) => createApi(url, key))
  /** The API with a key of a new organization, at each gateway. */
  const newKey = async (at = gateways) => apis((await newOrganization()).liveKey, at)

  /** The limit is shared if each request lowers what all gateways permit. */
  const untilShared = (at = gateways) =>
    waitFor(async () => {
      world.advance(1_000)
      for (const key of await getKeys()) {
        const left = []
        for (const api of apis(key, at))
          left.push(Number((await api.get('/v1/whoami')).headers.get('ratelimit-remaining')))
        expect(left).toEqual(at.map((_, n) => 19 - n))
      }
      world.advance(1_000)
    })
  return { world, gateways, add, apis, newKey, untilShared }
}

/** At all gateways at once. @returns how many were accepted. */
async function burst(apis: Api[], count: number): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) => (apis[n % apis.length] as Api).get('/v1/whoami')),
  )
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([])
  return answers.filter(({ status }) => status === 200).length
}

test('of 100 requests of one key, spread over 3 gateways, 20 are accepted in every second, and 50 of 180 requests of three keys of one organization', async () => {
  proves('rate-limit.replicas')
  const { servicesUrl: url } = await startTestNats()
  const { world, apis: toApis, newKey, untilShared } = await startReplicas(3, url)
  await untilShared()
  for (let n = 0; n < 2; n++) {
    const apis = await newKey()
    expect(await burst(apis, 100)).toBe(20)
    world.advance(999)
    expect(await burst(apis, 30)).toBe(0)
    expect(await burst(await newKey(), 100)).toBe(20)
    world.advance(1)
    expect(await burst(apis, 7)).toBe(7)
    world.advance(500)
    expect(await burst(apis, 100)).toBe(13)
    world.advance(500)
    expect(await burst(apis, 100)).toBe(7)
  }
  const { addKey } = await newOrganization()
  const together = await Promise.all(Array.from({ length: 3 }, async () => toApis(await addKey('live', ['read']))))
  expect(await burst(together.flat(), 180)).toBe(50)
})

describe('when gateways come and go', () => {
  test('a new one shares the limit, and so do those that are left when one stops', async () => {
    const { servicesUrl: url } = await startTestNats()
    const { gateways, add, newKey, untilShared } = await startReplicas(2, url)
    await untilShared()
    const all = [...gateways, await add()]
    await untilShared(all)
    await all[0]?.service.stop()
    const left = all.slice(1)
    await untilShared(left)
    expect(await burst(await newKey(left), 100)).toBe(20)
  })

  test('of a key whose owner went away, twice the limit is accepted at most', async () => {
    const { servicesUrl: url } = await startTestNats()
    const { gateways, newKey, untilShared } = await startReplicas(3, url)
    await untilShared()
    const keys = await Promise.all(Array.from({ length: 24 }, () => newKey()))
    for (const apis of keys) expect(await burst(apis, 30)).toBe(20)
    await gateways[0]?.service.stop()
    const again = await Promise.all(keys.map(([, ...left]) => burst(left, 60)))
    // Its keys begin anew at their next owner, the others go on as they were.
    expect(new Set(again)).toEqual(new Set([0, 20]))
  })

  test('one that does not answer holds up its keys once, and their limit holds at the next one', async () => {
    const { servicesUrl: url } = await startTestNats()
    const { newKey } = await startReplicas(1, url, 1_000)
    const nats = await connectNatsWhenThere(createTestProcess('gateway'), parseNatsUrl(url))
    if (!nats) throw new Error('NATS is not there')
    onTestFinished(() => nats.close())
    const requests: string[] = []
    nats.subscribe(gatewayRateSubject('mute'), { callback: (_, message) => void requests.push(message.string()) })
    await waitFor(async () => {
      // Again for each key, since a gateway that did not answer is forgotten.
      nats.publish(GATEWAYS_SUBJECT, JSON.stringify({ id: 'mute', leaving: false }))
      await nats.flush()
      const [api] = await newKey()
      const startedAt = performance.now()
      expect((await api?.get('/v1/whoami'))?.status).toBe(200)
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      expect(requests.length).toBeGreaterThan(1)
    }, 25_000)
    for (let n = 0; n < 3; n++) expect(await burst(await newKey(), 100)).toBe(20)
  })
})

test('without NATS each gateway holds the limit for itself, and shares it while NATS is there', async () => {
  const nats = await startTestNats()
  await nats.kill()
  const { newKey, untilShared } = await startReplicas(2, nats.servicesUrl)
  expect(await burst(await newKey(), 100)).toBe(40)
  await nats.start()
  await untilShared()
  await nats.kill()
  await waitFor(async () => expect(await burst(await newKey(), 100)).toBe(40))
  await nats.start()
  await untilShared()
  expect(await burst(await newKey(), 100)).toBe(20)
})
