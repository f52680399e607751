import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

const makeToken = (world: World, { maxUses = 1, expiresInSeconds = 900, organizationId = world.organizationId } = {}) =>
  world.devices.createEnrollment({ organizationId, maxUses, expiresInSeconds })

const refusedWith = (message: RegExp) => ({ code: 'unauthorized', message: expect.stringMatching(message) })

test('a token is traded for a credential of one computer, which is in the live list from then on', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { token } = await makeToken(world)
  expect(token).toMatch(/^platen_enroll_[A-Za-z0-9_-]{43}$/)
  const { credential, computerId } = await world.devices.enroll({ token, hostname: 'till-1', os: 'linux' })
  expect(await world.computer()).toMatchObject({
    id: computerId,
    name: 'till-1',
    hostname: 'till-1',
    os: 'linux',
    mode: 'live',
    state: 'offline',
  })
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello()
  expect(await agent.hears('welcome')).toMatchObject([{ computerId }])
})

test('of tokens and credentials the database has the SHA-256 alone', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { token } = await makeToken(world)
  const { credential } = await world.devices.enroll({ token })
  const { rows } = await world.query<{ row: string; hash: string }>(
    `SELECT enrollment::text AS row, encode(token_sha256, 'hex') AS hash FROM devices.enrollment
     UNION ALL SELECT computer::text, encode(credential_sha256, 'hex') FROM devices.computer`,
  )
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(rows.map(({ hash }) => hash)).toEqual([sha256(token), sha256(credential)])
  for (const { row } of rows) {
    expect(row).not.toContain(token)
    expect(row).not.toContain(credential)
  }
})

test.each([1, 7])('a token for %i uses is good for as many computers, however many come at once', async (maxUses) => {
  const world = await startTestDevices({ mode: 'live', replicas: 2 })
  const { token } = await makeToken(world, { maxUses })
  const outcomes = await Promise.allSettled(Array.from({ length: maxUses + 20 }, () => world.devices.enroll({ token })))
  const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.computerId] : []))
  expect(new Set(ids).size).toBe(maxUses)
  expect(ids).toHaveLength(maxUses)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refusedWith(/is used up/))
})

test('a token ends with its time, to the second', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const { token } = await makeToken(world, { maxUses: 2, expiresInSeconds: 60 })
  world.clock.advanceSeconds(59)
  await world.devices.enroll({ token })
  world.clock.advanceSeconds(1)
  await expect(world.devices.enroll({ token })).rejects.toMatchObject(refusedWith(/has expired/))
})

test('a token that does not exist is refused', async () => {
  const world = await startTestDevices({ mode: 'live' })
  for (const token of ['', 'platen_enroll_x', `platen_enroll_${'a'.repeat(43)}`])
    await expect(world.devices.enroll({ token })).rejects.toMatchObject(refusedWith(/no such enrolment token/))
  expect(await world.computer()).toBeUndefined()
})

test('who enrols again with its old credential keeps its id, and the old credential is refused', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const first = await world.devices.enroll({ token: (await makeToken(world)).token })
  const second = await world.devices.enroll({
    token: (await makeToken(world)).token,
    credential: first.credential,
  })
  expect(second.computerId).toBe(first.computerId)
  const old = connectTestAgent(world.agentAddresses[0] ?? '', first.credential)
  old.hello()
  expect(await old.ending()).toMatchObject({ details: /credential is not valid/ })
})

test('the old credential of a deleted computer, or of another organization, makes a new computer', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const first = await world.devices.enroll({ token: (await makeToken(world)).token })
  const elsewhere = await makeToken(world, { organizationId: uuidv7() })
  const other = await world.devices.enroll({ token: elsewhere.token, credential: first.credential })
  expect(other.computerId).not.toBe(first.computerId)
  const ids = { organizationId: world.organizationId, mode: 'live', computerId: first.computerId }
  await world.devices.deleteComputer(ids)
  const { token } = await makeToken(world)
  const again = await world.devices.enroll({ token, credential: first.credential })
  expect(again.computerId).not.toBe(first.computerId)
  expect((await world.computer())?.id).toBe(again.computerId)
})
