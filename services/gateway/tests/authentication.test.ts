import { makeApiKey } from '@platen/accounts/api-key.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApiKeys } from '../authentication/api-keys.ts'
import { expectError } from './expect-error.ts'
import { sendRaw } from './send-raw.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { API_KEY_ID, AT, ORGANIZATION_ID, PRINTER_ID, startTestServices } from './start-test-services.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test('whoami says whose key it is', async () => {
  const { api } = await startTestGateway()
  const { status, body } = await api.get('/v1/whoami')
  expect(status).toBe(200)
  expect(body).toEqual({
    organization: { id: ORGANIZATION_ID, name: 'Test Ltd' },
    mode: 'test',
    apiKey: {
      id: API_KEY_ID,
      name: 'CI',
      prefix: 'platen_',
      scopes: ['read', 'print', 'admin'],
      createdAt: AT.toISOString(),
    },
    user: null,
  })
})

test('a key is accepted as Bearer and as the user name of Basic, the scheme in any case', async () => {
  const { api, key } = await startTestGateway()
  for (const authorization of [
    `Bearer ${key}`,
    `bearer ${key}`,
    `BEARER  ${key}`,
    basic(`${key}:`),
    basic(`${key}:`).replace('Basic', 'basic'),
  ])
    expect((await api.get('/v1/whoami', { authorization })).status, authorization).toBe(200)
})

describe('what is no valid key is one and the same 401', () => {
  const forms: [string, (key: string) => string][] = [
    ['nothing', () => ''],
    ['the key alone', (key) => key],
    ['another scheme', (key) => `Token ${key}`],
    ['a scheme without a key', () => 'Bearer'],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['a typo', (key) => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ['a key that nobody made', () => `Bearer ${makeApiKey('test')}`],
    ['Basic with a password', (key) => basic(`${key}:secret`)],
    ['Basic with a second colon', (key) => basic(`${key}::`)],
    ['Basic without a colon', (key) => basic(key)],
    ['Basic that is URL-safe', (key) => basic(`${key}:`).replaceAll('=', '')],
    ['Basic that is not base64', (key) => `${basic(`${key}:`)}*`],
    ['a header of 513 bytes', (key) => `Bearer ${' '.repeat(513 - 7 - key.length)}${key}`],
  ]
  test.each(forms)('%s', async (_, form) => {
    const { api, key } = await startTestGateway()
    const answer = await api.get('/v1/whoami', { authorization: form(key) })
    expectError(answer, 401, 'unauthorized', /^Send a valid API key/)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('two headers', async () => {
    const { port, key } = await startTestGateway()
    const header = `Authorization: Bearer ${key}`
    const answer = await sendRaw(
      port,
      ['GET /v1/whoami HTTP/1.1', 'Host: a', header, header, 'Connection: close', '', ''].join('\r\n'),
    )
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })
})

test('a key in the query is no key, and a typo is refused without a look-up', async () => {
  const { api, key, services } = await startTestGateway()
  expectError(await api.get(`/v1/whoami?api_key=${key}`, { authorization: '' }), 401, 'unauthorized')
  expectError(await api.get('/v1/whoami', { authorization: `Bearer ${key}0` }), 401, 'unauthorized')
  expect(services.verifications).toBe(0)
})

test('while accounts is down nobody is told that his key is wrong', async () => {
  const { api, services } = await startTestGateway({ withServices: false })
  expectError(await api.get('/v1/whoami'), 503, 'service_unavailable')
  await services.start('accounts')
  await waitFor(async () => expect((await api.get('/v1/whoami')).status).toBe(200))
})

describe('a key without the scope is refused by naming it', () => {
  test.each([
    ['read', ['print'], 'GET', `/v1/printers/${PRINTER_ID}`],
    ['read', ['print'], 'GET', '/v1/printers'],
    ['read', ['print'], 'GET', '/v1/computers'],
    ['read', ['print'], 'GET', `/v1/computers/${PRINTER_ID}`],
    ['read', ['print'], 'GET', `/v1/printjobs/${PRINTER_ID}`],
    ['read', ['print'], 'GET', `/v1/printjobs/${PRINTER_ID}/events`],
    ['print', ['read'], 'POST', '/v1/printjobs'],
  ])('%s', async (scope, scopes, method, path) => {
    const { api, services } = await startTestGateway()
    const as = (key: string) => ({ headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } })
    const refused = await api.request(method, path, as(services.makeKey('test', scopes)))
    expectError(refused, 403, 'insufficient_scope', new RegExp(`\`${scope}\``))
    for (const enough of [scope, 'admin'])
      expect((await api.request(method, path, as(services.makeKey('test', [enough])))).status).not.toBe(403)
  })
})

describe('the answer of a look-up', () => {
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
    return { services, clock, apiKeys: createApiKeys(accounts, () => clock.now) }
  }

  test('is shared by all who ask at once, and remembered for less than 5 s', async () => {
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

  test('that no key was found is remembered as well', async () => {
    const { services, apiKeys } = await startKeys()
    const key = makeApiKey('live')
    expect([await apiKeys.find(key), await apiKeys.find(key)]).toEqual([undefined, undefined])
    expect(services.verifications).toBe(1)
  })
})
