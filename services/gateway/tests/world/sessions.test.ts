/** Sessions of the dashboard. Codes and their limits are in `accounts/tests/world/sign-in.test.ts`. */
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { addSession, createBrowser, type Role, signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { DASHBOARD_OPERATIONS } from '../../dashboard-operations.ts'
import type { Operation } from '../../operation/operation.ts'
import { OPERATIONS } from '../../operations.ts'
import { addGateway, expectError } from '../client.ts'
import { requestTo } from '../request-to.ts'

const UNSAFE = [...OPERATIONS, ...DASHBOARD_OPERATIONS].filter(
  ({ method, credential }) => method !== 'get' && credential !== 'enrollmentToken',
)

async function newMember(role: Role = 'owner', mode = 'live') {
  const organization = await newOrganization()
  return { ...organization, browser: await signInAs(organization, role, mode) }
}

describe('a sign-in', () => {
  test('sets cookies that scripts and other sites cannot use, and whoami names the user', async () => {
    proves('session.cookie.flags', 'whoami.user', 'whoami.user.apiKey', 'endpoint.account.sign-in')
    const organization = await newOrganization()
    const { world, id } = organization
    const email = `ann-${id}@example.com`
    await world.accounts.addMember({ organizationId: id, email, role: 'admin' })
    const browser = createBrowser(world.gatewayUrl)
    const started = await browser.post('/account/sign-in', { email: ` ${email.toUpperCase()} ` })
    expect([started.status, started.body]).toEqual([202, { expiresAt: expect.any(String), sentTo: 'terminal' }])
    const { status, headers, body } = await browser.signIn(world, email)
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        user: { id: expect.any(String), email },
        organizations: [{ id, name: 'Corner shop', role: 'admin', forbiddenOperations: expect.any(Object) }],
        signedInAt: world.clock.now().toISOString(),
        recentUntil: new Date(world.clock.now().getTime() + 3_600_000).toISOString(),
        build: expect.any(String),
        isEncrypted: false,
        offers: { ipp: false },
      },
    ])
    const cookies = headers.getSetCookie()
    expect(cookies.map((cookie) => /^[^=]+/.exec(cookie)?.[0])).toEqual([
      'platen_session',
      'platen_known_browser',
      'platen_sign_in',
    ])
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    const whoami = await browser.get('/v1/whoami')
    expect(whoami.body).toEqual({
      organization: { id, name: 'Corner shop' },
      mode: 'live',
      apiKey: null,
      user: { id: body.user.id, email, role: 'admin' },
      installation: { documentPreview: expect.any(Boolean), printNode: false },
    })
    expect((await browser.get('/account/session')).body).toEqual(body)
  })

  test('by TLS sets cookies that are sent by TLS alone and belong to this host', async () => {
    proves('session.cookie.tls')
    const { world, id } = await newOrganization()
    const { url } = await addGateway({ publicUrl: 'https://print.example.com', isEncrypted: true })
    const email = `ann-${id}@example.com`
    await world.accounts.addMember({ organizationId: id, email, role: 'admin' })
    const { headers, body } = await createBrowser(url).signIn(world, email)
    expect(body.isEncrypted).toBe(true)
    const [session, ...others] = headers.getSetCookie()
    expect(session).toMatch(/^__Host-platen_session=[\w-]{43}; Path=\/; Expires=.*; HttpOnly; SameSite=Strict; Secure$/)
    for (const other of others) expect(other).toMatch(/; Secure$/)
  })

  test('with a wrong code is a 401 with the remaining tries and no session', async () => {
    proves('error.401.sign_in_failed', 'session.wrong-code')
    const { world, id } = await newOrganization()
    const browser = createBrowser(world.gatewayUrl)
    await browser.post('/account/sign-in', { email: `nobody-${id}@example.com` })
    expectError(await browser.post('/account/sign-in/code', { code: 'abcd-ilo0' }), 401, 'sign_in_failed', /4 tries/)
    expectError(await browser.post('/account/sign-in/code', { code: '12345' }), 400, 'invalid_request', /8 characters/)
    expectError(await browser.get('/account/session'), 401, 'unauthorized')
  })

  test('replaces the session of the browser, so that it has one', async () => {
    const { world, browser } = await newMember()
    const again = await addSession(browser, world, browser.email)
    const { body } = await browser.get('/account/sessions')
    expect(body.data).toEqual([
      {
        id: again.sessionId,
        browser: 'Firefox on Linux',
        ip: '127.0.0.1',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        isCurrent: true,
      },
    ])
  })
})

describe('a session', () => {
  test('works without API key below /v1 and /account, and an API key not below /account', async () => {
    proves('session.accepted', 'session.account-only')
    const { world, api, browser } = await newMember()
    expect((await browser.get('/v1/printers')).status).toBe(200)
    expectError(await api.get('/account/session'), 401, 'unauthorized', /session/)
    const ended = createBrowser(world.gatewayUrl)
    ended.cookies.set('platen_session', 'x'.repeat(43))
    const refused = await ended.get('/v1/printers')
    expectError(refused, 401, 'unauthorized', /^Your session has ended/)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('with an API key in the same request is the API key', async () => {
    proves('session.key-first')
    const { browser, testKey } = await newMember()
    const { body } = await browser.get('/v1/whoami', { headers: { authorization: `Bearer ${testKey}` } })
    expect([body.mode, body.user]).toEqual(['test', null])
  })

  test('names its mode, and sees nothing of the other one', async () => {
    proves('session.mode')
    const { browser, addPrinter } = await newMember()
    const printer = await addPrinter('live')
    for (const mode of ['', 'both'])
      expectError(await browser.get('/v1/printers', { headers: { 'platen-mode': mode } }), 400, 'invalid_request')
    expect((await browser.get(`/v1/printers/${printer.id}`)).status).toBe(200)
    const inTest = { headers: { 'platen-mode': 'test' } }
    expectError(await browser.get(`/v1/printers/${printer.id}`, inTest), 404, 'not_found')
  })

  test('of several organizations names one, and sees nothing of others', async () => {
    proves('session.organization')
    const { world, id, browser, addPrinter } = await newMember()
    const printer = await addPrinter('live')
    const [second, foreign] = [await newOrganization(), await newOrganization()]
    await world.accounts.addMember({ organizationId: second.id, email: browser.email, role: 'member' })
    const { sessionId } = await addSession(browser, world, browser.email)
    expect(sessionId).not.toBe(browser.sessionId)
    const get = (organization: string) =>
      browser.get(`/v1/printers/${printer.id}`, { headers: { 'platen-organization': organization } })
    expectError(await get(''), 400, 'invalid_request', /Platen-Organization/)
    expect((await get(id.toUpperCase())).status).toBe(200)
    expectError(await get(second.id), 404, 'not_found')
    expectError(await get(foreign.id), 403, 'forbidden')
    expectError(await get('shop'), 403, 'forbidden')
  })

  test('is the actor `user` of its jobs, which store the user', async () => {
    proves('session.actor')
    const { world, browser, api, addPrinter, id } = await newMember()
    const printer = await addPrinter('live')
    const created = await browser.post('/v1/printjobs', printJob(printer.id))
    await browser.post(`/v1/printjobs/${created.body.id}/cancel`)
    const { body } = await api.get(`/v1/printjobs/${created.body.id}/events`)
    expect(body.data.map(({ state, actor }: Record<string, string>) => `${state} ${actor}`)).toEqual([
      'queued user',
      'cancelled user',
    ])
    const byKey = await api.createJob(printJob(printer.id))
    const stored = await world.query(
      'SELECT created_by, cancelled_by FROM jobs.job WHERE organization_id = $1 ORDER BY accepted_order',
      [id],
    )
    const user = `user:${browser.userId}`
    expect(stored).toEqual([
      { created_by: user, cancelled_by: user },
      { created_by: expect.stringMatching(/^key:[0-9a-f-]{36}$/), cancelled_by: null },
    ])
    expect(byKey.id).toEqual(expect.any(String))
  })

  test('makes 20 requests in a second', async () => {
    proves('session.rate')
    const { browser } = await newMember()
    const { url } = await addGateway({ rateLimitPerSecond: 20 })
    const answers = []
    for (let n = 0; n < 21; n++) answers.push(await browser.get('/v1/whoami', { url }))
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429])
    expectError(answers[20] as never, 429, 'rate_limited', /^This session can make 20 requests/)
  })

  test('makes with all others of its organization 200 requests in a second, beside those of the keys', async () => {
    proves('rate-limit.sessions.200')
    const organization = await newOrganization()
    const { world, liveKey } = organization
    const { url } = await addGateway({ rateLimitPerSecond: 20, organizationRateLimitPerSecond: 200 })
    const users = await Promise.all((['owner', 'admin', 'member'] as const).map((role) => signInAs(organization, role)))
    const browsers = [...users]
    for (const { email } of users)
      for (let n = 0; n < 3; n++) {
        const browser = createBrowser(world.gatewayUrl)
        await addSession(browser, world, email)
        browsers.push(browser as (typeof users)[number])
      }
    const answers = await Promise.all(
      browsers.flatMap((browser) => Array.from({ length: 20 }, () => browser.get('/v1/whoami', { url }))),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200)
    const refused = answers.find(({ status }) => status === 429)
    expectError(refused as never, 429, 'rate_limited', /^This organization can make 200 requests a second/)
    expect((await createApi(url, liveKey).get('/v1/whoami')).status).toBe(200)
  })
})

describe('a change by a session', () => {
  const FORGED: [string, Record<string, string>, number, string][] = [
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403, 'forbidden'],
    ['another host of the site', { 'sec-fetch-site': 'same-site' }, 403, 'forbidden'],
    ['neither header', { 'sec-fetch-site': '' }, 403, 'forbidden'],
    ['another origin', { 'sec-fetch-site': '', origin: 'http://evil.example' }, 403, 'forbidden'],
    ['an unknown origin', { 'sec-fetch-site': '', origin: 'null' }, 403, 'forbidden'],
  ]
  const FORMS: typeof FORGED = [
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['plain text', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ]
  const MODELESS: typeof FORGED = [['no mode', { 'platen-mode': '' }, 400, 'invalid_request']]
  let sharedMember: ReturnType<typeof newMember> | undefined

  const toRefusals = ({ method, path }: Operation) => [
    ...FORGED,
    ...(method === 'delete' ? [] : FORMS),
    ...(path.startsWith('/v1') ? MODELESS : []),
  ]

  test.each(UNSAFE.map((operation) => [operation.operationId, operation] as const))(
    '%s must come from the dashboard as JSON with a mode',
    async (_, operation) => {
      proves('session.csrf.origin', 'session.csrf.json', 'session.csrf.mode')
      sharedMember ??= newMember()
      const { browser } = await sharedMember
      const { method, path, init } = requestTo(operation)
      const body = 'body' in init ? init.body : undefined
      for (const [what, headers, status, code] of toRefusals(operation)) {
        const answer = await browser.request(method, path, { body, headers })
        expect([what, answer.status, answer.body?.error?.code]).toEqual([what, status, code])
      }
    },
  )

  test.each([
    [undefined, undefined],
    ['https://print.example.com', 'https://print.example.com'],
  ])('by plain HTTP comes from the origin of the request, or of PLATEN_PUBLIC_URL %s', async (publicUrl, origin) => {
    const { browser } = await newMember()
    const { url } = await addGateway({ publicUrl })
    const post = (from: string) =>
      browser.post('/v1/enrollments', {}, { url, headers: { 'sec-fetch-site': '', origin: from } })
    expect((await post(origin ?? url)).status).toBe(201)
    expectError(await post(origin ? url : 'https://print.example.com'), 403, 'forbidden')
  })
})

describe('within 5 s on 3 gateways', () => {
  async function newReplicas() {
    const member = await newMember('admin')
    const urls = [member.world.gatewayUrl, (await addGateway()).url, (await addGateway()).url]
    const { browser, world } = member
    const read = () => Promise.all(urls.map(async (url) => (await browser.get('/v1/whoami', { url })).status))
    const useFor5s = async () => {
      for (let ms = 0; ms < 5_000; ms += 625) {
        await read()
        world.advance(625)
      }
    }
    expect(await read()).toEqual([200, 200, 200])
    return { ...member, urls, read, useFor5s }
  }

  test('an ended session is refused, and another one works', async () => {
    proves('session.ended.5s')
    const { world, browser, read, useFor5s } = await newReplicas()
    const other = await addSession(createBrowser(world.gatewayUrl), world, browser.email)
    expect((await other.delete(`/account/sessions/${browser.sessionId}`)).status).toBe(204)
    await useFor5s()
    expect(await read()).toEqual([401, 401, 401])
    expect((await other.get('/account/session')).status).toBe(200)
  })

  test('a removed member is refused', async () => {
    proves('session.removed-member.5s')
    const { world, id, browser, read, useFor5s } = await newReplicas()
    await world.query('DELETE FROM accounts.membership WHERE organization_id = $1 AND user_id = $2', [
      id,
      browser.userId,
    ])
    await useFor5s()
    expect(await read()).toEqual([403, 403, 403])
  })

  test('a lowered role holds', async () => {
    proves('session.role.5s')
    const { world, id, browser, urls, useFor5s } = await newReplicas()
    const list = () => Promise.all(urls.map(async (url) => (await browser.get('/v1/webhooks', { url })).status))
    expect(await list()).toEqual([200, 200, 200])
    await world.accounts.addMember({ organizationId: id, email: browser.email, role: 'member' })
    await useFor5s()
    expect(await list()).toEqual([403, 403, 403])
  })

  test('a request that waits for events returns none', async () => {
    proves('session.poll')
    const { world, browser } = await newReplicas()
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    world.intercept(EventsService.method.listEvents, async (request, next) => {
      reached.resolve()
      await held.promise
      return await next(request)
    })
    const answer = browser.get('/v1/events?wait=1')
    await reached.promise
    await world.accounts.endSession({ userId: browser.userId, sessionId: browser.sessionId })
    world.advance(5_000)
    held.resolve()
    expectError(await answer, 401, 'unauthorized')
  })
})

test('signing out ends the session at once, and the cookie is deleted', async () => {
  proves('session.sign-out')
  const { browser } = await newMember()
  const token = browser.cookies.get('platen_session') ?? ''
  expect((await browser.delete('/account/session')).status).toBe(204)
  expect(browser.cookies.has('platen_session')).toBe(false)
  browser.cookies.set('platen_session', token)
  expectError(await browser.get('/account/session'), 401, 'unauthorized')
})

test('all other sessions of the user can be ended', async () => {
  proves('session.end-others.request')
  const { world, browser } = await newMember()
  const other = await addSession(createBrowser(world.gatewayUrl), world, browser.email)
  expect((await browser.delete('/account/sessions')).status).toBe(204)
  world.advance(5_000)
  expect([(await browser.get('/account/session')).status, (await other.get('/account/session')).status]).toEqual([
    200, 401,
  ])
})
