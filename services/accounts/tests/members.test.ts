import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestAccounts } from './start-test-accounts.ts'

const shown = (members: { email: string; role: string }[]) => members.map(({ email, role }) => [email, role])

test('a person is known once, whatever the case of the address, and has a role in each organization', async () => {
  const { accounts, clock, createOrganization } = await startTestAccounts()
  const [shop, bar] = [await createOrganization('Shop'), await createOrganization('Bar')]
  const first = await accounts.addMember({ organizationId: shop, email: 'Ann@Example.com', role: 'owner' })
  clock.advanceSeconds(1)
  const second = await accounts.addMember({ organizationId: bar, email: 'ann@example.COM', role: 'member' })

  expect(second.member?.userId).toBe(first.member?.userId)
  expect(shown((await accounts.listMembers({ organizationId: shop })).members)).toEqual([['ann@example.com', 'owner']])
  expect(shown((await accounts.listMembers({ organizationId: bar })).members)).toEqual([['ann@example.com', 'member']])
})

test('who is added again has the later role, and has been there since the first time', async () => {
  const { accounts, clock, createOrganization } = await startTestAccounts()
  const organizationId = await createOrganization()
  const first = await accounts.addMember({ organizationId, email: 'ann@example.com', role: 'owner' })
  clock.advanceSeconds(60)
  const again = await accounts.addMember({ organizationId, email: 'ann@example.com', role: 'admin' })

  expect(again.member).toEqual({ ...first.member, role: 'admin' })
  expect((await accounts.listMembers({ organizationId })).members).toEqual([again.member])
})

test('of two additions at once one makes the person and both succeed', async () => {
  const { accounts, createOrganization } = await startTestAccounts()
  const organizationId = await createOrganization()
  const add = () => accounts.addMember({ organizationId, email: 'ann@example.com', role: 'owner' })
  await Promise.all(Array.from({ length: 8 }, add))
  expect((await accounts.listMembers({ organizationId })).members).toHaveLength(1)
})

test('members are listed in the order in which they came, those with the asked roles alone', async () => {
  const { accounts, clock, createOrganization } = await startTestAccounts()
  const organizationId = await createOrganization()
  for (const [email, role] of [
    ['c@example.com', 'owner'],
    ['b@example.com', 'member'],
    ['a@example.com', 'owner'],
  ]) {
    await accounts.addMember({ organizationId, email, role })
    clock.advanceSeconds(1)
  }
  const { members } = await accounts.listMembers({ organizationId, roles: ['owner'] })
  expect(shown(members)).toEqual([
    ['c@example.com', 'owner'],
    ['a@example.com', 'owner'],
  ])
})

test.each([
  ['an address without a host', { email: 'ann' }, '`email`'],
  ['two addresses', { email: 'ann@example.com, bob@example.com' }, '`email`'],
  ['an address with a line break', { email: 'ann@example.com\r\nBcc: bob@example.com' }, '`email`'],
  ['an address with a name', { email: 'Ann <ann@example.com>' }, '`email`'],
  ['an address of 255 characters', { email: `${'a'.repeat(243)}@example.com` }, '`email`'],
  ['a role that is none', { role: 'root' }, '`role`'],
])('%s is refused', async (_, wrong, field) => {
  const { accounts, createOrganization } = await startTestAccounts()
  const organizationId = await createOrganization()
  await expect(
    accounts.addMember({ organizationId, email: 'ann@example.com', role: 'owner', ...wrong }),
  ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining(field) })
  expect((await accounts.listMembers({ organizationId })).members).toEqual([])
})

test.each([
  ['nobody', uuidv7()],
  ['what is no id', 'shop'],
])('an organization that is %s is `not_found`', async (_, organizationId) => {
  const { accounts } = await startTestAccounts()
  const nobody = { code: 'not_found' }
  await expect(accounts.listMembers({ organizationId })).rejects.toMatchObject(nobody)
  await expect(accounts.addMember({ organizationId, email: 'ann@example.com', role: 'owner' })).rejects.toMatchObject(
    nobody,
  )
})
