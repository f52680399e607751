import { hashApiKey, makeApiKey } from '@platen/accounts/api-key.ts'
import { SECRET, startTestAccounts } from '@platen/accounts/tests/start-test-accounts.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Client } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startGateway } from '../service.ts'
import { startTestServices } from './start-test-services.ts'

const LIMIT_MS = 5_000

/** The real accounts service, and as many gateways in front of it. */
async function startReplicas(count: number) {
  const world = await startTestAccounts()
  // Nothing else than accounts is asked for.
  const { config } = await startTestServices()
  const baseUrls = await Promise.all(
    Array.from({ length: count }, async () => {
      const gateway = createTestProcess('gateway')
      onTestFinished(() => gateway.stop())
      const { port } = await startGateway(gateway, { ...config, rpcSecret: SECRET, accountsUrl: world.url })
      return `http://127.0.0.1:${port}`
    }),
  )
  const whoami = (key: string) => Promise.all(baseUrls.map((url) => createApi(url, key).get('/v1/whoami')))
  return { ...world, whoami, statuses: async (key: string) => (await whoami(key)).map(({ status }) => status) }
}

test('a revoked key stops within 5 s on every replica of the gateway, also one that is in use all the time', async () => {
  const { accounts, createOrganization, createKey, statuses } = await startReplicas(2)
  const organizationId = await createOrganization()
  const [inUse, other] = [await createKey(organizationId), await createKey(organizationId)]
  expect([await statuses(inUse.key), await statuses(other.key)]).toEqual([
    [200, 200],
    [200, 200],
  ])
  await accounts.revokeApiKey({ organizationId, apiKeyId: inUse.id })
  const revokedAt = performance.now()
  let lastAcceptedAt = 0
  await waitFor(async () => {
    const sentAt = performance.now()
    const answers = await statuses(inUse.key)
    if (answers.some((status) => status !== 401)) lastAcceptedAt = sentAt
    expect(answers).toEqual([401, 401])
  })
  expect(lastAcceptedAt - revokedAt).toBeLessThan(LIMIT_MS)
  expect(await statuses(other.key)).toEqual([200, 200])
})

test('a key that was issued with an older prefix keeps working', async () => {
  const { query, createOrganization, whoami } = await startReplicas(1)
  const key = makeApiKey('live', 'older')
  await query(
    `INSERT INTO accounts.api_key (id, organization_id, name, key_sha256, prefix, mode, scopes, created_at)
     VALUES ($1, $2, 'till', $3, 'older_live_Ab3d', 'live', '{read}', now())`,
    [uuidv7(), await createOrganization(), Buffer.from(hashApiKey(key))],
  )
  const [answer] = await whoami(key)
  expect([answer?.status, answer?.body.mode, answer?.body.apiKey.prefix]).toEqual([200, 'live', 'older_live_Ab3d'])
})

test('whoami tells the scopes in one order, however they were asked for', async () => {
  const { createOrganization, createKey, whoami } = await startReplicas(1)
  const organizationId = await createOrganization('Corner shop')
  const { key, id } = await createKey(organizationId, { scopes: ['print', 'read', 'print'], mode: 'live', name: 'CI' })
  const [answer] = await whoami(key)
  expect(answer?.body).toEqual({
    organization: { id: organizationId, name: 'Corner shop' },
    mode: 'live',
    apiKey: {
      id,
      name: 'CI',
      prefix: key.slice(0, 16),
      scopes: ['read', 'print'],
      createdAt: '2026-01-01T00:00:00.000Z',
    },
    user: null,
  })
})

test('typos cost no statement, and 500 forged keys at once cost a few', async () => {
  const { statuses } = await startReplicas(1)
  const statements = vi.spyOn(Client.prototype, 'query')
  onTestFinished(() => statements.mockRestore())
  const lookUps = () =>
    statements.mock.calls.filter(([statement]) => JSON.stringify(statement).includes('find keys')).length
  const forged = Array.from({ length: 500 }, () => makeApiKey('live'))
  const typos = forged.map((key) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`)
  expect(new Set((await Promise.all(typos.map(statuses))).flat())).toEqual(new Set([401]))
  expect(lookUps()).toBe(0)
  const startedAt = performance.now()
  expect(new Set((await Promise.all(forged.map(statuses))).flat())).toEqual(new Set([401]))
  expect(lookUps()).toBeGreaterThan(0)
  expect(lookUps()).toBeLessThanOrEqual(Math.ceil((performance.now() - startedAt) / 19) + 1)
})
