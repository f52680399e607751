/** The list of the audit log. What is recorded is in the tests of the gateway. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { proves } from '@platen/test/harness/rules.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'

const MINUTE_MS = 60_000

interface Entry {
  id: string
  at: Date
  action: string
  actorId: string
}

async function startLog() {
  const { accounts, pool, advance, clock } = await getWorld()
  const createLog = async () => (await accounts.createOrganization({ name: 'Shop' })).organization?.id ?? ''
  const logId = await createLog()
  async function add(facts: Partial<Omit<Entry, 'at'>> = {}, log = logId): Promise<Entry> {
    const entry = { id: uuidv7(), action: 'createApiKey', actorId: uuidv7(), ...facts }
    const action = { actorKind: 'user', actorName: 'ann@example.com', requestId: 'r', ip: '127.0.0.1', ...entry }
    await accounts.beginAction({ logIds: [log], action })
    return { ...entry, at: clock.now() }
  }
  /** All pages. */
  async function walk(filter: object, ascending: boolean): Promise<string[]> {
    const ids: string[] = []
    for (let after: Uint8Array | undefined; ; ) {
      const page = { limit: 2, ascending, after }
      const { actions, end } = await accounts.listActions({ logId, page, ...filter })
      ids.push(...actions.map(({ id }) => id))
      if (!end?.hasMore) return ids
      after = end.position
    }
  }
  return { pool, advance, add, walk, createLog, logId }
}

const toTimestamp = (time: Date | undefined) => time && timestampFromDate(time)

test('entries are found by time to the millisecond, alone and with the other filters, in both directions and over all pages', async () => {
  proves('audit.list.time')
  const { pool, advance, add, walk, createLog } = await startLog()
  const other = await createLog()
  const [ann, ben] = [uuidv7(), uuidv7()]
  const all: Entry[] = []
  for (const [n, ms] of [0, 1, 0, 1, 20 * MINUTE_MS, 0, MINUTE_MS, 20 * MINUTE_MS].entries()) {
    advance(ms)
    all.push(await add({ action: n % 2 === 0 ? 'createApiKey' : 'revokeApiKey', actorId: n % 3 === 0 ? ann : ben }))
    await add({ actorId: ann }, other)
  }
  await untilVisible(pool)
  const times = [...new Set(all.map(({ at }) => at.getTime()))]
  const ranges = [
    ...times.flatMap((ms) => [[new Date(ms)], [new Date(ms + 1)]]),
    ...times.flatMap((ms) => [
      [undefined, new Date(ms)],
      [undefined, new Date(ms + 1)],
    ]),
    ...times.map((ms) => [new Date(ms), new Date(ms + 20 * MINUTE_MS)]),
    [new Date('1990-01-01'), new Date('2190-01-01')],
    [new Date('2190-01-01')],
    [undefined, new Date('1990-01-01')],
  ]
  for (const [since, until] of ranges)
    for (const filter of [{}, { action: 'createApiKey', actorId: ben }]) {
      const { action, actorId } = filter
      const ids = all
        .filter(({ at }) => (!since || at >= since) && (!until || at < until))
        .filter((entry) => (!action || entry.action === action) && (!actorId || entry.actorId === actorId))
        .map(({ id }) => id)
      const ranged = { ...filter, since: toTimestamp(since), until: toTimestamp(until) }
      expect(await walk(ranged, false)).toEqual(ids.toReversed())
      expect(await walk(ranged, true)).toEqual(ids)
    }
})

test('a filter by time finds entries of replicas whose clocks differ by 5 minutes', async () => {
  const { pool, advance, add, walk, logId } = await startLog()
  advance(20 * MINUTE_MS)
  const { id: first, at } = await add()
  const earlier = new Date(at.getTime() - 5 * MINUTE_MS)
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO accounts.audit (log_id, id, at, actor_kind, actor_name, action, request_id, ip)
     VALUES ($1, uuidv7(), $2, 'operator', 'operator', 'setPlan', '', '') RETURNING id`,
    [logId, earlier],
  )
  const since = timestampFromDate(at)
  expect(await walk({ since }, false)).toEqual([first])
  expect(await walk({ until: since }, false)).toEqual(rows.map(({ id }) => id))
})

/** An organization with a member, an invitation and a key, and the names of these by their ids. */
async function startTargets() {
  const { accounts, pool } = await getWorld()
  const organizationId = (await accounts.createOrganization({ name: 'Shop' })).organization?.id ?? ''
  const [email, invited] = [`ann-${uuidv7()}@example.com`, `ben-${uuidv7()}@example.com`]
  const { member } = await accounts.addMember({ organizationId, email, role: 'owner' })
  const { apiKey } = await accounts.createApiKey({ organizationId, name: 'till', mode: 'test', scopes: ['read'] })
  const { invitation } = await accounts.createInvitation({
    organizationId,
    email: invited,
    role: 'member',
    invitedBy: email,
  })
  const names = new Map([
    [member?.userId ?? '', email],
    [apiKey?.id ?? '', 'till'],
    [invitation?.id ?? '', invited],
  ])
  const readActions = async (logId = organizationId) => {
    await untilVisible(pool)
    return (await accounts.listActions({ logId, page: { limit: 20, ascending: true } })).actions
  }
  const begin = (request: object, target = '', id = uuidv7()) => {
    const action = { id, action: 'test', actorKind: 'operator', actorName: 'operator', target }
    return accounts.beginAction({ ...request, action })
  }
  return { accounts, organizationId, email, userId: member?.userId ?? '', names, readActions, begin }
}

test('the name of a target is that of a member, invitation or key of the organization whose log it is', async () => {
  const { organizationId, names, begin, readActions } = await startTargets()
  const other = await startTargets()
  for (const target of [...names.keys(), ...other.names.keys(), uuidv7()])
    await begin({ logIds: [organizationId] }, target)
  const found = (await readActions()).map(({ target, targetName }) => [target, targetName])
  expect(new Map(found.slice(0, 3) as [string, string][])).toEqual(names)
  expect(found.slice(3).map(([, name]) => name || undefined)).toEqual([undefined, undefined, undefined, undefined])
})

test('an action that is begun again after a lost answer is one entry', async () => {
  const { organizationId, begin, readActions } = await startTargets()
  const id = uuidv7()
  for (let n = 0; n < 2; n++) await begin({ logIds: [organizationId] }, '', id)
  expect((await readActions()).map((action) => action.id)).toEqual([id])
})

test('an outcome is that of one action, and does not change', async () => {
  const { accounts, organizationId, begin, readActions } = await startTargets()
  for (let n = 0; n < 2; n++) await begin({ logIds: [organizationId] })
  const [first] = await readActions()
  for (const outcome of ['ok', 'forbidden']) await accounts.endAction({ actionId: first?.id, outcome })
  expect((await readActions()).map(({ outcome }) => outcome)).toEqual(['ok', ''])
})

test('an action about a user is in the logs of the user and of the organizations of the user, and in no others', async () => {
  const { organizationId, userId, email, begin, readActions } = await startTargets()
  const other = await startTargets()
  await begin({ userEmail: email.toUpperCase() })
  const seen = [organizationId, userId, other.organizationId, other.userId].map(async (logId) =>
    (await readActions(logId)).map(({ target }) => target),
  )
  expect(await Promise.all(seen)).toEqual([[userId], [userId], [], []])
})
