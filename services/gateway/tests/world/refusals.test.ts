/** The refused requests that the dashboard shows. */
import { createApi } from '@platen/test/harness/api.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { addGateway, expectError, newPrinting } from '../client.ts'

const DAY_MS = 24 * 60 * 60_000

type Printing = Awaited<ReturnType<typeof newPrinting>>

async function newReader(organization: Pick<Printing, 'id' | 'world'>) {
  const reader = await signInAs(organization, 'admin')
  return async (query = '') => (await reader.get(`/account/requests${query}`)).body.data
}

test('a refused request of a key is listed by any gateway with its error and without its body', async () => {
  proves('account.requests')
  const { url } = await addGateway()
  const printing = await newPrinting('live', url)
  const read = await newReader(printing)
  const { api, job } = printing
  const apiKeyId = await getKeyId(printing)
  const refused = await api.post('/v1/printjobs', job({ title: 'canary', content: '!', options: { copies: 0 } }))
  const { code, message, request_id: requestId } = refused.body.error
  await api.get('/v1/printjobs/01890a5d-ac96-774b-bcce-b302099a8057?title=canary')
  await api.get('/v1/printjobs')
  const refusals = await waitFor(async () => {
    const found = await read()
    expect(found).toHaveLength(2)
    return found
  })
  expect(refusals[0]).toMatchObject({ method: 'GET', route: '/v1/printjobs/:id', code: 'invalid_request' })
  expect(refusals[1]).toEqual({
    ...{ id: expect.any(String), at: expect.any(String), apiKeyId, method: 'POST', route: '/v1/printjobs' },
    ...{ status: refused.status, code, message, requestId },
  })
  expect(JSON.stringify(refusals)).not.toContain('canary')
})

const getKeyId = async ({ world, id }: Pick<Printing, 'world' | 'id'>) => {
  const sql = `SELECT id FROM accounts.api_key WHERE organization_id = $1 AND mode = 'live'`
  return (await world.query<{ id: string }>(sql, [id]))[0]?.id
}

test('requests of sessions, of the other mode and of other keys are not listed; only owners and admins see the list', async () => {
  proves('account.requests.which', 'account.roles')
  const organization = await newOrganization()
  const { world, addKey, liveKey, testKey } = organization
  const read = await newReader(organization)
  const member = await signInAs(organization, 'member')
  expectError(await member.get('/account/requests'), 403, 'forbidden')
  for (const key of [testKey, 'wrong', liveKey, await addKey('live', ['read'])])
    await createApi(world.gatewayUrl, key).post('/v1/webhooks', {})
  const refusals = await waitFor(async () => {
    const found = await read()
    expect(found).toHaveLength(2)
    return found
  })
  const [{ apiKeyId }, other] = refusals
  expect(other.apiKeyId).not.toBe(apiKeyId)
  expect(await read(`?apiKeyId=${apiKeyId}`)).toEqual([refusals[0]])
})

test('an organization has a share, so that a program in a loop does not flood the list', async () => {
  proves('account.requests.share')
  const printing = await newPrinting()
  const read = await newReader(printing)
  // One after the other: together they would use more units of work than an organization has.
  for (let n = 0; n < 101; n += 1)
    expect(await printing.api.get('/v1/printjobs?limit=0')).toMatchObject({ status: 400 })
  await waitFor(async () => expect(await read('?limit=100')).toHaveLength(100))
  const sql = 'SELECT count(*)::int AS count FROM accounts.refusal WHERE organization_id = $1'
  expect(await printing.world.query(sql, [printing.id])).toEqual([{ count: 100 }])
})

test('requests are deleted after 24 hours, and all but the newest 1,000 of an organization', async () => {
  proves('account.requests.retention')
  const { id, world } = await newOrganization()
  const other = await newOrganization()
  const add = async (agesMs: number[], organizationId = id) => {
    const times = agesMs.map((ageMs) => new Date(world.clock.now().getTime() - ageMs))
    const ids = agesMs.map(() => uuidv7())
    await world.query(
      `INSERT INTO accounts.refusal (id, organization_id, mode, api_key_id, at, method, route, status, code, message,
         request_id)
       SELECT added.id, $1, 'live', $1, added.at, 'GET', '', 404, 'not_found', '', ''
       FROM unnest($2::uuid[], $3::timestamptz[]) AS added (id, at)`,
      [organizationId, ids, times],
    )
    return ids
  }
  const listIds = async () =>
    (await world.query<{ id: string }>('SELECT id FROM accounts.refusal WHERE organization_id = $1', [id])).map(
      (row) => row.id,
    )
  const [kept] = await add([DAY_MS - 1, DAY_MS])
  await world.sweep('accounts', 'old rows')
  expect(await listIds()).toEqual([kept])
  await add(Array.from({ length: 1_000 }, (_, n) => n))
  await add([0, 0, 0], other.id)
  await world.sweep('accounts', 'old rows')
  const ids = await listIds()
  expect(ids).toHaveLength(1_000)
  expect(ids).not.toContain(kept)
})
