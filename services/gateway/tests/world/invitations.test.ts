/** How persons become members of organizations and stop being members. */
import { addSession, createBrowser, signInAs } from '@platen/test/harness/browser.ts'
import { readCode, readMails } from '@platen/test/harness/mailbox.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { expectError } from '../client.ts'

const DAY_MS = 24 * 60 * 60_000

type Person = Awaited<ReturnType<typeof newPerson>>

/** An owner who invites `email`. */
async function newInviter(email = `bob-${uuidv7()}@example.com`) {
  const organization = await newOrganization()
  const owner = await signInAs(organization, 'owner')
  const list = async (path: string) => (await owner.get(path)).body.data
  return {
    ...organization,
    owner,
    email,
    invite: (role = 'admin') => owner.post('/account/invitations', { email, role }),
    listMembers: () => list('/account/members'),
    listInvitations: () => list('/account/invitations'),
    readLog: (query = '') => list(`/account/audit${query}`),
  }
}

/** A member of another organization, who is signed in. */
async function newPerson() {
  const organization = await newOrganization()
  const browser = await signInAs(organization, 'owner')
  const listInvitations = async () => (await browser.get('/account/session/invitations')).body.data
  return {
    ...browser,
    organizationId: organization.id,
    listInvitations,
    accept: async () => {
      const [{ id }] = await listInvitations()
      return await browser.post(`/account/session/invitations/${id}/accept`)
    },
    listOrganizations: async () =>
      (await browser.get('/account/session')).body.organizations.map(({ id }: { id: string }) => id),
  }
}

async function newInvited() {
  const person = await newPerson()
  const inviter = await newInviter(person.email)
  expect((await inviter.invite()).status).toBe(201)
  return { person, inviter }
}

const inOrganization = (id: string) => ({ headers: { 'platen-organization': id } })

test('an invited person has no role, no place in lists and no audit in the organization before the acceptance', async () => {
  proves('account.invitations.before')
  const { person, inviter } = await newInvited()
  inviter.world.advance(5_000)
  const { sessionId } = await addSession(person, inviter.world, person.email)
  expect(await person.listOrganizations()).toEqual([person.organizationId])
  expect((await person.get('/v1/printers')).status).toBe(200)
  expectError(await person.get('/v1/printers', inOrganization(inviter.id)), 403, 'forbidden')
  expect((await inviter.listMembers()).map(({ email }: { email: string }) => email)).toEqual([inviter.owner.email])
  expect((await inviter.owner.get('/account/sessions')).body.data).toHaveLength(1)
  expectError(await inviter.owner.delete(`/account/sessions/${sessionId}`), 404, 'not_found')
  expect(JSON.stringify(await inviter.readLog(`?actor=${person.userId}`))).toBe('[]')
})

test('an invitation is answered alike for addresses with and without a user, and can be repeated', async () => {
  proves('account.invitations.create', 'account.invitations.list')
  const { person, inviter } = await newInvited()
  const unknown = `nobody-${uuidv7()}@example.com`
  const { body } = await inviter.owner.post('/account/invitations', {
    email: ` ${unknown.toUpperCase()}`,
    role: 'admin',
  })
  const [known] = await inviter.listInvitations()
  const { now } = inviter.world.clock
  expect(known).toEqual({
    id: expect.any(String),
    organization: { id: inviter.id, name: 'Corner shop' },
    email: person.email,
    role: 'admin',
    invitedBy: inviter.owner.email,
    createdAt: now().toISOString(),
    expiresAt: new Date(now().getTime() + 14 * DAY_MS).toISOString(),
  })
  expect(body).toEqual({ ...known, id: expect.any(String), email: unknown })
  expect((await inviter.invite('member')).body).toEqual({ ...known, role: 'member' })
  expectError(
    await inviter.owner.post('/account/invitations', { email: inviter.owner.email, role: 'admin' }),
    400,
    'invalid_request',
    /is the address of a member/,
  )
})

test('a person without a user signs in with the address of an invitation, accepts it and is a member', async () => {
  proves('account.invitations.accept')
  const { invite, email, world, id, listMembers, listInvitations, readLog } = await newInviter()
  const requestCode = async () => {
    await createBrowser(world.gatewayUrl).post('/account/sign-in', { email })
    return await readCode(world, email)
  }
  expect(await requestCode()).toBeUndefined()
  await invite()
  const browser = createBrowser(world.gatewayUrl)
  const { status, body: session } = await browser.signIn(world, email)
  expect([status, session.organizations]).toEqual([200, []])
  const [{ id: invitation }] = (await browser.get('/account/session/invitations')).body.data
  const accepted = await browser.post(`/account/session/invitations/${invitation}/accept`)
  expect([accepted.status, accepted.body]).toEqual([200, { id, name: 'Corner shop', role: 'admin' }])
  expect((await browser.get('/v1/printers')).status).toBe(200)
  expect((await listMembers()).at(-1)).toMatchObject({ email, role: 'admin', userId: session.user.id })
  expect(await listInvitations()).toEqual([])
  const actor = { kind: 'user', id: session.user.id, name: email }
  expect(await readLog(`?actor=${session.user.id}`)).toMatchObject([
    { action: 'finishSignIn', target: session.id, actor },
    { action: 'acceptInvitation', target: session.user.id, targetName: email, outcome: 'ok', actor, ip: '127.0.0.1' },
  ])
  expectError(await browser.post(`/account/session/invitations/${invitation}/accept`), 404, 'not_found')
})

test('an invitation is accepted and declined only by its person, and withdrawn only by its organization', async () => {
  proves('account.invitations.withdraw', 'account.invitations.decline')
  const { person, inviter } = await newInvited()
  const stranger = await newInviter()
  const [{ id }] = await inviter.listInvitations()
  expectError(await stranger.owner.post(`/account/session/invitations/${id}/accept`), 404, 'not_found')
  expectError(await stranger.owner.delete(`/account/session/invitations/${id}`), 404, 'not_found')
  expectError(await stranger.owner.delete(`/account/invitations/${id}`), 404, 'not_found')
  expect((await person.delete(`/account/session/invitations/${id}`)).status).toBe(204)
  expect(await inviter.listInvitations()).toEqual([])
  const again = (await inviter.invite()).body
  expect((await inviter.owner.delete(`/account/invitations/${again.id}`)).status).toBe(204)
  expectError(await person.post(`/account/session/invitations/${again.id}/accept`), 404, 'not_found')
})

test('an invitation is open for 14 days', async () => {
  proves('account.invitations.14days')
  const { person, inviter } = await newInvited()
  const { world, id } = inviter
  const [{ id: invitation }] = await person.listInvitations()
  world.advance(14 * DAY_MS)
  const later = await addSession(createBrowser(world.gatewayUrl), world, person.email)
  expectError(await later.post(`/account/session/invitations/${invitation}/accept`), 404, 'not_found')
  await world.sweep('accounts', 'old rows')
  expect(await world.query('SELECT FROM accounts.invitation WHERE organization_id = $1', [id])).toEqual([])
})

test('the mail of an invitation has the organization, the inviter and a link, and no line that the organization wrote', async () => {
  proves('account.invitations.mail')
  const { owner, world, invite, email } = await newInviter()
  const name = `Corner\nshop\u2028\u202e http://evil.example/a ${'x'.repeat(80)}`
  expect((await owner.request('PATCH', '/account/organization', { body: { name } })).status).toBe(200)
  await invite()
  await world.sweep('accounts', 'invitations')
  const [mail, ...more] = await readMails(world, email)
  expect(more).toEqual([])
  expect(mail).toContain(`${owner.email} invites you`)
  expect(mail?.replaceAll('=\r\n', '')).toMatch(/^Organization: {2}Corner shop http evil example a x{28} =E2=80=A6\r$/m)
  expect(mail).toContain('https://print.example.com/app/settings/invitations')
})

test('an address gets 5 mails of invitations in an hour, and its codes besides', async () => {
  proves('account.invitations.limit')
  const { world, invite, email } = await newInviter()
  for (let n = 0; n < 6; n++) {
    world.advance(1_000)
    expect((await invite()).status).toBe(201)
    await world.sweep('accounts', 'invitations')
  }
  expect(await readMails(world, email)).toHaveLength(5)
  expect((await createBrowser(world.gatewayUrl).signIn(world, email)).status).toBe(200)
})

test('an organization has 100 open invitations', async () => {
  proves('account.invitations.max')
  const { world, id, owner, invite } = await newInviter()
  await world.query(
    `INSERT INTO accounts.invitation (id, organization_id, email, role, invited_by, created_at, expires_at)
     SELECT gen_random_uuid(), $1, n || '@example.com', 'member', '', $2, $3 FROM generate_series(1, 99) AS n`,
    [id, world.clock.now(), new Date(world.clock.now().getTime() + DAY_MS)],
  )
  expect((await invite()).status).toBe(201)
  expect((await invite()).status).toBe(201)
  const next = await owner.post('/account/invitations', { email: 'next@example.com', role: 'member' })
  expectError(next, 409, 'limit_reached', /100 open invitations/)
})

test('an organization with one member sends 20 invitations a day, and more when one has been accepted', async () => {
  proves('account.invitations.first')
  // All invitations are of one day.
  const { advance, clock } = await getWorld()
  advance(DAY_MS - (clock.now().getTime() % DAY_MS))
  const { person, inviter } = await newInvited()
  const { owner } = inviter
  const invite = (n: number) =>
    owner.post('/account/invitations', { email: `person-${n}-${inviter.id}@example.com`, role: 'member' })
  for (let n = 2; n <= 20; n++) expect((await invite(n)).status).toBe(201)
  expectError(await invite(21), 409, 'limit_reached', /one member sends at most 20 invitations a day/)
  expect((await person.accept()).status).toBe(200)
  expect((await invite(21)).status).toBe(201)
})

test('a person whom an operator adds is a member without acceptance, and an open invitation ends', async () => {
  proves('account.members.operator')
  const { person, inviter } = await newInvited()
  inviter.world.advance(1_000)
  await inviter.world.accounts.addMember({ organizationId: inviter.id, email: person.email, role: 'member' })
  expect(await inviter.listInvitations()).toEqual([])
  expect((await inviter.listMembers()).map(({ role }: { role: string }) => role)).toEqual(['owner', 'member'])
})

async function newMember() {
  const { person, inviter } = await newInvited()
  await person.accept()
  const here = inOrganization(inviter.id)
  return { person, inviter, here, whoami: (by: Pick<Person, 'get'> = person) => by.get('/v1/whoami', here) }
}

test('every member can leave, except for the last owner', async () => {
  proves('account.leave')
  const { person, inviter, here, whoami } = await newMember()
  expect((await whoami()).status).toBe(200)
  expectError(
    await inviter.owner.delete('/account/membership'),
    409,
    'last_owner',
    /Make another member an owner first/,
  )
  expect((await person.delete('/account/membership', here)).status).toBe(204)
  expectError(await whoami(), 403, 'forbidden')
  expect(await person.listOrganizations()).toEqual([person.organizationId])
  expect(await inviter.readLog('?action=leaveOrganization')).toMatchObject([
    { actor: { id: person.userId }, outcome: 'ok' },
    { actor: { id: inviter.owner.userId }, outcome: 'last_owner' },
  ])
})

test('an owner can require a new sign-in of a member, for this organization alone', async () => {
  proves('account.members.require-sign-in')
  const { person, inviter, whoami } = await newMember()
  const { world, owner } = inviter
  expect((await whoami()).status).toBe(200)
  world.advance(1_000)
  expect((await owner.post(`/account/members/${person.userId}/require-sign-in`)).status).toBe(204)
  expectError(await owner.post(`/account/members/${uuidv7()}/require-sign-in`), 404, 'not_found')
  world.advance(5_000)
  expectError(await whoami(), 401, 'unauthorized', /requires a new sign-in/)
  expect((await person.get('/v1/whoami', inOrganization(person.organizationId))).status).toBe(200)
  const again = await addSession(createBrowser(world.gatewayUrl), world, person.email)
  expect((await whoami(again)).status).toBe(200)
})

test('a removal of a member can revoke the keys that the member created, in both modes', async () => {
  proves('account.members.revokes-keys')
  const { person, inviter, here } = await newMember()
  const { owner } = inviter
  for (const mode of ['live', 'test'])
    await person.post(
      '/account/keys',
      { name: 'By member', scopes: ['read'] },
      { headers: { ...here.headers, 'platen-mode': mode } },
    )
  await owner.post('/account/keys', { name: 'By owner', scopes: ['read'] })
  const removed = await owner.post(`/account/members/${person.userId}/remove`, { revokesKeys: true })
  expect(removed.status).toBe(204)
  const { apiKeys } = await inviter.world.accounts.listApiKeys({ organizationId: inviter.id })
  const states = apiKeys.map(({ name, revokedAt }) => `${name} ${revokedAt ? 'revoked' : 'valid'}`)
  expect(states.filter((state) => state.startsWith('By')).toSorted()).toEqual([
    'By member revoked',
    'By member revoked',
    'By owner valid',
  ])
})
