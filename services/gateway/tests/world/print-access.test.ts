/** Print accesses. Reference: docs/reference/print-access.md. What they print is in `ipp.test.ts`. */
import { isWellFormedPrintSecret } from '@platen/resources/print-secret.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { expectError, UNKNOWN_ID } from '../client.ts'

const PATH = '/v1/print-access'

test('a created access has its facts, and its secret only in this answer', async () => {
  proves(
    ...['print-access.id', 'print-access.name', 'print-access.mode', 'print-access.printerIds', 'print-access.user'],
    ...['print-access.lastFour', 'print-access.createdAt', 'print-access.lastUsedAt', 'print-access.revokedAt'],
    ...['endpoint.POST.print-access', 'endpoint.GET.print-access', 'print-access.secret.shown-once'],
    ...['print-access.secret.hash', 'print-access.secret.form', 'print-access.create.name'],
    'scope.admin.create-print-access',
  )
  const { api, addPrinter, id: organizationId, world } = await newOrganization()
  const printer = await addPrinter()
  const { status, body } = await api.post(PATH, { name: "Anna's laptop", printerIds: [printer.id] })
  const { secret, ...access } = body
  expect({ status, access }).toEqual({
    status: 201,
    access: {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Anna's laptop",
      mode: 'live',
      printerIds: [printer.id],
      user: null,
      lastFour: secret.slice(-4),
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      revokedAt: null,
    },
  })
  expect(secret).toMatch(/^[a-z2-7]{26}$/)
  expect(isWellFormedPrintSecret(secret)).toBe(true)
  const all = await api.post(PATH, { name: 'Reception' })
  expect((await api.get(PATH)).body).toEqual({ data: [expect.objectContaining({ id: all.body.id }), access] })
  const sql = 'SELECT api_key::text AS row FROM accounts.api_key WHERE organization_id = $1'
  const rows = await world.query<{ row: string }>(sql, [organizationId])
  expect(rows.map(({ row }) => row).join()).not.toContain(secret)
})

test('an access is of the mode of its creator, and needs a name and known printers of the mode', async () => {
  proves('print-access.create.printerIds', 'print-access.create.printerIds.100')
  const { api, testApi, addPrinter } = await newOrganization()
  const printer = await addPrinter()
  expectError(await testApi.post(PATH, { name: 'a', printerIds: [printer.id] }), 404, 'not_found', /test mode/)
  expectError(await api.post(PATH, { name: 'a', printerIds: [UNKNOWN_ID] }), 404, 'not_found')
  expectError(await api.post(PATH, { name: '' }), 400, 'invalid_request', /name/)
  expectError(await api.post(PATH, { name: 'a'.repeat(256) }), 400, 'invalid_request', /name/)
  expect((await api.post(PATH, { name: 'a'.repeat(255) })).status).toBe(201)
  const many = (count: number) => ({ name: 'a', printerIds: Array<string>(count).fill(printer.id) })
  expectError(await api.post(PATH, many(0)), 400, 'invalid_request', /printerIds/)
  expect((await api.post(PATH, many(100))).status).toBe(201)
  expectError(await api.post(PATH, many(101)), 400, 'invalid_request', /printerIds/)
  expect((await testApi.get(PATH)).body).toEqual({ data: [] })
})

test('a new printer is not shared, and an admin shares it', async () => {
  proves('printer.shared', 'printer.patch.shared', 'printer.new.shared')
  const { api, addPrinter } = await newOrganization()
  const { id } = await addPrinter()
  const read = async () => (await api.get(`/v1/printers/${id}`)).body.shared
  expect(await read()).toBe(false)
  expect((await api.patch(`/v1/printers/${id}`, { shared: true })).body.shared).toBe(true)
  expect(await read()).toBe(true)
})

describe('a secret', () => {
  test('is no key of the API', async () => {
    proves('print-access.secret.v1')
    const { api, world } = await newOrganization()
    const { secret } = (await api.post(PATH, { name: 'a' })).body
    expectError(await createApi(world.gatewayUrl, secret).get('/v1/whoami'), 401, 'unauthorized')
  })

  test('with one wrong character is refused by its checksum, but for one of 1,024', async () => {
    const { api } = await newOrganization()
    const { secret } = (await api.post(PATH, { name: 'a' })).body as { secret: string }
    for (let index = 0; index < secret.length; index++) {
      const other = secret[index] === 'a' ? 'b' : 'a'
      expect(isWellFormedPrintSecret(secret.slice(0, index) + other + secret.slice(index + 1))).toBe(false)
    }
  })
})

describe('a member', () => {
  test('creates, sees and revokes only their own, and admins all', async () => {
    proves('print-access.create.member', 'print-access.list.member', 'print-access.revoke.member')
    proves('print-access.create.userId', 'scope.admin.list-print-access', 'scope.admin.revoke-print-access')
    const organization = await newOrganization()
    const [member, admin] = [await signInAs(organization, 'member'), await signInAs(organization, 'admin')]
    const own = await member.post(PATH, { name: 'Own' })
    expect(own.body).toMatchObject({ user: { id: member.userId, email: member.email } })
    const refused = /their own/
    expectError(await member.post(PATH, { name: 'a', userId: admin.userId }), 403, 'forbidden', refused)
    const others = await admin.post(PATH, { name: 'Reception' })
    expect(others.body).toMatchObject({ user: null })
    const given = await admin.post(PATH, { name: 'Given', userId: member.userId })
    expect(given.body.user.email).toBe(member.email)
    const names = async (browser: typeof member) =>
      (await browser.get(PATH)).body.data.map(({ name }: { name: string }) => name)
    expect(await names(member)).toEqual(['Given', 'Own'])
    expect(await names(admin)).toEqual(['Given', 'Reception', 'Own'])
    expectError(await member.delete(`${PATH}/${others.body.id}`), 404, 'not_found')
    expect((await member.delete(`${PATH}/${own.body.id}`)).body.revokedAt).toMatch(/Z$/)
    // A key learns no addresses.
    const [listed] = (await organization.api.get(PATH)).body.data
    expect(listed.user).toEqual({ id: member.userId, email: null })
    const stranger = await signInAs(await newOrganization(), 'member')
    expectError(await admin.post(PATH, { name: 'a', userId: stranger.userId }), 404, 'not_found', /member/)
  })

  test('can have 50, and revoked ones do not count', async () => {
    proves('print-access.member.50', 'print-access.member.51')
    const organization = await newOrganization()
    const member = await signInAs(organization, 'member')
    const sql = `INSERT INTO accounts.api_key (id, organization_id, name, key_sha256, prefix, mode, scopes, created_at,
        kind, user_id)
      SELECT uuidv7(), $1, 'a', sha256(uuid_send(uuidv7())), '', 'live', '{}', now(), 'print', $2
      FROM generate_series(1, 49)`
    await organization.world.query(sql, [organization.id, member.userId])
    const last = await member.post(PATH, { name: 'The 50th' })
    expect(last.status).toBe(201)
    expectError(await member.post(PATH, { name: 'The 51st' }), 409, 'limit_reached')
    await member.delete(`${PATH}/${last.body.id}`)
    expect((await member.post(PATH, { name: 'Another 50th' })).status).toBe(201)
  })

  test('who is removed loses the accesses, also those that others made', async () => {
    proves('print-access.member.removed')
    const organization = await newOrganization()
    const [member, admin] = [await signInAs(organization, 'member'), await signInAs(organization, 'owner')]
    await member.post(PATH, { name: 'Own' })
    await admin.post(PATH, { name: 'Given', userId: member.userId })
    await admin.post(PATH, { name: 'Reception' })
    await organization.world.accounts.removeMember({ organizationId: organization.id, userId: member.userId })
    const { data } = (await admin.get(PATH)).body
    const valid = data.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null)
    expect(valid.map(({ name }: { name: string }) => name)).toEqual(['Reception'])
  })
})

test('a revocation is repeatable, and the list has revoked ones last', async () => {
  proves('endpoint.DELETE.print-access.id')
  const { api } = await newOrganization()
  const [first, second] = [await api.post(PATH, { name: 'First' }), await api.post(PATH, { name: 'Second' })]
  const revoked = await api.delete(`${PATH}/${second.body.id}`)
  expect((await api.delete(`${PATH}/${second.body.id}`)).body).toEqual(revoked.body)
  const { data } = (await api.get(PATH)).body
  expect(data.map(({ id }: { id: string }) => id)).toEqual([first.body.id, second.body.id])
})

test('keys and accesses are listed and revoked apart', async () => {
  proves('print-access.list.kinds')
  const organization = await newOrganization()
  const owner = await signInAs(organization, 'owner')
  const access = (await owner.post(PATH, { name: 'a' })).body
  const keys = (await owner.get('/account/keys')).body.data.map(({ id }: { id: string }) => id)
  expect(keys).not.toContain(access.id)
  expectError(await owner.delete(`/account/keys/${access.id}`), 404, 'not_found')
  expectError(await owner.delete(`${PATH}/${keys[0]}`), 404, 'not_found')
})

test('creations and revocations are in the audit log, also those of members', async () => {
  proves('print-access.audit')
  const organization = await newOrganization()
  const [member, admin] = [await signInAs(organization, 'member'), await signInAs(organization, 'admin')]
  const { id } = (await member.post(PATH, { name: 'Own' })).body
  await organization.api.delete(`${PATH}/${id}`)
  const { data } = (await admin.get('/account/audit')).body
  const entry = (action: string, kind: string) =>
    expect.objectContaining({ action, actor: expect.objectContaining({ kind }), target: expect.anything() })
  expect(data).toEqual(expect.arrayContaining([entry('createPrintAccess', 'user'), entry('revokePrintAccess', 'key')]))
})
