/** The alert rules of members. What they send is tested in `services/webhooks/tests/world/alerts.test.ts`. */
import { BUDGETS } from '@platen/resources/budgets.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { expectError, UNKNOWN_ID } from '../client.ts'

const MINE = '/account/alerts'

test('an owner has the default rules until they are deleted; others have none', async () => {
  proves('account.alerts.list')
  const organization = await newOrganization()
  const owner = await signInAs(organization, 'owner')
  const admin = await signInAs(organization, 'admin')
  const { body } = await owner.get(MINE)
  expect(body).toMatchObject({
    data: [
      { kind: 'computer_offline', computerId: null, printerId: null, afterMinutes: 30 },
      { kind: 'endpoint_failing', computerId: null, printerId: null, afterMinutes: 60 },
      { kind: 'endpoint_disabled', computerId: null, printerId: null, afterMinutes: null },
    ],
    email: owner.email,
    hasMailServer: false,
  })
  expect((await owner.get(MINE, { headers: { 'platen-mode': 'test' } })).body.data).toMatchObject([
    { kind: 'endpoint_failing' },
    { kind: 'endpoint_disabled' },
  ])
  expect((await admin.get(MINE)).body.data).toEqual([])
  for (const { id } of body.data) expect((await owner.delete(`${MINE}/${id}`)).status).toBe(204)
  expect((await owner.get(MINE)).body.data).toEqual([])
})

test('a member creates, changes and deletes rules, which no other member sees or changes', async () => {
  proves('account.alerts.create', 'account.alerts.delete')
  const organization = await newOrganization()
  const printer = await organization.addPrinter()
  const [member, other] = [await signInAs(organization, 'member'), await signInAs(organization, 'owner')]
  const offline = { kind: 'printer_offline', printerId: printer.id }
  const { status, body: rule } = await member.post(MINE, offline)
  expect([status, rule]).toMatchObject([201, { ...offline, computerId: null, afterMinutes: 10 }])
  expect((await member.post(MINE, { ...offline, afterMinutes: 60 })).body).toEqual({ ...rule, afterMinutes: 60 })
  const failed = { kind: 'job_failed', computerId: printer.computerId }
  expect((await member.post(MINE, failed)).body).toMatchObject({ ...failed, afterMinutes: null })
  const path = `${MINE}/${rule.id}`
  expectError(await other.request('PATCH', path, { body: { afterMinutes: 5 } }), 404, 'not_found')
  expectError(await other.delete(path), 404, 'not_found')
  expect((await member.request('PATCH', path, { body: { afterMinutes: 5 } })).body).toEqual({
    ...rule,
    afterMinutes: 5,
  })
  expect((await member.get(MINE)).body.data).toMatchObject([{ afterMinutes: 5 }, failed])
  expect((await member.delete(path)).status).toBe(204)
  expectError(await member.delete(path), 404, 'not_found')
})

test('a rule needs an existing device of the mode, a device of its kind, and a duration from 1 to 10080 minutes', async () => {
  const organization = await newOrganization()
  const { id: printerId, computerId } = await organization.addPrinter()
  const stranger = await (await newOrganization()).addPrinter()
  const member = await signInAs(organization, 'member')
  const kind = 'printer_offline'
  for (const body of [
    { kind, printerId: UNKNOWN_ID },
    { kind, printerId: stranger.id },
    { kind, computerId: stranger.computerId },
  ])
    expectError(await member.post(MINE, body), 404, 'not_found')
  expectError(await member.post(MINE, { kind, printerId }, { headers: { 'platen-mode': 'test' } }), 404, 'not_found')
  for (const body of [
    { kind: 'paper' },
    { kind, printerId, computerId },
    { kind: 'computer_offline', printerId },
    { kind, afterMinutes: 0 },
    { kind, afterMinutes: 10_081 },
    { kind: 'job_failed', afterMinutes: 5 },
  ])
    expectError(await member.post(MINE, body), 400, 'invalid_request')
  for (const afterMinutes of [1, 10_080]) expect((await member.post(MINE, { kind, afterMinutes })).status).toBe(201)
})

test('only owners and admins have rules about webhook endpoints, which are about no device', async () => {
  const organization = await newOrganization()
  const { computerId } = await organization.addPrinter()
  const [member, admin] = [await signInAs(organization, 'member'), await signInAs(organization, 'admin')]
  const kind = 'endpoint_failing'
  expectError(await member.post(MINE, { kind }), 403, 'forbidden')
  expectError(await admin.post(MINE, { kind, computerId }), 400, 'invalid_request')
  expect((await admin.post(MINE, { kind })).body).toMatchObject({ kind, afterMinutes: 60 })
})

test(`an organization has at most ${BUDGETS.alertRules.max} rules`, async () => {
  const organization = await newOrganization()
  const { world, id } = organization
  const member = await signInAs(organization, 'member')
  await world.query(
    `INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, created_at)
     SELECT uuidv7(), $1, 'test', uuidv7(), 'job_failed', 0, now() FROM generate_series(2, $2::int)`,
    [id, BUDGETS.alertRules.max],
  )
  expect((await member.post(MINE, { kind: 'job_failed' })).status).toBe(201)
  expectError(await member.post(MINE, { kind: 'job_waiting' }), 409, 'limit_reached')
  expect((await member.post(MINE, { kind: 'job_failed' })).status).toBe(201)
})
