import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { ApiKey } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { hashApiKey, makeApiKey } from '../api-key.ts'
import { KEYS_MAX } from '../rpc/create-api-key.ts'
import { VERIFIED_MAX } from '../rpc/verify-api-keys.ts'
import { recordLastUses } from '../timers/record-last-uses.ts'
import { startTestAccounts } from './start-test-accounts.ts'

const ids = (keys: ApiKey[]) => keys.map(({ id }) => id)

test('a key is listed with all that people may see of it, and without the key itself', async () => {
  const { accounts, clock, createOrganization, createKey } = await startTestAccounts()
  const organizationId = await createOrganization()
  const { key, id } = await createKey(organizationId, {
    mode: 'live',
    scopes: ['admin', 'read', 'read'],
    name: 'Till 7 ✓',
  })
  const { apiKeys } = await accounts.listApiKeys({ organizationId })
  expect(apiKeys).toEqual([
    expect.objectContaining({
      id,
      organizationId,
      name: 'Till 7 ✓',
      prefix: key.slice(0, 'platen_live_'.length + 4),
      lastFour: key.slice(-4),
      mode: 'live',
      scopes: ['read', 'admin'],
    }),
  ])
  expect(apiKeys[0]?.createdAt && timestampDate(apiKeys[0].createdAt)).toEqual(clock.now())
  expect([apiKeys[0]?.lastUsedAt, apiKeys[0]?.revokedAt]).toEqual([undefined, undefined])
  expect(JSON.stringify(apiKeys, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toContain(key)
})

test('an organization sees and revokes its own keys alone', async () => {
  const { accounts, createOrganization, createKey } = await startTestAccounts()
  const [ours, theirs] = [await createOrganization(), await createOrganization()]
  const [our, their] = [await createKey(ours), await createKey(theirs)]
  expect(ids((await accounts.listApiKeys({ organizationId: ours })).apiKeys)).toEqual([our.id])
  await expect(accounts.revokeApiKey({ organizationId: ours, apiKeyId: their.id })).rejects.toMatchObject({
    code: 'not_found',
  })
  const { verified } = await accounts.verifyApiKeys({ keySha256: [our, their].map(({ key }) => hashApiKey(key)) })
  expect(ids(verified.flatMap(({ apiKey }) => apiKey ?? [])).toSorted()).toEqual([our.id, their.id].toSorted())
})

test('of several keys those are verified that are valid; a revoked one is found no more, and stays in the list behind the others', async () => {
  const { accounts, clock, createOrganization, createKey } = await startTestAccounts()
  const organizationId = await createOrganization()
  const [first, second, third] = [
    await createKey(organizationId),
    await createKey(organizationId),
    await createKey(organizationId),
  ]
  const { apiKey: revoked } = await accounts.revokeApiKey({ organizationId, apiKeyId: third.id })
  expect(revoked?.revokedAt && timestampDate(revoked.revokedAt)).toEqual(clock.now())
  clock.advanceSeconds(1)
  const again = await accounts.revokeApiKey({ organizationId, apiKeyId: third.id })
  expect(again.apiKey?.revokedAt).toEqual(revoked?.revokedAt)

  const keySha256 = [third.key, first.key, makeApiKey('test')].map(hashApiKey)
  const { verified } = await accounts.verifyApiKeys({ keySha256 })
  expect(verified.map(({ apiKey, organization, keySha256 }) => [apiKey?.id, organization?.id, keySha256])).toEqual([
    [first.id, organizationId, hashApiKey(first.key)],
  ])
  expect(ids((await accounts.listApiKeys({ organizationId })).apiKeys)).toEqual([second.id, first.id, third.id])
})

test(`1 to ${VERIFIED_MAX} keys can be verified at once`, async () => {
  const { accounts } = await startTestAccounts()
  const hashes = (count: number) => Array.from({ length: count }, (_, n) => hashApiKey(String(n)))
  expect((await accounts.verifyApiKeys({ keySha256: hashes(VERIFIED_MAX) })).verified).toEqual([])
  for (const count of [0, VERIFIED_MAX + 1])
    await expect(accounts.verifyApiKeys({ keySha256: hashes(count) })).rejects.toMatchObject({
      code: 'invalid_request',
    })
})

test(`an organization has at most ${KEYS_MAX} valid keys, also when several are made at once`, async () => {
  const { accounts, addOldKeys, createOrganization, createKey } = await startTestAccounts()
  const organizationId = await createOrganization()
  const { id } = await createKey(organizationId)
  await addOldKeys(organizationId, KEYS_MAX - 2)
  const made = await Promise.allSettled([createKey(organizationId), createKey(organizationId)])
  expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(createKey(organizationId)).rejects.toMatchObject({ code: 'limit_reached' })
  await createKey(await createOrganization())
  await accounts.revokeApiKey({ organizationId, apiKeyId: id })
  await createKey(organizationId)
})

test('a list holds 1,000 keys at most, valid ones first, also such as were made before their last four characters were kept', async () => {
  const { accounts, query, addOldKeys, createOrganization, createKey } = await startTestAccounts()
  const organizationId = await createOrganization()
  const { id } = await createKey(organizationId)
  const list = async () => (await accounts.listApiKeys({ organizationId })).apiKeys
  await addOldKeys(organizationId, 999)
  await query('UPDATE accounts.api_key SET revoked_at = now() WHERE last_four IS NULL')
  const keys = await list()
  expect([keys.length, keys[0]?.id, keys.at(-1)?.lastFour]).toEqual([1_000, id, ''])
  const newer = await createKey(organizationId)
  expect(ids((await list()).slice(0, 2))).toEqual([newer.id, id])
  expect(await list()).toHaveLength(1_000)
})

describe('is refused in a sentence:', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a mode that is none', { mode: 'prod' }, 'mode'],
    ['no scope', { scopes: [] }, 'scope'],
    ['a scope that is none', { scopes: ['read', 'write'] }, 'scopes.1'],
    ['no name', { name: ' ' }, 'name'],
    ['a name of 256 characters', { name: '🖨'.repeat(256) }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
  ])('a key with %s', async (_, changes, field) => {
    const { createOrganization, createKey } = await startTestAccounts()
    const organizationId = await createOrganization()
    await expect(createKey(organizationId, changes)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(field),
    })
    expect((await createKey(organizationId, { name: '🖨'.repeat(255) })).apiKey?.name).toHaveLength(510)
  })

  test.each(['', '  ', 'a\0', '🖨'.repeat(256)])('an organization called %j', async (name) => {
    const { createOrganization } = await startTestAccounts()
    await expect(createOrganization(name)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test.each([uuidv7(), 'shop', ''])('the organization or key %j that does not exist', async (id) => {
    const { accounts, createKey } = await startTestAccounts()
    for (const call of [
      () => accounts.getOrganization({ organizationId: id }),
      () => accounts.listApiKeys({ organizationId: id }),
      () => accounts.getApiKey({ apiKeyId: id }),
      () => accounts.revokeApiKey({ organizationId: id, apiKeyId: id }),
      () => createKey(id),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringMatching(/^There is no .*\.$/),
      })
  })
})

test('organizations and keys are found by their ids', async () => {
  const { accounts, createOrganization, createKey } = await startTestAccounts()
  const organizationId = await createOrganization('Corner shop')
  expect((await accounts.getOrganization({ organizationId })).organization?.name).toBe('Corner shop')
  const { id } = await createKey(organizationId)
  expect((await accounts.getApiKey({ apiKeyId: id })).apiKey).toMatchObject({ id, organizationId, name: 'till' })
})

describe('the last use of a key', () => {
  async function startUses() {
    const world = await startTestAccounts()
    const { accounts, clock, pool, createOrganization, createKey } = world
    const organizationId = await createOrganization()
    const { key } = await createKey(organizationId)
    const lastUses = new Map<string, Date>()
    let statements = 0
    const counting = {
      query: (statement: Parameters<typeof pool.query>[0]) => {
        statements++
        return pool.query(statement)
      },
    } as typeof pool
    return {
      ...world,
      statements: () => statements,
      use: () => accounts.verifyApiKeys({ keySha256: [hashApiKey(key)] }),
      record: () => recordLastUses({ pool: counting, lastUses }),
      lastUses,
      async lastUsedAt() {
        const { apiKeys } = await accounts.listApiKeys({ organizationId })
        return apiKeys[0]?.lastUsedAt && timestampDate(apiKeys[0].lastUsedAt)
      },
      keyId: async () => (await accounts.listApiKeys({ organizationId })).apiKeys[0]?.id ?? '',
      clock,
    }
  }

  test('is written when the service stops at the latest', async () => {
    const { clock, use, stop, query } = await startUses()
    await use()
    await stop()
    expect(await query('SELECT last_used_at FROM accounts.api_key')).toEqual([{ last_used_at: clock.now() }])
  })

  test('is written once a minute, and costs nothing while no key is used', async () => {
    const { clock, record, lastUses, lastUsedAt, keyId, statements } = await startUses()
    const firstUse = clock.now()
    const useNow = async () => lastUses.set(await keyId(), clock.now())
    await useNow()
    await record()
    expect(await lastUsedAt()).toEqual(firstUse)
    await record()
    expect(statements()).toBe(1)
    clock.advanceSeconds(59)
    await useNow()
    await record()
    expect(await lastUsedAt()).toEqual(firstUse)
    clock.advanceSeconds(1)
    await useNow()
    await record()
    expect(await lastUsedAt()).toEqual(clock.now())
  })

  test('of many keys is one statement, which waits for no other replica', async () => {
    const { pool, clock, record, lastUses, keyId, lastUsedAt, statements } = await startUses()
    const other = await pool.connect()
    await other.query('BEGIN')
    await other.query('SELECT FROM accounts.api_key FOR UPDATE')
    for (let n = 0; n < 1_000; n++) lastUses.set(uuidv7(), clock.now())
    lastUses.set(await keyId(), clock.now())
    await record()
    await other.query('COMMIT')
    other.release()
    expect([statements(), await lastUsedAt()]).toEqual([1, undefined])
  })
})
