/** The look-up of keys. How a key is read from a request is in `tables/credentials.test.ts`. */

import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey, makeApiKey } from '@platen/resources/api-key.ts'
import { type Answer, createApi } from '@platen/test/harness/api.ts'
import { createBrowser } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { addGateway, expectError, unavailable } from '../client.ts'

/** A gateway without a cached key, and its number of look-ups at accounts. */
async function newLookUps(...settings: Parameters<typeof addGateway>) {
  const gateway = await addGateway(...settings)
  const organization = await newOrganization()
  const lookUps = { calls: 0 }
  organization.world.intercept(AccountsService.method.verifyApiKeys, async (request, next) => {
    lookUps.calls++
    return await next(request)
  })
  const whoami = (authorization: string) => createApi(gateway.url, '').get('/v1/whoami', { authorization })
  return { ...organization, gateway, lookUps, whoami }
}

test('whoami returns the organization of the key, and its scopes in one order', async () => {
  proves('whoami.organization.name', 'whoami.apiKey.name')
  const { id, world } = await newOrganization(undefined, 'Corner shop')
  const scopes = ['print', 'read', 'print']
  const { key, apiKey } = await world.accounts.createApiKey({ organizationId: id, name: 'CI', mode: 'live', scopes })
  expect((await createApi(world.gatewayUrl, key).get('/v1/whoami')).body).toEqual({
    organization: { id, name: 'Corner shop' },
    mode: 'live',
    apiKey: {
      id: apiKey?.id,
      name: 'CI',
      prefix: key.slice(0, 16),
      scopes: ['read', 'print'],
      createdAt: world.clock.now().toISOString(),
    },
    user: null,
    installation: { printNode: false, documentPreview: true },
  })
})

test('a wrong key is a 401, and a typo or another header is one without a look-up', async () => {
  proves('error.401.unauthorized', 'auth.invalid', 'auth.challenges', 'auth.key.checksum')
  const { liveKey, lookUps, whoami, gateway } = await newLookUps()
  const typo = `${liveKey.slice(0, -1)}${liveKey.endsWith('0') ? '1' : '0'}`
  const other = liveKey.replace('platen', 'PLATEN')
  for (const wrong of [typo, `${liveKey}0`, other]) {
    const answer = await whoami(`Bearer ${wrong}`)
    expectError(answer, 401, 'unauthorized', /^This key has a typing error; copy it again\.$/)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer, Basic realm="Platen"')
  }
  const anonymous = createApi(gateway.url, '')
  expectError(
    await anonymous.get('/v1/whoami'),
    401,
    'unauthorized',
    /^No API key was sent\. Send `Authorization: Bearer/,
  )
  expectError(await anonymous.get(`/v1/whoami?api_key=${liveKey}`), 401, 'unauthorized')
  for (const name of ['x-api-key', 'cookie', 'proxy-authorization'])
    expectError(await anonymous.get('/v1/whoami', { [name]: `Bearer ${liveKey}` }), 401, 'unauthorized')
  expect(lookUps.calls).toBe(0)
  const unknown = await whoami(`Bearer ${makeApiKey('live')}`)
  expectError(unknown, 401, 'unauthorized', /^This key does not exist or was revoked\.$/)
  expect((await whoami(`Basic ${Buffer.from(`${liveKey}:`).toString('base64')}`)).status).toBe(200)
  expect(lookUps.calls).toBe(2)
})

test('a key with an older prefix that is configured is accepted like any other', async () => {
  proves('auth.older-prefix', 'auth.key.aliases')
  const { id, world, lookUps, whoami } = await newLookUps({ olderKeyPrefixes: ['first-press', 'older'] })
  const { apiKey } = await world.accounts.createApiKey({
    organizationId: id,
    name: 'till',
    mode: 'live',
    scopes: ['read'],
  })
  // The key has the form of before the rename.
  const older = makeApiKey('live', 'older')
  const hash = Buffer.from(hashApiKey(older))
  await world.query('UPDATE accounts.api_key SET key_sha256 = $1 WHERE id = $2', [hash, apiKey?.id])
  const { status, body } = await whoami(`Bearer ${older}`)
  expect([status, body.mode, body.apiKey.scopes]).toEqual([200, 'live', ['read']])
  lookUps.calls = 0
  for (const wrong of [makeApiKey('live', 'oldest'), older.replace('older', 'platen'), `${older}0`])
    expectError(await whoami(`Bearer ${wrong}`), 401, 'unauthorized')
  expect(lookUps.calls).toBe(0)
})

test('a revoked key stops within 5 s on every replica, also one that is in use all the time', async () => {
  proves('auth.revoked')
  const { id, world, liveKey, testKey, gateway } = await newLookUps()
  const replicas = [gateway, await addGateway()].map(({ url }) => url)
  const statuses = (key: string) =>
    Promise.all(replicas.map(async (url) => (await createApi(url, key).get('/v1/whoami')).status))
  expect([await statuses(liveKey), await statuses(testKey)]).toEqual([
    [200, 200],
    [200, 200],
  ])
  const { apiKeys } = await world.accounts.listApiKeys({ organizationId: id })
  const revoked = apiKeys.find(({ mode }) => mode === 'live')
  await world.accounts.revokeApiKey({ organizationId: id, apiKeyId: revoked?.id })
  for (let ms = 0; ms < 5_000; ms += 625) {
    await statuses(liveKey)
    world.advance(625)
  }
  expect([await statuses(liveKey), await statuses(testKey)]).toEqual([
    [401, 401],
    [200, 200],
  ])
})

test('while accounts is away a right key is not called wrong', async () => {
  const { liveKey, world, whoami } = await newLookUps()
  world.intercept(AccountsService.method.verifyApiKeys, async () => Promise.reject(unavailable()))
  expectError(await whoami(`Bearer ${liveKey}`), 503, 'service_unavailable')
})

test('wrong keys, sessions and enrolment tokens of an address over its limit wait, while a valid key is served', async () => {
  const { liveKey, gateway, whoami } = await newLookUps({ rateLimitPerSecond: 1, nats: undefined })
  const browser = createBrowser(gateway.url)
  browser.cookies.set('platen_session', 'x'.repeat(43))
  const authorization = `Bearer platen_enroll_${'x'.repeat(43)}`
  expect((await whoami(`Bearer ${makeApiKey('live')}`)).status).toBe(401)
  const statuses: number[] = []
  const send = async (answer: Promise<Answer>) => void statuses.push((await answer).status)
  await Promise.all([
    send(whoami(`Bearer ${makeApiKey('live')}`)),
    send(browser.get('/account/session')),
    send(createApi(gateway.url, '').post('/v1/agents/enroll', {}, { authorization })),
    send(whoami(`Bearer ${liveKey}`)),
  ])
  expect(statuses).toEqual([200, 401, 401, 401])
})
