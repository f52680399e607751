import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ApiKey } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey, makeApiKey } from '@platen/resources/api-key.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import { ACCOUNTS_DURATIONS } from '@platen/test/harness/durations.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { VERIFIED_MAX } from '../../rpc/verify-api-keys.ts'
import { startAccounts } from '../../service.ts'
import { recordLastUses } from '../../timers/record-last-uses.ts'

async function startKeys() {
  const world = await getWorld()
  const { accounts, query } = world
  const createOrganization = async (name = 'Shop') =>
    (await accounts.createOrganization({ name })).organization?.id ?? ''
  const organizationId = await createOrganization()
  return {
    ...world,
    organizationId,
    createOrganization,
    async createKey(facts: { organizationId?: string; mode?: 'live' | 'test'; scopes?: string[]; name?: string } = {}) {
      const named = { organizationId, name: 'till', mode: 'test', scopes: ['read'], ...facts }
      const { key, apiKey } = await accounts.createApiKey(named)
      return { key, id: apiKey?.id ?? '', apiKey }
    },
    list: async (of = organizationId) => (await accounts.listApiKeys({ organizationId: of })).apiKeys,
    /** Keys in the form in which an earlier release made them. */
    addOldKeys: (count: number, revokedAt: Date | null = null) =>
      query(
        `INSERT INTO accounts.api_key (id, organization_id, name, key_sha256, prefix, mode, scopes, created_at,
           revoked_at)
         SELECT uuidv7(), $1, 'till', sha256(uuid_send(uuidv7())), 'platen_test_', 'test', '{read}', now(), $3
         FROM generate_series(1, $2) n`,
        [organizationId, count, revokedAt],
      ),
  }
}

const readIds = (keys: ApiKey[]) => keys.map(({ id }) => id)

test('a listed key has its facts, and not the key itself', async () => {
  proves('auth.key.shown-once')
  const { clock, organizationId, createKey, list } = await startKeys()
  const facts = { mode: 'live' as const, scopes: ['admin', 'read', 'read'], name: 'Till 7 ✓' }
  const { key, id } = await createKey(facts)
  const apiKeys = await list()
  const prefix = key.slice(0, 'platen_live_'.length + 4)
  const shown = {
    id,
    organizationId,
    name: 'Till 7 ✓',
    prefix,
    lastFour: key.slice(-4),
    mode: 'live',
    scopes: ['read', 'admin'],
  }
  expect(apiKeys).toEqual([expect.objectContaining(shown)])
  expect(apiKeys[0]?.createdAt && timestampDate(apiKeys[0].createdAt)).toEqual(clock.now())
  expect([apiKeys[0]?.lastUsedAt, apiKeys[0]?.revokedAt]).toEqual([undefined, undefined])
  expect(JSON.stringify(apiKeys, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toContain(key)
})

test('organizations and keys are found by their ids', async () => {
  const { accounts, createOrganization, createKey } = await startKeys()
  const organizationId = await createOrganization('Corner shop')
  expect((await accounts.getOrganization({ organizationId })).organization?.name).toBe('Corner shop')
  const { id } = await createKey({ organizationId })
  expect((await accounts.getApiKey({ apiKeyId: id })).apiKey).toMatchObject({ id, organizationId, name: 'till' })
})

test('valid keys are verified; a revoked key is not, keeps the time of its revocation, and is the last in the list', async () => {
  const { accounts, clock, organizationId, createKey, list } = await startKeys()
  const [first, second, third] = [await createKey(), await createKey(), await createKey()]
  const revoke = async () => (await accounts.revokeApiKey({ organizationId, apiKeyId: third.id })).apiKey?.revokedAt
  const revokedAt = await revoke()
  expect(revokedAt && timestampDate(revokedAt)).toEqual(clock.now())
  clock.advance(1_000)
  expect(await revoke()).toEqual(revokedAt)
  const keySha256 = [third.key, first.key, makeApiKey('test')].map(hashApiKey)
  const { verified } = await accounts.verifyApiKeys({ keySha256 })
  expect(verified.map(({ apiKey, organization, keySha256 }) => [apiKey?.id, organization?.id, keySha256])).toEqual([
    [first.id, organizationId, hashApiKey(first.key)],
  ])
  expect(readIds(await list())).toEqual([second.id, first.id, third.id])
})

test('a key is revoked by the sweep when it has expired, and not before; it is still found, as one that has expired', async () => {
  const { accounts, clock, organizationId, list, sweep, createKey } = await startKeys()
  const expiresAt = timestampFromDate(new Date(clock.now().getTime() + 60_000))
  const facts = { organizationId, name: 'till', mode: 'test', scopes: ['read'] }
  const { apiKey, key } = await accounts.createApiKey({ ...facts, expiresAt })
  const { id } = await createKey()
  const ended = await accounts.createApiKey({ ...facts, expiresAt })
  const revoked = ended.apiKey?.id ?? ''
  const { revokedAt } = (await accounts.revokeApiKey({ organizationId, apiKeyId: revoked })).apiKey ?? {}
  const readRevoked = async () => {
    await sweep('accounts', 'old rows')
    return (await list()).flatMap((key) => (key.revokedAt ? [[key.id, key.revokedAt]] : []))
  }
  clock.advance(59_999)
  expect(await readRevoked()).toEqual([[revoked, revokedAt]])
  clock.advance(1)
  expect(Object.fromEntries(await readRevoked())).toEqual({ [revoked]: revokedAt, [`${apiKey?.id}`]: expiresAt })
  const { verified } = await accounts.verifyApiKeys({ keySha256: [key, ended.key].map(hashApiKey) })
  expect(verified).toMatchObject([{ apiKey: { id: apiKey?.id, expiresAt } }])
  expect(readIds(await list())).toContain(id)
})

test(`1 to ${VERIFIED_MAX} keys can be verified at once`, async () => {
  const { accounts } = await startKeys()
  const verify = (count: number) =>
    accounts.verifyApiKeys({ keySha256: Array.from({ length: count }, (_, n) => hashApiKey(String(n))) })
  expect((await verify(VERIFIED_MAX)).verified).toEqual([])
  for (const count of [0, VERIFIED_MAX + 1])
    await expect(verify(count)).rejects.toMatchObject({ code: 'invalid_request' })
})

test(`an organization has at most ${BUDGETS.apiKeys.max} valid keys, also if several are created concurrently`, async () => {
  const { accounts, organizationId, addOldKeys, createOrganization, createKey } = await startKeys()
  const { id } = await createKey()
  await addOldKeys(BUDGETS.apiKeys.max - 2)
  const made = await Promise.allSettled([createKey(), createKey()])
  expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(createKey()).rejects.toMatchObject({ code: 'limit_reached' })
  await createKey({ organizationId: await createOrganization() })
  await accounts.revokeApiKey({ organizationId, apiKeyId: id })
  await createKey()
})

test('a list has at most 1,000 keys, valid ones first, also keys without last four characters', async () => {
  const { clock, addOldKeys, createKey, list } = await startKeys()
  const { id } = await createKey()
  await addOldKeys(999, clock.now())
  const keys = await list()
  expect([keys.length, keys[0]?.id, keys.at(-1)?.lastFour]).toEqual([1_000, id, ''])
  const newer = await createKey()
  const more = await list()
  expect([more.length, ...readIds(more.slice(0, 2))]).toEqual([1_000, newer.id, id])
})

test.each<[string, Record<string, unknown>, string]>([
  ['an unknown mode', { mode: 'prod' }, '`mode`: must be live or test'],
  ['no scope', { scopes: [] }, 'scope'],
  ['an unknown scope', { scopes: ['read', 'write'] }, '`scopes`: `write` is not one of read, print, admin'],
  ['no name', { name: ' ' }, 'name'],
  ['a name of 256 characters', { name: '🖨'.repeat(256) }, 'name'],
  ['a name with NUL', { name: 'a\0' }, 'name'],
])('a key with %s is refused by the name of the field', async (_, changes, field) => {
  const { createKey } = await startKeys()
  const refusal = { code: 'invalid_request', message: expect.stringContaining(field) }
  await expect(createKey(changes)).rejects.toMatchObject(refusal)
  expect((await createKey({ name: '🖨'.repeat(255) })).apiKey?.name).toHaveLength(510)
})

test('an organization needs a name of 1 to 255 characters', async () => {
  const { createOrganization } = await startKeys()
  for (const name of ['', '  ', 'a\0', '🖨'.repeat(256)])
    await expect(createOrganization(name)).rejects.toMatchObject({ code: 'invalid_request' })
  await createOrganization('🖨'.repeat(255))
})

test.each([uuidv7(), 'shop', ''])('an organization or key %j that does not exist is `not_found`', async (id) => {
  const { accounts, createKey } = await startKeys()
  const notFound = { code: 'not_found', message: expect.stringMatching(/^There is no .*\.$/) }
  const calls = [
    accounts.getOrganization({ organizationId: id }),
    accounts.listApiKeys({ organizationId: id }),
    accounts.getApiKey({ apiKeyId: id }),
    accounts.revokeApiKey({ organizationId: id, apiKeyId: id }),
    createKey({ organizationId: id }),
  ]
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(notFound)))
})

describe('the last use of a key', () => {
  async function startUses() {
    const keys = await startKeys()
    const { pool, list } = keys
    const { key, id } = await keys.createKey()
    // It is not used.
    const { id: unused } = await keys.createKey()
    const lastUses = new Map<string, Date>()
    let statements = 0
    const counting = {
      query: (statement: Parameters<typeof pool.query>[0]) => {
        statements++
        return pool.query(statement)
      },
    } as typeof pool
    return {
      ...keys,
      key,
      id,
      lastUses,
      countStatements: () => statements,
      record: () => recordLastUses({ pool: counting, lastUses: { api_key: lastUses, session: new Map() } }),
      async readLastUse() {
        const read = new Map((await list()).map((listed) => [listed.id, listed.lastUsedAt]))
        expect(read.get(unused)).toBeUndefined()
        const lastUsedAt = read.get(id)
        return lastUsedAt && timestampDate(lastUsedAt)
      },
    }
  }

  test('is written by the next sweep, and when the service stops', async () => {
    const { accounts, clock, sweep, key, id, readLastUse, databaseUrl } = await startUses()
    await accounts.verifyApiKeys({ keySha256: [hashApiKey(key)] })
    await sweep('accounts', 'last uses')
    expect(await readLastUse()).toEqual(clock.now())
    clock.advance(60_000)
    const process = createTestProcess('accounts', { runTimer: () => undefined })
    const listen = { host: '127.0.0.1', port: await freePort() }
    const { lastUses } = await startAccounts(
      process,
      {
        rpc: { listen, callers: [] },
        database: { server: parseDatabaseUrl(databaseUrl) },
        signInKey: [Buffer.alloc(32)],
        publicUrl: undefined,
        mail: { from: 'platen@localhost', to: undefined },
        ...ACCOUNTS_DURATIONS,
      },
      clock,
    )
    lastUses.api_key.set(id, clock.now())
    await process.stop()
    expect(await readLastUse()).toEqual(clock.now())
  })

  test('is written once a minute, and without a use no statement is made', async () => {
    const { clock, record, lastUses, readLastUse, id, countStatements } = await startUses()
    const firstUse = clock.now()
    const useAndRecord = async () => {
      lastUses.set(id, clock.now())
      await record()
      return await readLastUse()
    }
    expect(await useAndRecord()).toEqual(firstUse)
    await record()
    expect(countStatements()).toBe(1)
    clock.advance(59_000)
    expect(await useAndRecord()).toEqual(firstUse)
    clock.advance(1_000)
    expect(await useAndRecord()).toEqual(clock.now())
  })

  test('of many keys is one statement, which waits for no other replica', async () => {
    const { pool, clock, record, lastUses, id, organizationId, readLastUse, countStatements } = await startUses()
    const commit = await holdTransaction(pool, (client) =>
      client.query('SELECT FROM accounts.api_key WHERE organization_id = $1 FOR UPDATE', [organizationId]),
    )
    for (let n = 0; n < 1_000; n++) lastUses.set(uuidv7(), clock.now())
    lastUses.set(id, clock.now())
    await record()
    await commit()
    expect([countStatements(), await readLastUse()]).toEqual([1, undefined])
  })
})
