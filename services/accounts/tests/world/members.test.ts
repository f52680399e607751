import { BUDGETS } from '@platen/resources/budgets.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'

async function startMembers() {
  const { accounts, clock } = await getWorld()
  const createOrganization = async () => (await accounts.createOrganization({ name: 'Shop' })).organization?.id ?? ''
  const organizationId = await createOrganization()
  /** Unique among tests. */
  const email = `ann-${uuidv7()}@example.com`
  return {
    clock,
    email,
    organizationId,
    createOrganization,
    add: async (role: string, facts: { organizationId?: string; email?: string } = {}) =>
      (await accounts.addMember({ organizationId, email, role, ...facts })).member,
    list: async (facts: { organizationId?: string; roles?: string[] } = {}) =>
      (await accounts.listMembers({ organizationId, ...facts })).members,
  }
}

test('an address is one user, in any case, and has a role in each organization', async () => {
  const { add, list, email, createOrganization } = await startMembers()
  const other = await createOrganization()
  const first = await add('owner', { email: email.replace('example', 'Example') })
  const second = await add('member', { organizationId: other, email: email.toUpperCase() })
  expect(second?.userId).toBe(first?.userId)
  expect(await list()).toMatchObject([{ email, role: 'owner' }])
  expect(await list({ organizationId: other })).toMatchObject([{ email, role: 'member' }])
})

test('a member who is added again has the later role and the first date', async () => {
  const { add, list, clock } = await startMembers()
  const first = await add('owner')
  clock.advance(60_000)
  const again = await add('admin')
  expect(again).toEqual({ ...first, role: 'admin' })
  expect(await list()).toEqual([again])
})

test('concurrent additions of one address succeed and add one member', async () => {
  const { add, list } = await startMembers()
  await Promise.all(Array.from({ length: 8 }, () => add('owner')))
  expect(await list()).toHaveLength(1)
})

test('members are listed in the order of their addition and filtered by roles', async () => {
  const { add, list, clock, email } = await startMembers()
  for (const [name, role] of [
    ['c', 'owner'],
    ['b', 'member'],
    ['a', 'owner'],
  ] as const) {
    await add(role, { email: name + email })
    clock.advance(1_000)
  }
  expect((await list({ roles: ['owner'] })).map((member) => member.email)).toEqual([`c${email}`, `a${email}`])
})

test.each([
  ['an address without a host', { email: 'ann' }, '`email`'],
  ['two addresses', { email: 'ann@example.com, bob@example.com' }, '`email`'],
  ['an address with a line break', { email: 'ann@example.com\r\nBcc: bob@example.com' }, '`email`'],
  ['an address with a name', { email: 'Ann <ann@example.com>' }, '`email`'],
  ['an address of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, '`email`'],
  ['an unknown role', { role: 'root' }, '`role`'],
])('%s is refused', async (_, { role = 'owner', ...facts }: { role?: string; email?: string }, field) => {
  const { add, list } = await startMembers()
  await expect(add(role, facts)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(field),
  })
  expect(await list()).toEqual([])
})

test('the owners of organizations and the named members are found, in these organizations alone', async () => {
  const { accounts, query } = await getWorld()
  const { add, email, organizationId, createOrganization } = await startMembers()
  const deleted = await createOrganization()
  await add('owner', { organizationId: deleted })
  await query('UPDATE accounts.organization SET deleted_at = now() WHERE id = $1', [deleted])
  const [second, third] = [await createOrganization(), await createOrganization()]
  const owner = await add('owner')
  const named = await add('member', { email: `named-${email}` })
  await add('admin', { email: `other-${email}` })
  await add('member', { organizationId: second })
  await add('owner', { organizationId: third })
  const find = async (organizationIds: string[]) =>
    (await accounts.findMembers({ organizationIds, userIds: [named?.userId ?? ''] })).members.map(
      ({ organizationId, userId, role }) => [organizationId, userId, role],
    )
  expect((await find([organizationId, second, deleted])).toSorted()).toEqual(
    [
      [organizationId, owner?.userId, 'owner'],
      [organizationId, named?.userId, 'member'],
    ].toSorted(),
  )
})

test.each([uuidv7(), 'shop'])(
  'members of an organization %s that does not exist are `not_found`',
  async (organizationId) => {
    const { add, list } = await startMembers()
    await expect(list({ organizationId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(add('owner', { organizationId })).rejects.toMatchObject({ code: 'not_found' })
  },
)

test('an organization has at most 500 members; one at the limit can get another role', async () => {
  proves('members.500')
  const { add, list, email, organizationId } = await startMembers()
  const { query } = await getWorld()
  await add('owner')
  await query(
    `WITH added AS (INSERT INTO accounts.user (id, email, created_at)
       SELECT uuidv7(), uuidv7() || '@example.com', now() FROM generate_series(1, $2) RETURNING id)
     INSERT INTO accounts.membership (organization_id, user_id, role, created_at)
     SELECT $1, id, 'member', now() FROM added`,
    [organizationId, BUDGETS.members.max - 2],
  )
  await add('member', { email: `last-${email}` })
  const refused = { code: 'limit_reached', message: expect.stringMatching(/500 members/) }
  await expect(add('member', { email: `beyond-${email}` })).rejects.toMatchObject(refused)
  await add('admin', { email: `last-${email}` })
  expect(await list()).toHaveLength(BUDGETS.members.max)
})
