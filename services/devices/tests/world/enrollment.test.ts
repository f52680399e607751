import { createHash, randomBytes } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { status } from '@grpc/grpc-js'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { makeCredential } from '../../agents/credential.ts'
import { sweepDeleted } from '../../timers/sweep-deleted.ts'
import { sweepEnded } from '../../timers/sweep-ended.ts'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent } from '../test-agent.ts'

async function start() {
  const started = await startTestDevices()
  const { devices, organizationId, world } = started
  return {
    ...started,
    makeToken: async ({ maxUses = 1, expiresInSeconds = 900, of = organizationId } = {}) =>
      (await devices.createEnrollment({ organizationId: of, maxUses, expiresInSeconds })).token,
    hello(credential: string) {
      const agent = connectTestAgent(world.agentAddress, credential)
      agent.hello()
      return agent
    },
  }
}

const refusedWith = (message: RegExp) => ({ code: 'unauthorized', message: expect.stringMatching(message) })
const sha256 = (text: string) => createHash('sha256').update(text).digest()

test('a token is exchanged for the credential of one computer, which is listed from then on; the database has only the SHA-256 of both', async () => {
  proves('enrollment.token.shown-once')
  const { devices, makeToken, computer, hello, query } = await start()
  const token = await makeToken()
  expect(token).toMatch(/^platen_enroll_[A-Za-z0-9_-]{43}$/)
  const { credential, computerId } = await devices.enroll({ token, hostname: 'till-1', os: 'linux' })
  const facts = { name: 'till-1', hostname: 'till-1', os: 'linux', mode: 'live', state: 'offline' }
  expect(await computer()).toMatchObject({ id: computerId, ...facts })
  expect(await hello(credential).waitForMessages('welcome')).toMatchObject([{ computerId }])
  const rows = await query<{ row: string; hash: Buffer }>(
    `SELECT enrollment::text AS row, token_sha256 AS hash FROM devices.enrollment WHERE organization_id = $1
     UNION ALL SELECT computer::text, credential_sha256 FROM devices.computer WHERE organization_id = $1`,
  )
  expect(rows.map(({ hash }) => hash)).toEqual([sha256(token), sha256(credential)])
  for (const secret of [token, credential]) expect(JSON.stringify(rows)).not.toContain(secret)
})

test.each([1, 7])('a token for %i uses enrols as many computers, also at once', async (maxUses) => {
  proves('enrollment.used-up')
  const { devices, makeToken } = await start()
  const token = await makeToken({ maxUses })
  const outcomes = await Promise.allSettled(Array.from({ length: maxUses + 20 }, () => devices.enroll({ token })))
  const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.computerId] : []))
  expect([ids.length, new Set(ids).size]).toEqual([maxUses, maxUses])
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refusedWith(/is used up/))
})

test('a token expires to the second', async () => {
  proves('enrollment.expired')
  const { devices, makeToken, advance } = await start()
  const token = await makeToken({ maxUses: 2, expiresInSeconds: 60 })
  advance(59)
  await devices.enroll({ token })
  advance(1)
  await expect(devices.enroll({ token })).rejects.toMatchObject(refusedWith(/has expired/))
})

test.each(['', 'platen_enroll_x', `platen_enroll_${'a'.repeat(43)}`])(
  'the unknown token "%s" is refused',
  async (token) => {
    proves('enrollment.unknown')
    const { devices, computer } = await start()
    await expect(devices.enroll({ token })).rejects.toMatchObject(refusedWith(/enrolment token does not exist/))
    expect(await computer()).toBeUndefined()
  },
)

test('an enrolment with the old credential keeps the id of the computer and uses the token, and the old credential is refused', async () => {
  const { devices, makeToken, hello } = await start()
  const first = await devices.enroll({ token: await makeToken() })
  const token = await makeToken()
  const second = await devices.enroll({ token, credential: first.credential })
  expect(second.computerId).toBe(first.computerId)
  for (const credential of [second.credential, undefined])
    await expect(devices.enroll({ token, credential })).rejects.toMatchObject(refusedWith(/is used up/))
  expect(await hello(first.credential).ending()).toMatchObject({ details: /credential of this computer was replaced/ })
})

test('a repetition with the same token and key within 60 s of the first request gets the same computer with a new credential', async () => {
  proves('enrollment.repeated', 'enrollment.repeated.60s')
  const { devices, makeToken, hello, advance, query } = await start()
  const request = { token: await makeToken(), idempotencyKey: randomBytes(32).toString('base64url') }
  const lost = await devices.enroll(request)
  advance(59)
  const [second, third] = await Promise.all([devices.enroll(request), devices.enroll(request)])
  expect([second.computerId, third.computerId]).toEqual([lost.computerId, lost.computerId])
  const refused = [lost, second, third].map(({ credential }) => hello(credential))
  const welcomed = await Promise.any(refused.map((agent) => agent.waitForMessages('welcome')))
  expect(welcomed).toMatchObject([{ computerId: lost.computerId }])
  expect(await hello(lost.credential).ending()).toMatchObject({ code: status.UNAUTHENTICATED })
  const rows = await query<{ row: string; uses: number }>(
    `SELECT computer::text AS row, uses FROM devices.computer JOIN devices.enrollment USING (organization_id)
     WHERE organization_id = $1`,
  )
  expect(rows).toMatchObject([{ uses: 1 }])
  expect(JSON.stringify(rows)).not.toContain(request.idempotencyKey)
  advance(1)
  await expect(devices.enroll(request)).rejects.toMatchObject(refusedWith(/is used up/))
})

test('a token or a key alone repeats no enrolment', async () => {
  proves('enrollment.repeated.both')
  const { devices, makeToken, world } = await start()
  const [token, idempotencyKey] = [await makeToken(), 'a']
  const first = await devices.enroll({ token, idempotencyKey })
  for (const key of ['', 'b', ' a'])
    await expect(devices.enroll({ token, idempotencyKey: key })).rejects.toMatchObject(refusedWith(/is used up/))
  const others = [await makeToken({ maxUses: 2 }), await makeToken({ of: (await newOrganization(world)).id })]
  for (const other of others)
    expect((await devices.enroll({ token: other, idempotencyKey })).computerId).not.toBe(first.computerId)
  const second = await devices.enroll({ token: others[0] ?? '', idempotencyKey: 'b' })
  expect((await devices.enroll({ token: others[0] ?? '', idempotencyKey: 'b' })).computerId).toBe(second.computerId)
})

test('a repetition of a second enrolment keeps the computer, also for an agent that still has the first credential', async () => {
  const { devices, makeToken, hello } = await start()
  const { credential, computerId } = await devices.enroll({ token: await makeToken() })
  const request = { token: await makeToken(), credential, idempotencyKey: 'key' }
  await devices.enroll(request)
  expect((await devices.enroll(request)).computerId).toBe(computerId)
  expect(await hello(credential).ending()).toMatchObject({ details: /credential of this computer was replaced/ })
  const other = await devices.enroll({ token: await makeToken() })
  expect((await devices.enroll({ ...request, credential: other.credential })).computerId).toBe(computerId)
  await hello(other.credential).waitForMessages('welcome')
})

test('an offline computer is unauthorized from the use of its revoked credential until an agent with the present one is seen', async () => {
  proves(
    'computer.unauthorizedAt',
    'computer.unauthorized',
    'computer.unauthorized.seen',
    'computer.unauthorized.others',
  )
  const { devices, makeToken, hello, computer, advance, world, organizationId } = await start()
  const { credential } = await devices.enroll({ token: await makeToken() })
  const present = await devices.enroll({ token: await makeToken(), credential })
  const isRefused = async (used: string) =>
    expect(await hello(used).ending()).toMatchObject({ code: status.UNAUTHENTICATED })
  const shown = async () => {
    const found = await computer()
    return [found?.state, found?.unauthorizedAt]
  }
  await isRefused(`${credential.slice(0, -1)}x`)
  await isRefused(makeCredential())
  expect(await shown()).toEqual(['offline', undefined])
  const since = timestampFromDate(world.clock.now())
  await isRefused(credential)
  advance(1)
  await isRefused(credential)
  expect(await shown()).toEqual(['offline', since])
  const agent = hello(present.credential)
  await agent.waitForMessages('welcome')
  advance(1)
  await isRefused(credential)
  expect(await shown()).toEqual(['online', undefined])
  advance(1)
  agent.shutDown()
  await waitFor(async () => expect(await shown()).toEqual(['offline', undefined]))
  const details = async () => {
    const { problems } = await devices.listProblems({ organizationIds: [organizationId] })
    return problems.map(({ kind, detail }) => [kind, detail])
  }
  expect(await details()).toContainEqual(['computer_offline', ''])
  advance(1)
  await isRefused(credential)
  expect(await details()).toContainEqual(['computer_offline', 'unauthorized'])
})

test('an enrolment with the revoked credential keeps the id of the computer only while the computer is unauthorized', async () => {
  proves('computer.unauthorized.enrol')
  const { devices, makeToken, hello, tenant } = await start()
  const { credential, computerId } = await devices.enroll({ token: await makeToken() })
  await devices.enroll({ token: await makeToken(), credential })
  const other = await devices.enroll({ token: await makeToken(), credential })
  expect(other.computerId).not.toBe(computerId)
  await hello(credential).ending()
  const again = await devices.enroll({ token: await makeToken(), credential })
  const { computer } = await devices.getComputer({ ...tenant, computerId })
  expect([again.computerId, computer?.unauthorizedAt]).toEqual([computerId, undefined])
  await hello(again.credential).waitForMessages('welcome')
})

test('an enrolment with the revoked credential does not take the computer from an agent that connects at this moment', async () => {
  const { devices, makeToken, hello, hold, waitsForLock } = await start()
  const { credential, computerId } = await devices.enroll({ token: await makeToken() })
  await devices.enroll({ token: await makeToken(), credential })
  await hello(credential).ending()
  const token = await makeToken()
  const connected = await hold(`UPDATE devices.computer SET state = 'online' WHERE organization_id = $1`)
  const enrolling = devices.enroll({ token, credential })
  await waitsForLock(1)
  await connected()
  expect((await enrolling).computerId).not.toBe(computerId)
})

test('an enrolment with the credential of a deleted computer or of another organization makes a new computer', async () => {
  const { world, devices, makeToken, tenant, computer } = await start()
  const first = await devices.enroll({ token: await makeToken() })
  const elsewhere = await makeToken({ of: (await newOrganization(world)).id })
  const other = await devices.enroll({ token: elsewhere, credential: first.credential })
  expect(other.computerId).not.toBe(first.computerId)
  await devices.deleteComputer({ ...tenant, computerId: first.computerId })
  const again = await devices.enroll({ token: await makeToken(), credential: first.credential })
  expect(again.computerId).not.toBe(first.computerId)
  expect((await computer())?.id).toBe(again.computerId)
})

test.each(['', 'x', `platen_agent_${'A'.repeat(43)}`])('the wrong credential "%s" is refused', async (credential) => {
  proves('agent.credential.wrong')
  const agent = (await start()).hello(credential)
  expect(await agent.ending()).toMatchObject({ code: status.UNAUTHENTICATED })
  await expect(agent.download(uuidv7())).rejects.toMatchObject({ code: status.UNAUTHENTICATED })
})

test('a search for up to 500 hashes finds those of tokens that are good, used up or expired', async () => {
  const { devices, makeToken, advance, organizationId } = await start()
  const tokens = [await makeToken(), await makeToken(), await makeToken({ expiresInSeconds: 60 })]
  await devices.enroll({ token: tokens[1] ?? '' })
  advance(61)
  const known = tokens.map(sha256)
  const unknown = Array.from({ length: 497 }, () => randomBytes(32))
  const { enrollments } = await devices.findEnrollments({ tokenSha256: [...unknown, ...known] })
  const inHex = (hashes: Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex')).toSorted()
  expect(inHex(enrollments.map((found) => found.tokenSha256))).toEqual(inHex(known))
  expect(new Set(enrollments.map((found) => found.organizationId))).toEqual(new Set([organizationId]))
  await expect(devices.findEnrollments({ tokenSha256: [...unknown, ...known, randomBytes(32)] })).rejects.toThrow(/500/)
})

test('concurrent enrolments make as many computers as the plan permits; a refused one spends no use, and a known computer enrols again', async () => {
  const { devices, makeToken, organizationId, tenant } = await start()
  const enroll = (token: string, credential?: string) =>
    devices.enroll({ token, credential, organizationId, computersLimit: 2 })
  const first = await enroll(await makeToken())
  const tokens = await Promise.all(Array.from({ length: 5 }, () => makeToken()))
  const outcomes = await Promise.allSettled(tokens.map((token) => enroll(token)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ code: 'quota_exceeded', message: expect.stringContaining('2 computers') })
  const unspent = tokens.filter((_, n) => outcomes[n]?.status === 'rejected')
  expect((await enroll(unspent[0] ?? '', first.credential)).computerId).toBe(first.computerId)
  await devices.deleteComputer({ ...tenant, computerId: first.computerId })
  for (const token of unspent.slice(1, 2)) await enroll(token)
})

test('an organization has 1,000 computers; deleted ones do not count', async () => {
  proves('enrollment.computers.limit')
  const { devices, makeToken, organizationId, query, tenant } = await start()
  const { computerId } = await devices.enroll({ token: await makeToken(), organizationId })
  await query(
    `INSERT INTO devices.computer (id, organization_id, mode, name, credential_sha256, created_at, deleted_at)
     SELECT uuidv7(), $1, 'live', '', sha256(uuidv7()::text::bytea), now(), CASE WHEN n > $2 THEN now() END
     FROM generate_series(1, $2 + 10) AS n`,
    BUDGETS.computers.max - 2,
  )
  const token = await makeToken({ maxUses: 3 })
  await devices.enroll({ token, organizationId })
  const refused = { code: 'quota_exceeded', message: expect.stringMatching(/1,000 computers/) }
  await expect(devices.enroll({ token, organizationId })).rejects.toMatchObject(refused)
  await devices.deleteComputer({ ...tenant, computerId })
  await devices.enroll({ token, organizationId })
})

test('an expired token is deleted after 30 days, and a deleted computer with its printers after 400 days', async () => {
  proves('enrollment.kept', 'computers.deleted.kept')
  const { devices, makeToken, connect, tenant, query, world } = await start()
  await makeToken()
  const { computerId } = await connect()
  const sweepAt = async (days: number) => {
    const clock = createTestClock(new Date(world.clock.now().getTime() + days * 86_400_000))
    await sweepEnded({ ...world.contexts.devices, clock })
    const rows = await query<{ computers: number; printers: number; tokens: number }>(
      `SELECT (SELECT count(*) FROM devices.computer WHERE organization_id = $1)::int AS computers,
         (SELECT count(*) FROM devices.printer WHERE organization_id = $1)::int AS printers,
         (SELECT count(*) FROM devices.enrollment WHERE organization_id = $1)::int AS tokens`,
    )
    return rows[0]
  }
  const before = await sweepAt(29)
  expect(before).toMatchObject({ computers: 1, printers: 1 })
  expect(await sweepAt(38)).toMatchObject({ computers: 1, tokens: 0 })
  await devices.deleteComputer({ ...tenant, computerId })
  await sweepDeleted(world.contexts.devices)
  expect(await sweepAt(399)).toMatchObject({ computers: 1, printers: 1 })
  // A sweep deletes 100 computers, also of other tests.
  await waitFor(async () => expect(await sweepAt(400)).toMatchObject({ computers: 0, printers: 0 }))
})
