/** Codes, their limits, and sessions. How a browser keeps the tokens is in the tests of the gateway. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { create } from '@bufbuild/protobuf'
import { DeleteOrganizationRequestSchema } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createSecretBox } from '@platen/runtime/secret-box.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { readCode, readMails } from '@platen/test/harness/mailbox.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { getWorld, SIGN_IN_KEY } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { deleteOrganization } from '../../rpc/delete-organization.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const makeToken = () => createHash('sha256').update(randomBytes(32)).digest()
/** An address of no other test. */
const makeIp = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

async function startUser(role: 'owner' | 'member' | null = 'owner') {
  const world = await getWorld()
  const { accounts, clock } = world
  const email = `ann-${uuidv7()}@example.com`
  const organizationId = (await accounts.createOrganization({ name: 'Shop' })).organization?.id ?? ''
  if (role) await accounts.addMember({ organizationId, email, role })
  // The limits count in hours and days that begin with those of the clock.
  world.advance(DAY_MS - (clock.now().getTime() % DAY_MS))

  const newBrowser = (ip = makeIp()) => {
    let known = makeToken()
    const browser = { name: 'Firefox on Linux', ip }
    let challenge = makeToken()
    return {
      async start(address = email) {
        challenge = makeToken()
        return await accounts.startSignIn({
          email: address,
          challengeSha256: challenge,
          knownBrowserSha256: known,
          browser,
        })
      },
      /** @returns the session, or the message of the refusal. */
      async finish(code: string | undefined, replacedSessionSha256?: Uint8Array) {
        const session = makeToken()
        const next = makeToken()
        const tokens = {
          challengeSha256: challenge,
          sessionSha256: session,
          knownBrowserSha256: next,
          replacedSessionSha256,
        }
        try {
          const request = { ...tokens, replacedBrowserSha256: known, code, browser }
          const signedIn = { token: session, ...(await accounts.finishSignIn(request)).session }
          known = next
          return signedIn
        } catch (error) {
          if (error instanceof ApiError && error.code === 'sign_in_failed') return error.message
          throw error
        }
      },
    }
  }
  const verify = async (token: Uint8Array) => (await accounts.verifySessions({ sessionSha256: [token] })).verified[0]
  const signIn = async (browser = newBrowser()) => {
    await browser.start()
    const session = await browser.finish(await readCode(world, email))
    if (typeof session === 'string') throw new Error(session)
    return { ...session, token: session.token, id: session.id ?? '', userId: session.userId ?? '' }
  }
  return { world, email, organizationId, accounts, newBrowser, verify, signIn, code: () => readCode(world, email) }
}

const wrong = (code: string | undefined) => `${code?.slice(0, -1)}${code?.endsWith('0') ? '1' : '0'}`

test('the mail has a code of 8 characters that are not mistaken for others, a link that fills it in, the browser, its address and the time', async () => {
  proves('sign-in.code.characters')
  const { world, email, newBrowser, code } = await startUser()
  await newBrowser('192.0.2.7').start()
  const sent = (await code()) ?? ''
  expect(sent).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
  const mails = await readMails(world, email)
  expect(mails).toHaveLength(1)
  const requested = world.clock.now().toISOString().slice(0, 16).replace('T', ' ')
  for (const fact of ['Firefox on Linux', '192.0.2.7', `${requested} UTC`, 'works for 10 minutes'])
    expect(mails[0]).toContain(fact)
  expect(mails[0]).toContain(`Your code is ${sent.slice(0, 4)}-${sent.slice(4)}\r`)
  expect(mails[0]).toContain(`https://print.example.com/app/signin#code=${sent}\r`)
})

test('a code works once, also for requests at the same time, and is not stored in clear text', async () => {
  proves('sign-in.code.once')
  const { world, email, newBrowser, code } = await startUser()
  const browser = newBrowser()
  await browser.start()
  const sent = await code()
  const stored = await world.query('SELECT * FROM accounts.sign_in WHERE email = $1', [email])
  expect(JSON.stringify(stored)).not.toContain(sent)
  expect(stored).toMatchObject([{ encrypted_code: null }])
  const commit = await holdTransaction(world.pool, (client) =>
    client.query('SELECT FROM accounts.sign_in WHERE email = $1 FOR UPDATE', [email]),
  )
  const finishing = Array.from({ length: 3 }, () => browser.finish(sent))
  await untilBlocked(world.pool, finishing.length)
  await commit()
  const answers = await Promise.all(finishing)
  expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1)
  expect(await browser.finish(sent)).toMatch(/^This code has expired/)
})

test('a code works only in the browser that requested it, and for 10 minutes', async () => {
  proves('sign-in.code.browser', 'sign-in.code.10min')
  const { world, newBrowser, code } = await startUser()
  const [browser, stranger] = [newBrowser(), newBrowser()]
  await browser.start()
  const sent = await code()
  await stranger.start()
  expect(await stranger.finish(sent)).toMatch(/^This code is wrong\. 4 tries are left\.$/)
  world.advance(10 * MINUTE_MS - 1)
  expect(await browser.finish(sent)).toHaveProperty('id')
  await browser.start()
  const later = await code()
  world.advance(10 * MINUTE_MS)
  expect(await browser.finish(later)).toMatch(/^This code has expired/)
})

test('a sign-in ends the session that its browser had, and a wrong code does not', async () => {
  const { newBrowser, code, signIn, verify } = await startUser()
  const browser = newBrowser()
  const { token } = await signIn(browser)
  await browser.start()
  const sent = await code()
  await browser.finish(wrong(sent), token)
  expect(await verify(token)).toBeDefined()
  await browser.finish(sent, token)
  expect(await verify(token)).toBeUndefined()
})

test('after 5 wrong tries, also at the same time, the right code is refused, and another code still works', async () => {
  proves('sign-in.code.tries')
  const { newBrowser, code } = await startUser()
  const [browser, other] = [newBrowser(), newBrowser()]
  await browser.start()
  const sent = await code()
  await other.start()
  const otherSent = await code()
  expect(await browser.finish(wrong(sent))).toBe('This code is wrong. 4 tries are left.')
  const answers = await Promise.all(Array.from({ length: 10 }, () => browser.finish(wrong(sent))))
  expect(answers.filter((answer) => String(answer).startsWith('This code is wrong'))).toHaveLength(4)
  expect(await browser.finish(sent)).toMatch(/^This code has expired/)
  expect(await other.finish(otherSent)).toHaveProperty('id')
})

test.each([
  ['without a user', null],
  ['of a user without an organization', 'owner'],
] as const)('an address %s gets the same answers and no mail', async (_, role) => {
  proves('sign-in.unknown')
  const { world, accounts, email, organizationId, newBrowser } = await startUser(role)
  // The invitation of somebody else gives no access.
  await accounts.createInvitation({ organizationId, email: `x${email}`, role: 'member', invitedBy: email })
  if (role) await world.query('DELETE FROM accounts.membership WHERE organization_id = $1', [organizationId])
  const browser = newBrowser()
  const answer = await browser.start()
  expect(answer.sentTo).toBe('terminal')
  expect(await readCode(world, email)).toBeUndefined()
  expect(await browser.finish('00000000')).toBe('This code is wrong. 4 tries are left.')
})

test('an invitation gives access until it expires', async () => {
  const { world, accounts, email, organizationId, newBrowser, code } = await startUser(null)
  await accounts.createInvitation({ organizationId, email, role: 'member', invitedBy: 'owner@example.com' })
  await newBrowser().start()
  const sent = await code()
  expect(sent).toBeDefined()
  await world.query('UPDATE accounts.invitation SET expires_at = $2 WHERE email = $1', [email, world.clock.now()])
  await newBrowser().start()
  expect(await code()).toBe(sent)
})

test('each invitation and each code is in one mail, which names its organization', async () => {
  const first = await startUser(null)
  const { world, accounts, newBrowser } = first
  const second = await startUser(null)
  const invited: { email: string; organization: string }[] = []
  for (const { email } of [first, second]) {
    const organization = `Shop ${uuidv7()}`
    const organizationId = (await accounts.createOrganization({ name: organization })).organization?.id
    await accounts.createInvitation({ organizationId, email, role: 'member', invitedBy: 'owner@example.com' })
    invited.push({ email, organization })
    await world.sweep('accounts', 'invitations')
  }
  await newBrowser().start()
  await world.sweep('accounts', 'sign-in codes')
  world.advance(2 * MINUTE_MS)
  for (const timer of ['invitations', 'sign-in codes']) await world.sweep('accounts', timer)
  for (const { email, organization } of invited) {
    const mails = await readMails(world, email)
    const names = mails
      .filter((mail) => mail.includes('/app/settings/invitations'))
      .map((mail) => mail.includes(organization))
    expect(names).toEqual([true])
    expect(mails).toHaveLength(email === first.email ? 2 : 1)
  }
  // A mail that is sent again has the same id, and the mailbox has it once.
  const due = 'SELECT FROM accounts.invitation WHERE email = ANY ($1) AND mail_due_at IS NOT NULL'
  expect(await world.query(due, [invited.map(({ email }) => email)])).toEqual([])
})

test('the deletion of an organization removes its users without another one, with their sessions and browsers', async () => {
  const { world, accounts, email, organizationId, signIn, verify } = await startUser()
  const leaving = await startUser(null)
  await accounts.addMember({ organizationId, email: leaving.email, role: 'member' })
  const kept = await startUser()
  await accounts.addMember({ organizationId: kept.organizationId, email, role: 'member' })
  const [session, ended, other] = [await signIn(), await leaving.signIn(), await kept.signIn()]
  for (const owning of [organizationId, kept.organizationId]) {
    await accounts.createApiKey({ organizationId: owning, name: 'till', mode: 'test', scopes: ['read'] })
    const invited = `${uuidv7()}@example.com`
    await accounts.createInvitation({ organizationId: owning, email: invited, role: 'member', invitedBy: email })
    await world.query(
      `INSERT INTO accounts.refusal (id, organization_id, mode, api_key_id, at, method, route, status, code, message,
         request_id)
       VALUES (uuidv7(), $1, 'test', uuidv7(), $2, 'GET', '/', 403, '', '', '')`,
      [owning, world.clock.now()],
    )
  }
  await accounts.setSuspended({ organizationId, isSuspended: true })
  world.advance(MINUTE_MS)
  const request = create(DeleteOrganizationRequestSchema, { organizationId })
  expect((await deleteOrganization(world.contexts.accounts, request)).removed).toMatchObject({
    ...{ user: 1, session: 1, known_browser: 1, membership: 2, invitation: 1, refusal: 1, api_key: 1 },
  })
  expect(await verify(ended.token)).toBeUndefined()
  for (const { token } of [session, other]) expect(await verify(token)).toBeDefined()
  const browsers = 'SELECT user_id FROM accounts.known_browser WHERE user_id = ANY ($1) ORDER BY user_id'
  expect(await world.query(browsers, [[session.userId, ended.userId, other.userId]])).toEqual(
    [session.userId, other.userId].toSorted().map((user_id) => ({ user_id })),
  )
})

test('what a deletion removed is added up for that organization, and is not recorded before its deletion', async () => {
  const { world, accounts, organizationId } = await startUser()
  const record = async (facts: object) => (await accounts.recordDeletion({ organizationId, ...facts })).removed
  await expect(record({ removed: { job: 1 } })).rejects.toMatchObject({ code: 'not_found' })
  const other = await startUser()
  for (const id of [organizationId, other.organizationId]) {
    await accounts.setSuspended({ organizationId: id, isSuspended: true })
    await deleteOrganization(world.contexts.accounts, create(DeleteOrganizationRequestSchema, { organizationId: id }))
  }
  await record({ removed: { job: 2, event: 1 } })
  expect(await record({ removed: { job: 3 } })).toEqual({ job: 5, event: 1 })
  expect((await accounts.recordDeletion({ organizationId: other.organizationId, removed: {} })).removed).toEqual({})
})

test('an address gets 5 mails in an hour, and a known browser 5 of its own', async () => {
  proves('sign-in.limit.mails', 'sign-in.limit.known-browser')
  const { world, email, newBrowser, signIn, code } = await startUser()
  const ip = makeIp()
  const known = newBrowser(ip)
  await signIn(known)
  const countMails = async () => {
    await world.sweep('accounts', 'sign-in codes')
    return (await readMails(world, email)).length
  }
  for (let n = 0; n < 8; n++) await newBrowser(ip).start()
  expect(await countMails()).toBe(5)
  await world.sweep('accounts', 'old rows')
  await newBrowser(ip).start()
  for (let n = 0; n < 6; n++) await known.start()
  expect(await countMails()).toBe(10)
  world.advance(HOUR_MS)
  await known.start()
  expect(await known.finish(await code())).toHaveProperty('id')
})

test('a code whose mail server returns after the 10 minutes is not sent', async () => {
  const { world, email, newBrowser } = await startUser()
  await newBrowser().start()
  world.advance(10 * MINUTE_MS)
  await world.sweep('accounts', 'sign-in codes')
  expect(await readMails(world, email)).toEqual([])
})

test('a replica neither sends nor waits for the mails that another one sends', async () => {
  const { world, email, newBrowser } = await startUser()
  await newBrowser().start()
  const commit = await holdTransaction(world.pool, (client) =>
    client.query('SELECT FROM accounts.sign_in WHERE email = $1 FOR UPDATE', [email]),
  )
  await world.sweep('accounts', 'sign-in codes')
  expect(await readMails(world, email)).toEqual([])
  await commit()
  await world.sweep('accounts', 'sign-in codes')
  expect(await readMails(world, email)).toHaveLength(1)
})

test('a request over the limit is answered like any other, and no code is accepted for it', async () => {
  const { newBrowser, code } = await startUser()
  const browser = newBrowser()
  for (let n = 0; n < 5; n++) await browser.start()
  const sent = await code()
  const last = await browser.start()
  expect(last.sentTo).toBe('terminal')
  expect(await browser.finish(sent)).toMatch(/^This code has expired/)
})

test('requests of strangers use up no codes of a person on another network', async () => {
  proves('sign-in.limit.strangers')
  const { newBrowser, signIn } = await startUser()
  const ip = makeIp()
  for (let n = 0; n < 6; n++) await newBrowser(ip).start()
  expect(await signIn()).toHaveProperty('userId')
})

test('wrong codes of strangers lock no person out of a new browser', async () => {
  proves('sign-in.limit.lock-out')
  const { world, newBrowser, code } = await startUser()
  for (let hour = 0; hour < 2; hour++) {
    for (let n = 0; n < 3; n++) {
      const stranger = newBrowser()
      await stranger.start()
      const sent = await code()
      for (let tries = 0; tries < 5; tries++) await stranger.finish(wrong(sent))
    }
    world.advance(HOUR_MS)
  }
  const browser = newBrowser()
  await browser.start()
  expect(await browser.finish(await code())).toHaveProperty('id')
})

test('an IP address, or a /64 of IPv6, starts 20 sign-ins in an hour', async () => {
  proves('sign-in.limit.ip')
  const { world, newBrowser } = await startUser()
  const network = makeIp().replace(/::1$/, '')
  const countStored = async (addresses: string[]) => {
    for (const email of addresses) await newBrowser(`${network}::${addresses.indexOf(email) + 1}`).start(email)
    return (await world.query('SELECT FROM accounts.sign_in WHERE email = ANY ($1)', [addresses])).length
  }
  const addresses = Array.from({ length: 21 }, () => `${uuidv7()}@example.com`)
  expect(await countStored(addresses)).toBe(20)
  await newBrowser('203.0.113.9').start()
})

test('an organization has 100 mails in an hour to unknown browsers, and known ones and other organizations get more', async () => {
  proves('sign-in.limit.organization')
  const { world, organizationId, newBrowser, signIn, code } = await startUser()
  const other = await startUser()
  const known = newBrowser()
  await signIn(known)
  await world.query(`UPDATE accounts.sign_in_count SET n = 99 WHERE kind = 'mails of organization' AND subject = $1`, [
    organizationId,
  ])
  await newBrowser().start()
  const last = await code()
  await newBrowser().start()
  expect(await code()).toBe(last)
  await known.start()
  expect(await code()).not.toBe(last)
  await other.newBrowser().start()
  expect(await other.code()).toBeDefined()
})

test('a code whose mail is withheld is wrong like any other', async () => {
  const { world, email, organizationId, newBrowser, signIn } = await startUser()
  await signIn()
  const setCount = `UPDATE accounts.sign_in_count SET n = 100 WHERE kind = 'mails of organization' AND subject = $1`
  await world.query(setCount, [organizationId])
  const browser = newBrowser()
  await browser.start()
  const [stored] = await world.query('SELECT * FROM accounts.sign_in WHERE email = $1', [email])
  const code = createSecretBox([SIGN_IN_KEY]).decrypt(stored?.id, stored?.encrypted_code)
  await world.sweep('accounts', 'sign-in codes')
  expect(await browser.finish(code)).toBe('This code is wrong. 4 tries are left.')
})

test('a mail that is sent again after a failure of the mail server is counted once', async () => {
  const { world, organizationId, newBrowser, code } = await startUser()
  await newBrowser().start()
  // A file in its place makes the directory unusable.
  await mkdir(world.mailbox, { recursive: true })
  await rename(world.mailbox, `${world.mailbox}.away`)
  await writeFile(world.mailbox, '')
  await world.sweep('accounts', 'sign-in codes')
  await rm(world.mailbox)
  await rename(`${world.mailbox}.away`, world.mailbox)
  world.advance(10_000)
  expect(await code()).toBeDefined()
  expect(
    await world.query(`SELECT n FROM accounts.sign_in_count WHERE kind = 'mails of organization' AND subject = $1`, [
      organizationId,
    ]),
  ).toEqual([{ n: 1 }])
})

test("an operator's code has 12 characters, and works once, in any browser and over all limits", async () => {
  proves('sign-in.operator')
  const { accounts, email, newBrowser } = await startUser()
  const browser = newBrowser()
  for (let n = 0; n < 6; n++) await browser.start()
  const { code } = await accounts.createSignInCode({ email: email.toUpperCase() })
  expect(code).toMatch(/^[0-9A-Z]{12}$/)
  expect(await browser.finish(wrong(code))).toMatch(/^This code has expired/)
  expect(await browser.finish(code)).toMatchObject({ email })
  expect(await browser.finish(code)).toMatch(/^This code has expired/)
  await expect(accounts.createSignInCode({ email: `x${email}` })).rejects.toMatchObject({ code: 'not_found' })
})

test('a code of an operator is for persons with access: it is refused for others, and after its person has lost it', async () => {
  const { world, accounts, email, organizationId, newBrowser } = await startUser()
  const { code } = await accounts.createSignInCode({ email })
  await world.query('DELETE FROM accounts.membership WHERE organization_id = $1', [organizationId])
  expect(await newBrowser().finish(code)).toMatch(/^This code has expired/)
  await expect(accounts.createSignInCode({ email })).rejects.toMatchObject({ code: 'not_found' })
})

test('a session names the user and the roles, and ends after 30 days, also in use', async () => {
  proves('session.total')
  const { world, verify, signIn, email, organizationId } = await startUser()
  const { token, userId } = await signIn()
  const memberships = [{ role: 'owner', organization: { id: organizationId, name: 'Shop' } }]
  expect(await verify(token)).toMatchObject({ session: { userId, email, memberships } })
  const useAndWait = async (ms: number) => {
    await world.sweep('accounts', 'last uses')
    world.advance(ms)
    return (await verify(token)) !== undefined
  }
  for (let n = 0; n < 4; n++) expect(await useAndWait(7 * DAY_MS - 1)).toBe(true)
  expect(await useAndWait(2 * DAY_MS)).toBe(true)
  expect(await useAndWait(4)).toBe(false)
  await world.sweep('accounts', 'old rows')
  expect(await world.query('SELECT FROM accounts.session WHERE user_id = $1', [userId])).toEqual([])
})

test('a session that is not used for 7 days ends', async () => {
  proves('session.idle')
  const { world, verify, signIn } = await startUser()
  const { token } = await signIn()
  world.advance(7 * DAY_MS)
  expect(await verify(token)).toBeUndefined()
})

test('a user sees and ends own sessions, and no user, also no owner, any other session', async () => {
  proves('session.list', 'session.end')
  const owner = await startUser()
  const { accounts, organizationId } = owner
  const member = await startUser(null)
  await accounts.addMember({ organizationId, email: member.email, role: 'member' })
  const [ownerSession, memberSession] = [await owner.signIn(), await member.signIn()]
  for (const { userId, id } of [ownerSession, memberSession])
    expect((await accounts.listSessions({ userId })).sessions.map((session) => session.id)).toEqual([id])
  const end = (userId: string, sessionId: string) => accounts.endSession({ userId, sessionId })
  await expect(end(ownerSession.userId, memberSession.id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(end(memberSession.userId, ownerSession.id)).rejects.toMatchObject({ code: 'not_found' })
  await end(ownerSession.userId, ownerSession.id)
  expect(await owner.verify(ownerSession.token)).toBeUndefined()
  expect(await member.verify(memberSession.token)).toBeDefined()
})

test('a browser stays known to its users under a new token at each sign-in, and the old one is unknown', async () => {
  const { world, newBrowser, signIn } = await startUser()
  const other = await startUser()
  const browser = newBrowser()
  const readTokens = async (userId: string) =>
    (await world.query('SELECT token_sha256 FROM accounts.known_browser WHERE user_id = $1', [userId])).map((row) =>
      row.token_sha256.toString('hex'),
    )
  const { userId } = await signIn(browser)
  const [first] = await readTokens(userId)
  await browser.start(other.email)
  expect(await browser.finish(await other.code())).toMatchObject({ email: other.email })
  const [second, ...more] = await readTokens(userId)
  expect([second?.length, second === first, more]).toEqual([64, false, []])
  await signIn(browser)
  const [third, ...others] = await readTokens(userId)
  expect([third?.length, third === second, others]).toEqual([64, false, []])
})

test('a sign-in uses no code of another browser or user, changes no other known browser, and ends no other session', async () => {
  const { world, accounts, newBrowser, signIn, code, email, verify } = await startUser()
  const [other, third] = [await startUser(), await startUser()]
  const [browser, open] = [newBrowser(), newBrowser()]
  const kept = [await signIn(), await other.signIn()]
  const { userId } = await signIn(browser)
  const readTokens = async () =>
    (
      await world.query('SELECT token_sha256 FROM accounts.known_browser WHERE user_id = ANY ($1)', [
        kept.map((session) => session.userId),
      ])
    ).map((row) => row.token_sha256.toString('hex'))
  const before = await readTokens()
  await open.start()
  const openCode = await code()
  await signIn(browser)
  const after = await readTokens()
  expect(after.filter((token) => before.includes(token))).toHaveLength(2)
  expect(await open.finish(openCode)).toMatchObject({ userId })
  for (const { token } of kept) expect(await verify(token)).toBeDefined()
  const emails = [email, other.email, third.email]
  const codes: string[] = []
  for (const address of emails) codes.push((await accounts.createSignInCode({ email: address })).code)
  for (const n of [1, 0, 2]) expect(await newBrowser().finish(codes[n])).toMatchObject({ email: emails[n] })
})

test('ending all other sessions also makes their browsers unknown', async () => {
  proves('session.end-others')
  const { world, accounts, newBrowser, verify, signIn } = await startUser()
  const [kept, other] = [newBrowser(), newBrowser()]
  const ended = await signIn(other)
  const { token, id, userId } = await signIn(kept)
  await accounts.endOtherSessions({ userId, keptSessionId: id })
  expect([await verify(ended.token), (await verify(token))?.session?.id]).toEqual([undefined, id])
  expect(await world.query('SELECT FROM accounts.known_browser WHERE user_id = $1', [userId])).toHaveLength(1)
})

test('a removed user has no session, and cannot sign in', async () => {
  const { world, accounts, email, organizationId, newBrowser, verify, signIn } = await startUser()
  const browser = newBrowser()
  const { token, userId } = await signIn(browser)
  expect(await accounts.removeUser({ email })).toMatchObject({ userId })
  expect(await verify(token)).toBeUndefined()
  expect((await accounts.listMembers({ organizationId })).members).toEqual([])
  const before = await readMails(world, email)
  await browser.start()
  await readCode(world, email)
  expect(await readMails(world, email)).toEqual(before)
  await expect(accounts.removeUser({ email })).rejects.toMatchObject({ code: 'not_found' })
})
