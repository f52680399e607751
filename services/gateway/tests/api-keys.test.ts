import { makeApiKey } from '@platen/accounts/api-key.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createApiKeys } from '../authentication/api-keys.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { startTestServices } from './start-test-services.ts'

/** What gateways remember, on a clock that the test moves. */
async function startKeys() {
  const services = await startTestServices()
  await services.startAll()
  const client = createTestProcess('test')
  onTestFinished(() => client.stop())
  const accounts = connectRpc(client, AccountsService, {
    url: services.config.accountsUrl,
    secret: services.config.rpcSecret,
  })
  const clock = { now: 0 }
  return { services, clock, apiKeys: createApiKeys({ accounts, olderKeyPrefixes: [], now: () => clock.now }) }
}

const forge = (count: number) => Array.from({ length: count }, () => makeApiKey('live'))

test('the answer of a look-up is shared by all who ask at once, and remembered for less than 5 s', async () => {
  const { services, clock, apiKeys } = await startKeys()
  const key = services.makeKey()
  await Promise.all([apiKeys.find(key), apiKeys.find(key), apiKeys.find(key)])
  services.revokeKeys()
  clock.now = 2_499
  expect(await apiKeys.find(key)).toBeDefined()
  expect(services.verifications).toBe(1)
  clock.now = 4_999
  expect(await apiKeys.find(key)).toBeDefined()
  clock.now = 5_000
  expect(await apiKeys.find(key)).toBeUndefined()
})

test('a forged key that is sent again and again is looked up once in 5 s', async () => {
  const { services, clock, apiKeys } = await startKeys()
  const [key = ''] = forge(1)
  await Promise.all([apiKeys.find(key), apiKeys.find(key)])
  clock.now = 4_999
  expect(await apiKeys.find(key)).toBeUndefined()
  expect(services.verifications).toBe(1)
  clock.now = 5_000
  expect(await apiKeys.find(key)).toBeUndefined()
  expect(services.verifications).toBe(2)
})

test('500 different forged keys at once are one look-up, and one more is a second', async () => {
  const { services, apiKeys } = await startKeys()
  await Promise.all(forge(500).map(apiKeys.find))
  expect(services.verifications).toBe(1)
  await Promise.all(forge(501).map(apiKeys.find))
  expect(services.verifications).toBe(3)
})

test('a flood of forged keys pushes no valid key out of memory, and itself takes a bounded part of it', async () => {
  const { services, apiKeys } = await startKeys()
  const key = services.makeKey()
  await apiKeys.find(key)
  const [first = '', ...others] = forge(10_001)
  await apiKeys.find(first)
  for (let n = 0; n < others.length; n += 500) await Promise.all(others.slice(n, n + 500).map(apiKeys.find))
  const lookUps = services.verifications
  expect(await apiKeys.find(key)).toBeDefined()
  expect(await apiKeys.find(others.at(-1) ?? '')).toBeUndefined()
  expect(services.verifications).toBe(lookUps)
  expect(await apiKeys.find(first)).toBeUndefined()
  expect(services.verifications).toBe(lookUps + 1)
})

test('through HTTP a flood of forged keys costs at most 50 look-ups a second, and a valid key is served meanwhile', async () => {
  const { services, baseUrl } = await startTestGateway()
  const startedAt = performance.now()
  const flood = forge(1_000).map(async (key) => (await createApi(baseUrl, key).get('/v1/whoami')).status)
  const newcomer = (await createApi(baseUrl, services.makeKey()).get('/v1/whoami')).status
  const statuses = await Promise.all(flood)
  const seconds = (performance.now() - startedAt) / 1000
  expect([newcomer, ...new Set(statuses)]).toEqual([200, 401])
  // A timer may be early by a millisecond.
  expect(services.verifications).toBeLessThanOrEqual(Math.ceil((seconds * 1000) / 19) + 1)
})
