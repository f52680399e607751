import { makeApiKey } from '@platen/accounts/api-key.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { expectError } from './expect-error.ts'
import { sendRaw } from './send-raw.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { API_KEY_ID, AT, ORGANIZATION_ID } from './start-test-services.ts'

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

test('a key with an older prefix that is configured is accepted like any other, as Bearer and as Basic', async () => {
  const { api, services } = await startTestGateway()
  const key = services.makeKey('live', ['read'], { prefix: 'older' })
  for (const authorization of [`Bearer ${key}`, basic(`${key}:`)]) {
    const { status, body } = await api.get('/v1/whoami', { authorization })
    expect([status, body.mode, body.apiKey.scopes]).toEqual([200, 'live', ['read']])
  }
})

test('a key with a prefix that is not configured, and a typo in one with an older prefix, are refused without a look-up', async () => {
  const { api, services } = await startTestGateway()
  const older = services.makeKey('live', ['read'], { prefix: 'older' })
  for (const key of [
    services.makeKey('live', ['read'], { prefix: 'oldest' }),
    `${older}0`,
    older.replace('older', 'platen'),
  ])
    expectError(await api.get('/v1/whoami', { authorization: `Bearer ${key}` }), 401, 'unauthorized')
  expect(services.verifications).toBe(0)
})

test('a key is accepted as Bearer and as the user name of Basic, the scheme in any case', async () => {
  const { api, key } = await startTestGateway()
  for (const authorization of [
    `Bearer ${key}`,
    `bearer ${key}`,
    `BEARER  ${key}`,
    basic(`${key}:`),
    basic(`${key}:`).replace('Basic', 'basic'),
    basic(`${key}:`).replace(' ', '  '),
    `Bearer ${key}  `,
    `Bearer ${' '.repeat(512 - 7 - key.length)}${key}`,
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
    ['a form of Basic behind Bearer', (key) => `Bearer ${Buffer.from(`${key}:`).toString('base64')}`],
    ['a key behind Basic', (key) => `Basic ${key}`],
    ['a tab behind the scheme', (key) => `Bearer\t${key}`],
    ['a comma list', (key) => `Bearer ${key}, Bearer ${key}`],
    ['a key in quotes', (key) => `Bearer "${key}"`],
    ['a key with its prefix in capitals', (key) => `Bearer ${key.replace('platen', 'PLATEN')}`],
    ['Basic without a user name', () => basic(':')],
    ['Basic with the key as the password', (key) => basic(`:${key}`)],
    ['Basic with a space before the key', (key) => basic(` ${key}:`)],
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
  for (const name of ['x-api-key', 'cookie', 'proxy-authorization'])
    expectError(await api.get('/v1/whoami', { authorization: '', [name]: `Bearer ${key}` }), 401, 'unauthorized')
  expect(services.verifications).toBe(0)
})

test('while accounts is down nobody is told that his key is wrong', async () => {
  const { api, services } = await startTestGateway({ withServices: false })
  expectError(await api.get('/v1/whoami'), 503, 'service_unavailable')
  await services.start('accounts')
  await waitFor(async () => expect((await api.get('/v1/whoami')).status).toBe(200))
})
