import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { WAYS } from '@platen/resources/agent-commands.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import { addGateway, expectError, sendRaw } from '../client.ts'

const COMPUTER = { hostname: 'till-1', os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '0.1.0' }
const randomToken = () => `platen_enroll_${randomBytes(32).toString('base64url')}`

/** A token, and the calls to devices. */
async function newToken(maxUses = 1, gatewayUrl?: string) {
  const organization = await newOrganization()
  const { api, world } = organization
  const { status, body } = await api.post('/v1/enrollments', { maxUses, expiresInSeconds: 60 })
  const url = gatewayUrl ?? world.gatewayUrl
  const anonymous = createApi(url, '')
  let lookUps = 0
  world.intercept(DevicesService.method.findEnrollments, async (request, next) => {
    lookUps++
    return await next(request)
  })
  const enroll = (computer: unknown = COMPUTER, token: string = body.token) =>
    anonymous.post('/v1/agents/enroll', computer, { authorization: `Bearer ${token}` })
  return { ...organization, status, body, token: body.token, anonymous, enroll, lookUps: () => lookUps }
}

test('a token is made without a body with the defaults', async () => {
  proves('enrollment.no-body')
  const { api } = await newOrganization()
  const { status, body } = await api.request('POST', '/v1/enrollments', {})
  expect([status, body.maxUses]).toEqual([201, 1])
})

test('a token is made with a live key alone', async () => {
  proves('enrollment.test-key')
  const { status, body, testApi, world } = await newToken(2)
  const expiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString()
  const id = expect.any(String)
  const commands = { linux: null, macos: null, windows: null, docker: expect.any(String), thisComputer: null }
  const token = expect.stringMatching(/^platen_enroll_/)
  expect([status, body]).toEqual([201, { id, token, expiresAt, maxUses: 2, commands }])
  expectError(await testApi.post('/v1/enrollments', {}), 422, 'mode_mismatch', /live key/)
})

test('a new token has the commands of the dashboard, with the address of the installation, for the packages that exist', async () => {
  proves('enrollment.commands')
  const directory = await mkdtemp(join(tmpdir(), 'platen-agents-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const list = `${'0'.repeat(64)}  platen-agent-1.2.3-linux-x64.deb\n`
  await writeFile(join(directory, 'SHA256SUMS'), list)
  const { api } = await newOrganization()
  const offering = { agentPackagesDirectory: directory, installation: 'npm-start' } as const
  const { url } = await addGateway(offering)
  const create = async (at: string, headers = {}) =>
    (await createApi(at, api.key).post('/v1/enrollments', {}, headers)).body
  const { token, commands } = await create(url)
  const values = { server: url, token, version: '1.2.3', allowsNetworkPrinters: true }
  expect(commands).toEqual({
    linux: WAYS.Linux.command(values),
    macos: null,
    windows: null,
    docker: WAYS.Docker.command(values),
    thisComputer: WAYS['This computer'].command(values),
  })
  expect(commands.linux).not.toContain(token)
  const behindProxy = await create(url, { 'x-forwarded-proto': 'https' })
  expect(behindProxy.commands.linux).toContain(url.replace('http:', 'https:'))
  const { url: named } = await addGateway({ ...offering, publicUrl: 'https://print.example.com' })
  expect((await create(named)).commands.linux).toContain('curl -fsSL https://print.example.com/agents/install.sh')
  const { port } = await addGateway(offering)
  const head = [
    'POST /v1/enrollments HTTP/1.1',
    'Host: a;$(id)',
    `Authorization: Bearer ${api.key}`,
    'Content-Length: 0',
  ]
  const refused = await sendRaw(port, [...head, 'Connection: close', '\r\n'].join('\r\n'))
  expect(refused).toMatch(/^HTTP\/1\.1 400 [\s\S]*`Host` is no host name/)
  expect((await api.get('/v1/enrollments')).body.data).toHaveLength(3)
})

test('an enrolment is repeated with the header Idempotency-Key', async () => {
  proves('enrollment.repeated')
  const { token, anonymous } = await newToken()
  const enroll = (key: string) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key }
    return anonymous.post('/v1/agents/enroll', COMPUTER, headers)
  }
  const [first, second] = [await enroll('key'), await enroll('key')]
  expect([first.status, second.status, second.body.computerId]).toEqual([201, 201, first.body.computerId])
  expect(second.body.credential).not.toBe(first.body.credential)
  expectError(await enroll('other'), 401, 'unauthorized', /used up/)
  expectError(await enroll('x'.repeat(256)), 400, 'invalid_request', /Idempotency-Key/)
})

test('an organization enrols no more computers than its plan permits; test computers do not count', async () => {
  proves('usage.computers.enforced')
  const { id, enroll, testApi, world } = await newToken(2)
  expect((await testApi.get('/v1/computers')).body.data).toHaveLength(1)
  await world.usage.setPlan({ organizationId: id, computersLimit: 1 })
  expect((await enroll()).status).toBe(201)
  const { status, body } = await enroll()
  const message = 'The plan of this organization permits 1 computer. Delete a computer, or choose a larger plan.'
  expect([status, body]).toMatchObject([402, { error: { code: 'quota_exceeded', message } }])
})

test('agents connect to the configured address, or to another port of the host of the enrolment', async () => {
  proves('agent.server')
  const configured = await addGateway({ agentPublicUrl: 'https://agents.print.example' })
  const { enroll } = await newToken(1, configured.url)
  // A body that is refused spends no use of the token.
  expectError(await enroll({ ...COMPUTER, hostname: '' }), 400, 'invalid_request', /`hostname`/)
  expect((await enroll()).body.agentUrl).toBe('https://agents.print.example')
  expectError(await enroll(), 401, 'unauthorized', /token/)
  const { port } = await addGateway({ agentPort: 9_999 })
  const { token } = await newToken(4)
  for (const [host, agentUrl] of [
    ['print.example', 'http://print.example:9999'],
    ['print.example:8080', 'http://print.example:9999'],
    ['192.168.1.5:8080', 'http://192.168.1.5:9999'],
    ['[fd12::1]:8080', 'http://[fd12::1]:9999'],
  ]) {
    const body = JSON.stringify(COMPUTER)
    const head = [
      ...['POST /v1/agents/enroll HTTP/1.1', `Host: ${host}`, 'Connection: close', `Authorization: Bearer ${token}`],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`],
    ]
    expect(await sendRaw(port, `${head.join('\r\n')}\r\n\r\n${body}`)).toContain(`"agentUrl":"${agentUrl}"`)
  }
})

test('behind a proxy with TLS and without a configured address an enrolment is refused, and spends no use of its token', async () => {
  proves('agent.enroll.proxy')
  const { token, anonymous } = await newToken()
  const enroll = (headers: Record<string, string>) =>
    anonymous.post('/v1/agents/enroll', COMPUTER, { authorization: `Bearer ${token}`, ...headers })
  const refused = await enroll({ 'x-forwarded-proto': 'https' })
  expectError(refused, 503, 'service_unavailable', /PLATEN_AGENT_PUBLIC_URL/)
  expect((await enroll({ 'x-forwarded-proto': 'http' })).status).toBe(201)
})

test('no token, an API key, another form, and a token that does not exist are a 401', async () => {
  const { anonymous, liveKey, token, lookUps } = await newToken()
  for (const authorization of ['', `Bearer ${liveKey}`, 'Bearer platen_enroll_x', `Bearer ${randomToken()}`])
    expectError(
      await anonymous.post('/v1/agents/enroll', COMPUTER, { authorization }),
      401,
      'unauthorized',
      /enrolment token/,
    )
  expect(lookUps()).toBe(1)
  // Nor does a token open anything else.
  expectError(await anonymous.get('/v1/computers', { authorization: `Bearer ${token}` }), 401, 'unauthorized')
})

test.each([
  ['different', () => randomToken()],
  ['equal', (first: string) => first],
])('400 made-up tokens at once that are %s are few look-ups, and keep no good one out', async (_, getToken) => {
  const { enroll, lookUps } = await newToken()
  const startedAt = performance.now()
  const first = randomToken()
  const flood = Array.from({ length: 400 }, () => enroll(COMPUTER, getToken(first)))
  expect((await enroll()).status).toBe(201)
  for (const answer of await Promise.all(flood)) expectError(answer, 401, 'unauthorized')
  // One in 20 ms at most; a timer may be early by a millisecond or two.
  expect(lookUps()).toBeLessThanOrEqual(Math.ceil((performance.now() - startedAt) / 18) + 1)
})

test('a token has the rate limit of a key', async () => {
  const { url } = await addGateway({ rateLimitPerSecond: 20, nats: undefined })
  const { enroll, world } = await newToken(100, url)
  for (let n = 1; n <= 20; n++) expect((await enroll()).status).toBe(201)
  expectError(await enroll(), 429, 'rate_limited', /This token can make 20 requests a second/)
  world.advance(1_000)
  expect((await enroll()).status).toBe(201)
})

test('tokens are listed in pages, newest first, without the tokens; a test key has none', async () => {
  proves(
    'endpoint.GET.enrollments',
    'enrollments.paged',
    'enrollments.no-token',
    'enrollments.test-key',
    'enrollments.id',
    'enrollments.maxUses',
    'enrollments.uses',
    'enrollments.expiresAt',
    'enrollments.createdAt',
  )
  const { api, testApi, body: first, enroll, world } = await newToken(2)
  await enroll()
  const { body: second } = await api.post('/v1/enrollments', {})
  const createdAt = world.clock.now().toISOString()
  const newest = await api.get('/v1/enrollments?limit=1')
  expect(newest.body).toEqual({
    data: [{ id: second.id, maxUses: 1, uses: 0, expiresAt: second.expiresAt, createdAt }],
    hasMore: true,
    nextCursor: expect.any(String),
  })
  const next = await api.get(`/v1/enrollments?limit=1&after=${newest.body.nextCursor}`)
  expect(next.body).toMatchObject({
    data: [{ id: first.id, maxUses: 2, uses: 1, expiresAt: first.expiresAt, createdAt }],
    hasMore: false,
  })
  expect(JSON.stringify([newest.body, next.body])).not.toContain('platen_enroll_')
  expect((await testApi.get('/v1/enrollments')).body).toEqual({ data: [], hasMore: false, nextCursor: null })
})

test('a revoked token is refused and no longer listed; its computers stay', async () => {
  proves(
    'endpoint.DELETE.enrollments.id',
    'enrollment.revoke.refused',
    'enrollment.revoke.gone',
    'enrollment.revoke.computers',
    'enrollment.revoke.twice',
  )
  const { api, testApi, body, enroll } = await newToken(2)
  const { computerId } = (await enroll()).body
  const path = `/v1/enrollments/${body.id}`
  const { api: stranger } = await newOrganization()
  for (const other of [testApi, stranger]) expectError(await other.request('DELETE', path), 404, 'not_found')
  expect((await api.request('DELETE', path)).status).toBe(204)
  expectError(await enroll(), 401, 'unauthorized', /^This enrolment token does not exist or was revoked/)
  expect((await api.get('/v1/enrollments')).body.data).toEqual([])
  expect((await api.get(`/v1/computers/${computerId}`)).status).toBe(200)
  expectError(await api.request('DELETE', path), 404, 'not_found', /no enrolment token/)
})
