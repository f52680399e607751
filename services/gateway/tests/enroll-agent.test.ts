import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { expectError } from './expect-error.ts'
import { sendRaw } from './send-raw.ts'
import { startTestGateway } from './start-test-gateway.ts'
import { AGENT_CREDENTIAL, COMPUTER_ID, ENROLLMENT_TOKEN } from './start-test-services.ts'

const COMPUTER = { hostname: 'till-1', os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '0.1.0' }
const randomToken = () => `platen_enroll_${randomBytes(32).toString('base64url')}`

async function start(config: Partial<Config> = {}) {
  const { api, port, services, key } = await startTestGateway({ config })
  return {
    api,
    port,
    services,
    key,
    enroll: (body: unknown = COMPUTER, token = ENROLLMENT_TOKEN) =>
      api.post('/v1/agents/enroll', body, { authorization: `Bearer ${token}` }),
  }
}

test('a token is traded for a credential, and the agent hears where it connects', async () => {
  const { enroll, services, port } = await start()
  const answer = await enroll({ ...COMPUTER, name: 'Till', previousCredential: AGENT_CREDENTIAL })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    computerId: COMPUTER_ID,
    credential: AGENT_CREDENTIAL,
    agentUrl: 'http://127.0.0.1:8090',
  })
  expect(port).not.toBe(8090)
  expect(services.enrolled).toMatchObject([
    { token: ENROLLMENT_TOKEN, credential: AGENT_CREDENTIAL, name: 'Till', ...COMPUTER },
  ])
})

test('agents connect to the address that is configured, or beside the one that they enrol at', async () => {
  const configured = await start({ agentPublicUrl: 'https://agents.print.example' })
  expect((await configured.enroll()).body.agentUrl).toBe('https://agents.print.example')
  const { port } = await start({ agentPort: 9_999 })
  const hosts: [string, string][] = [
    ['print.example', 'http://print.example:9999'],
    ['print.example:8080', 'http://print.example:9999'],
    ['192.168.1.5:8080', 'http://192.168.1.5:9999'],
    ['[fd12::1]:8080', 'http://[fd12::1]:9999'],
  ]
  for (const [host, agentUrl] of hosts) {
    const body = JSON.stringify(COMPUTER)
    const head = [
      'POST /v1/agents/enroll HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${ENROLLMENT_TOKEN}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]
    expect(await sendRaw(port, `${head.join('\r\n')}\r\n\r\n${body}`)).toContain(`"agentUrl":"${agentUrl}"`)
  }
})

test('what devices says of a token is what the agent hears', async () => {
  const { enroll, services } = await start()
  services.enrollError = 'The enrolment token has expired: make a new one.'
  expectError(await enroll(), 401, 'unauthorized', /^The enrolment token has expired: make a new one\.$/)
})

test.each([
  ['none', ''],
  ['an API key', undefined],
  ['one of another form', 'Bearer platen_enroll_x'],
  ['one that does not exist', `Bearer ${randomToken()}`],
])('%s in the place of a token is a 401, and costs no enrolment', async (_, authorization) => {
  const { api, services, key } = await start()
  const headers = { authorization: authorization ?? `Bearer ${key}` }
  expectError(await api.post('/v1/agents/enroll', COMPUTER, headers), 401, 'unauthorized', /enrolment token/)
  expect(services.enrolled).toEqual([])
  expect(services.verifications).toBe(0)
})

test('a token opens nothing else', async () => {
  const { api } = await start()
  const headers = { authorization: `Bearer ${ENROLLMENT_TOKEN}` }
  expectError(await api.get('/v1/computers', headers), 401, 'unauthorized')
  expectError(await api.post('/v1/agents/enroll/', COMPUTER, headers), 401, 'unauthorized')
})

/** One in 5 ms at most; what a timer counts may be early by a millisecond or two. */
const lookUpsMax = (sinceMs: number) => Math.ceil((performance.now() - sinceMs) / 3) + 1

test('a flood of made-up tokens is asked for in few calls, and keeps no good one out', async () => {
  const { enroll, services } = await start()
  const startedAt = performance.now()
  const flood = Array.from({ length: 400 }, () => enroll(COMPUTER, randomToken()))
  const good = await enroll()
  expect(good.status).toBe(201)
  for (const answer of await Promise.all(flood)) expectError(answer, 401, 'unauthorized')
  expect(services.enrolled).toHaveLength(1)
  expect(services.enrollmentLookUps).toBeLessThanOrEqual(lookUpsMax(startedAt))
})

test('one made-up token that comes again and again is looked up once at a time', async () => {
  const { enroll, services } = await start()
  const token = randomToken()
  const startedAt = performance.now()
  for (const answer of await Promise.all(Array.from({ length: 400 }, () => enroll(COMPUTER, token))))
    expectError(answer, 401, 'unauthorized')
  expect(services.enrollmentLookUps).toBeLessThanOrEqual(lookUpsMax(startedAt))
})

test('20 requests a second with one token are served, the 21st is a 429, and another second begins anew', async () => {
  const clock = { ms: 5_000 }
  const { api } = await startTestGateway({ config: { rateLimitPerSecond: 20 }, now: () => clock.ms })
  const headers = { authorization: `Bearer ${ENROLLMENT_TOKEN}` }
  const enroll = () => api.post('/v1/agents/enroll', COMPUTER, headers)
  for (let n = 1; n <= 20; n++) expect((await enroll()).status).toBe(201)
  const refused = await enroll()
  expectError(refused, 429, 'rate_limited', /This token may make 20 requests a second/)
  expect(refused.headers.get('retry-after')).toBe('1')
  clock.ms += 1_000
  expect((await enroll()).status).toBe(201)
})

test.each([
  ['an empty hostname', { hostname: '' }, /`hostname`: must not be empty/],
  ['a hostname of 256 characters', { hostname: 'h'.repeat(256) }, /`hostname`: must have at most 255 characters/],
  ['a name of 256 characters', { name: 'n'.repeat(256) }, /`name`/],
  ['the character U+0000', { os: 'a\0b' }, /`os`: must not contain/],
  ['a previous credential of another form', { previousCredential: 'platen_agent_x' }, /`previousCredential`/],
  ['an unknown field', { token: 'x' }, /`token`: not known here/],
])('%s is a 400 and spends no use of the token', async (_, changes, message) => {
  const { enroll, services } = await start()
  expectError(await enroll({ ...COMPUTER, ...changes }), 400, 'invalid_request', message)
  expect(services.enrolled).toEqual([])
})

test('255 characters are accepted', async () => {
  const { enroll } = await start()
  expect((await enroll({ ...COMPUTER, name: 'n'.repeat(255), hostname: 'h'.repeat(255) })).status).toBe(201)
})
