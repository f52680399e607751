/** Keys, members and the organization in the dashboard. */
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { type Answer, createApi } from '@platen/test/harness/api.ts'
import { addSession, createBrowser, signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { expectError, UNKNOWN_ID } from '../client.ts'

const HOUR_MS = 60 * 60_000

async function newOwner(mode: 'live' | 'test' = 'live') {
  const organization = await newOrganization()
  const owner = await signInAs(organization, 'owner', mode)
  return {
    ...organization,
    owner,
    listKeys: async () => (await owner.get('/account/keys')).body.data,
    createKey: (facts: object = {}) => owner.post('/account/keys', { name: 'Till', scopes: ['read'], ...facts }),
    revokeKey: (id: string) => owner.delete(`/account/keys/${id}`),
  }
}

test('a created key is shown once, works, and names its creator and its last use', async () => {
  proves('account.keys.create', 'account.keys.list')
  const { owner, createKey, listKeys, world } = await newOwner()
  const { status, body } = await createKey()
  expect(status).toBe(201)
  const { key, ...shown } = body
  expect(shown).toEqual({
    id: expect.any(String),
    name: 'Till',
    prefix: key.slice(0, 'platen_live_'.length + 4),
    lastFour: key.slice(-4),
    mode: 'live',
    scopes: ['read'],
    createdAt: world.clock.now().toISOString(),
    createdBy: { kind: 'user', id: owner.userId, name: owner.email },
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  })
  expect(JSON.stringify(await listKeys())).not.toContain(key)
  expect((await createApi(world.gatewayUrl, key).get('/v1/printers')).status).toBe(200)
  await world.sweep('accounts', 'last uses')
  expect(await listKeys()).toContainEqual({ ...shown, lastUsedAt: world.clock.now().toISOString() })
})

test('a revoked key is refused within 5 s and stays listed', async () => {
  proves('account.keys.revoke')
  const { createKey, listKeys, revokeKey, world } = await newOwner()
  const { body } = await createKey()
  const api = createApi(world.gatewayUrl, body.key)
  expect((await api.get('/v1/printers')).status).toBe(200)
  const revoked = await revokeKey(body.id)
  expect([revoked.status, revoked.body.revokedAt]).toEqual([200, world.clock.now().toISOString()])
  world.advance(5_000)
  expectError(await api.get('/v1/printers'), 401, 'unauthorized')
  expect(await listKeys()).toContainEqual(revoked.body)
  expect((await revokeKey(body.id)).body).toEqual(revoked.body)
})

test('a key is refused from its expiry on, then listed as revoked at that time, and does not count as valid', async () => {
  proves('account.keys.expires', 'auth.key.expires')
  const { createKey, listKeys, world } = await newOwner()
  const expiresAt = new Date(world.clock.now().getTime() + 1_000).toISOString()
  const { body } = await createKey({ expiresAt })
  const { get } = createApi(world.gatewayUrl, body.key)
  world.advance(999)
  expect([body.expiresAt, (await get('/v1/printers')).status]).toEqual([expiresAt, 200])
  world.advance(1)
  const isRefused = async () =>
    expectError(await get('/v1/printers'), 401, 'unauthorized', new RegExp(`^This key expired at ${expiresAt}`))
  await isRefused()
  await world.sweep('accounts', 'old rows')
  expect(await listKeys()).toContainEqual(expect.objectContaining({ id: body.id, expiresAt, revokedAt: expiresAt }))
  world.advance(5_000)
  await isRefused()
  for (const past of [world.clock.now().toISOString(), 'tomorrow'])
    expectError(await createKey({ expiresAt: past }), 400, 'invalid_request', /expiresAt/)
})

test('keys and sessions of a suspended organization are refused within 5 s, until it is resumed', async () => {
  proves('orgs.suspended', 'error.403.organization_suspended')
  const { id, owner, liveKey, world, addKey } = await newOwner()
  const callers = [createApi(world.gatewayUrl, liveKey), owner]
  const read = async () => await Promise.all(callers.map(({ get }) => get('/v1/printers')))
  for (const { status } of await read()) expect(status).toBe(200)
  await world.accounts.setSuspended({ organizationId: id, isSuspended: true })
  world.advance(5_000)
  for (const answer of await read()) expectError(answer, 403, 'organization_suspended')
  expectError(await owner.get('/account/keys'), 403, 'organization_suspended')
  expectError(await owner.get(`/account/locate/${UNKNOWN_ID}`), 404, 'not_found')
  expect((await owner.get('/account/session')).status).toBe(200)
  await world.accounts.setSuspended({ organizationId: id, isSuspended: false })
  expect((await createApi(world.gatewayUrl, await addKey('live', ['read'])).get('/v1/printers')).status).toBe(200)
  world.advance(5_000)
  for (const { status } of await read()) expect(status).toBe(200)
})

test('keys of the other mode and of other organizations are neither listed nor revoked', async () => {
  proves('account.keys.mode')
  const { listKeys, revokeKey, world, id } = await newOwner('test')
  expect((await listKeys()).map(({ mode }: { mode: string }) => mode)).toEqual(['test'])
  const [live] = (await world.accounts.listApiKeys({ organizationId: id, mode: 'live' })).apiKeys
  const [foreign] = (await world.accounts.listApiKeys({ organizationId: (await newOwner('test')).id, mode: 'test' }))
    .apiKeys
  for (const key of [live, foreign]) expectError(await revokeKey(key?.id ?? ''), 404, 'not_found')
})

test('members are listed with their last sign-ins, the oldest first', async () => {
  proves('account.members.list')
  const organization = await newOwner()
  const { owner, world } = organization
  const email = `bob-${owner.userId}@example.com`
  await world.accounts.addMember({ organizationId: organization.id, email, role: 'admin' })
  const list = async () => (await owner.get('/account/members')).body.data
  const createdAt = world.clock.now().toISOString()
  const member = { userId: expect.any(String), email, role: 'admin', createdAt, lastSignInAt: null }
  expect(await list()).toEqual([expect.objectContaining({ userId: owner.userId, role: 'owner' }), member])
  world.advance(1_000)
  await addSession(createBrowser(world.gatewayUrl), world, email)
  expect((await list())[1]).toEqual({ ...member, lastSignInAt: world.clock.now().toISOString() })
})

test('the last owner is neither removed nor demoted', async () => {
  proves('account.members.last-owner', 'error.409.last_owner')
  const organization = await newOwner()
  const { owner } = organization
  const path = `/account/members/${owner.userId}`
  const demote = () => owner.request('PATCH', path, { body: { role: 'admin' } })
  expectError(await demote(), 409, 'last_owner')
  expectError(await owner.post(`${path}/remove`), 409, 'last_owner')
  const second = await signInAs(organization, 'owner')
  expect((await demote()).body).toMatchObject({ userId: owner.userId, role: 'admin' })
  expectError(await second.post(`/account/members/${second.userId}/remove`), 409, 'last_owner')
})

test('of two owners who demote each other at once one stays', async () => {
  const organization = await newOwner()
  const { world, id } = organization
  const owners = [organization.owner, await signInAs(organization, 'owner')] as const
  const demote = (userId: string) => world.accounts.updateMember({ organizationId: id, userId, role: 'member' })
  const results = await Promise.allSettled(owners.map(({ userId }) => demote(userId)))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a member of another organization is `not_found`', async () => {
  const [{ owner }, other] = [await newOwner(), await newOwner()]
  for (const id of [UNKNOWN_ID, other.owner.userId]) {
    expectError(await owner.post(`/account/members/${id}/remove`), 404, 'not_found')
    expectError(await owner.request('PATCH', `/account/members/${id}`, { body: { role: 'owner' } }), 404, 'not_found')
  }
})

test('a removed member is refused within 5 s, also in an open poll, and the keys stay valid', async () => {
  proves('account.members.remove')
  const organization = await newOwner()
  const { owner, world } = organization
  const member = await signInAs(organization, 'admin')
  const { body: key } = await member.post(
    '/account/keys',
    { name: 'Till', scopes: ['read'] },
    { headers: { 'platen-mode': 'live' } },
  )
  const [held, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.intercept(EventsService.method.listEvents, async (request, next) => {
    reached.resolve()
    await held.promise
    return await next(request)
  })
  const poll = member.get('/v1/events?wait=1')
  await reached.promise
  expect((await owner.post(`/account/members/${member.userId}/remove`)).status).toBe(204)
  world.advance(5_000)
  held.resolve()
  expectError(await poll, 403, 'forbidden')
  expectError(await member.get('/account/keys'), 403, 'forbidden')
  expect((await createApi(world.gatewayUrl, key.key).get('/v1/printers')).status).toBe(200)
})

test('the organization is renamed for all its members', async () => {
  proves('account.organization')
  const organization = await newOwner()
  const { owner, world, id } = organization
  const member = await signInAs(organization, 'member')
  const renamed = await owner.request('PATCH', '/account/organization', { body: { name: 'Side shop' } })
  expect([renamed.status, renamed.body]).toEqual([
    200,
    { id, name: 'Side shop', retainsDocuments: true, allowsPrintAccess: false, createdAt: expect.any(String) },
  ])
  expect((await member.get('/account/organization')).body).toEqual(renamed.body)
  world.advance(5_000)
  const { organizations } = (await member.get('/account/session')).body
  expect(organizations).toMatchObject([{ id, name: 'Side shop', role: 'member' }])
  for (const name of ['', ' ', 'x'.repeat(256)])
    expectError(
      await owner.request('PATCH', '/account/organization', { body: { name } }),
      400,
      'invalid_request',
      /name/,
    )
})

test('what outlives a session needs a code of the last hour', async () => {
  proves('account.recent', 'error.403.recent_sign_in_required')
  const organization = await newOwner()
  const { owner, createKey, world } = organization
  const member = await signInAs(organization, 'member')
  const memberPath = `/account/members/${member.userId}`
  world.addHost('hooks.example.com', ['93.184.216.34'], 9)
  const asTest = { headers: { 'platen-mode': 'test' } }
  const listed: Record<string, [send: () => Promise<Answer>, status: number]> = {
    key: [() => createKey(), 201],
    testKey: [() => owner.post('/account/keys', { name: 'Till', scopes: ['read'] }, asTest), 201],
    invite: [
      () => owner.post('/account/invitations', { email: `eve-${owner.userId}@example.com`, role: 'member' }),
      201,
    ],
    role: [() => owner.request('PATCH', memberPath, { body: { role: 'admin' } }), 200],
    remove: [() => owner.post(`${memberPath}/remove`), 204],
    leave: [() => owner.delete('/account/membership'), 409],
    computer: [() => owner.delete(`/v1/computers/${UNKNOWN_ID}`), 404],
    enrollment: [() => owner.post('/v1/enrollments'), 201],
    webhook: [
      () => owner.post('/v1/webhooks', { url: 'https://hooks.example.com/in', events: ['printjob.done'] }),
      201,
    ],
    webhookChange: [() => owner.request('PATCH', `/v1/webhooks/${UNKNOWN_ID}`, { body: {} }), 404],
    webhookSecret: [() => owner.post(`/v1/webhooks/${UNKNOWN_ID}/rotate-secret`), 404],
    document: [() => owner.get(`/v1/printjobs/${UNKNOWN_ID}/document`), 404],
    revocation: [() => owner.delete(`/account/keys/${UNKNOWN_ID}`), 404],
    webhookDeletion: [() => owner.delete(`/v1/webhooks/${UNKNOWN_ID}`), 404],
    purge: [() => owner.post(`/v1/printers/${UNKNOWN_ID}/purge`), 404],
    update: [() => owner.post(`/account/computers/${UNKNOWN_ID}/agent-update`), 404],
  }
  world.advance(HOUR_MS - 1)
  for (const [name, [send, status]] of Object.entries(listed))
    expect([name, (await send()).status]).toEqual([name, status])
  world.advance(1)
  for (const [name, [send]] of Object.entries(listed))
    expect([name, (await send()).body?.error?.code]).toEqual([name, 'recent_sign_in_required'])
  expectError(await owner.get(`/v1/printjobs/${UNKNOWN_ID}/document`, asTest), 404, 'not_found')
  expectError(await organization.api.delete(`/v1/computers/${UNKNOWN_ID}`), 404, 'not_found')
  await addSession(owner, world, owner.email)
  expect((await createKey({ scopes: ['admin'] })).status).toBe(201)
})

test('an id is found in all organizations and modes of the user, as far as the role may read it', async () => {
  proves('account.locate')
  const organization = await newOwner()
  const { world, id, owner, addPrinter, createJob, api } = organization
  const second = await newOrganization()
  await world.accounts.addMember({ organizationId: second.id, email: owner.email, role: 'member' })
  world.advance(5_000)
  const printer = await addPrinter()
  const testPrinter = await second.addPrinter('test')
  const jobId = await createJob(printer)
  world.addHost('hooks.example.com', ['93.184.216.34'], 9)
  const hook = { url: 'https://hooks.example.com/in', events: ['printjob.done'] }
  const endpoint = (await api.post('/v1/webhooks', hook)).body
  const foreign = (await second.api.post('/v1/webhooks', hook)).body
  const kitchen = (await api.post('/v1/destinations', { name: 'kitchen', printers: [printer.id] })).body
  const find = async (of: string) => await owner.get(`/account/locate/${of}`)
  const live = { organizationId: id, mode: 'live' }
  expect((await find(jobId)).body).toEqual({ ...live, kind: 'job', path: `jobs/${jobId}` })
  expect((await find(printer.id)).body).toEqual({ ...live, kind: 'printer', path: `printers/${printer.id}` })
  expect((await find(printer.computerId)).body).toMatchObject({
    kind: 'computer',
    path: `computers/${printer.computerId}`,
  })
  expect((await find(kitchen.id)).body).toMatchObject({ kind: 'destination', path: `destinations/${kitchen.id}` })
  expect((await find(endpoint.id)).body).toEqual({ ...live, kind: 'webhook', path: `webhooks/${endpoint.id}` })
  expect((await find(testPrinter.id)).body).toMatchObject({ organizationId: second.id, mode: 'test', kind: 'printer' })
  const others = await (await newOrganization()).addPrinter()
  for (const hidden of [foreign.id, others.id, UNKNOWN_ID]) expectError(await find(hidden), 404, 'not_found')
})
