/** `admin orgs delete`, in all services. */
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization, type Organization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { World } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { connectTestAgent, LASER } from '../../../services/devices/tests/test-agent.ts'
import { addRecentCounts } from '../../../services/usage/timers/add-recent-counts.ts'
import { runAdmin } from './run-admin.ts'

/** Event logs are dropped with their partitions. The row of the organization is the receipt. */
const KEPT = ['accounts.organization', 'jobs.event_log', 'devices.event_log']

/** How many rows the tables have of an organization, by table. */
async function countRows({ query }: World, id: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
     JOIN pg_class ON relname = table_name
       AND relnamespace = table_schema::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
     WHERE column_name = 'organization_id' ORDER BY 1`,
  )
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name} WHERE organization_id = $1`, [
        id,
      ])
      return [name, row?.n ?? 0] as const
    }),
  )
  return Object.fromEntries(counts.filter(([name, n]) => n > 0 && !KEPT.includes(name)))
}

/** Has a row in each table that a user can fill. */
async function fill(organization: Organization) {
  const { id, world, api, testApi, enroll, addPrinter, createJob } = organization
  const owner = await signInAs(organization, 'owner')
  const { accounts, devices } = world
  await accounts.createInvitation({
    organizationId: id,
    email: 'a@example.com',
    role: 'member',
    invitedBy: 'b@example.com',
  })
  await devices.createEnrollment({ organizationId: id, maxUses: 1, expiresInSeconds: 900 })
  const agent = connectTestAgent(world.agentAddress, (await enroll()).credential)
  agent.hello([LASER])
  const [welcome] = await agent.waitForMessages('welcome')
  const webhook = await testApi.post('/v1/webhooks', { url: 'http://127.0.0.1:8/hook', events: ['printjob.queued'] })
  const { id: printerId } = await addPrinter('test')
  const job = await testApi.post('/v1/printjobs', printJob(printerId, { metadata: { order: '1' } }), {
    'idempotency-key': id,
  })
  expect([webhook.status, job.status]).toEqual([201, 201])
  const [live] = (await api.get('/v1/printers')).body.data
  await createJob({ id: live.id, computerId: welcome?.computerId ?? '' })
  expect((await owner.post('/account/alerts', { kind: 'printer_attention' })).status).toBe(201)
  await world.query(`UPDATE devices.printer SET state_reasons = '{media-jam}' WHERE id = $1`, [live.id])
  await world.sweep('webhooks', 'incidents')
  world.advance(30_000)
  await world.sweep('webhooks', 'incident mails')
  await world.usage.setPlan({ organizationId: id, printsLimit: 5 })
  await waitFor(async () => {
    await world.sweep('usage', 'event logs')
    await addRecentCounts(world.pool, { isComplete: true })
    expect(Object.keys(await countRows(world, id))).toEqual(
      expect.arrayContaining([
        'webhooks.event',
        'webhooks.endpoint',
        'webhooks.alert_mail',
        'webhooks.alert_member',
        'webhooks.alert_rule',
        'webhooks.incident',
        'usage.ledger',
        'usage.plan',
        'usage.job_count',
        'jobs.idempotency_key',
        'jobs.job_metadata',
        'devices.enrollment',
      ]),
    )
  })
  return { agent, jobId: job.body.id as string }
}

test('`orgs delete` needs the name, removes the data of the organization in all services and no other, and prints what it removed; repeated, it prints the same', async () => {
  proves('orgs.deleted', 'orgs.deleted.confirm', 'orgs.deleted.receipt')
  const [organization, other] = [await newOrganization(undefined, 'Corner shop'), await newOrganization()]
  const { id, world } = organization
  const { agent, jobId } = await fill(organization)
  await fill(other)
  const ofOther = await countRows(world, other.id)
  const run = (name: string) => runAdmin('orgs', 'delete', '--org', id, '--confirm', name)
  await expect(run('Corner')).rejects.toThrow('The name of this organization is "Corner shop".')
  await world.accounts.setSuspended({ organizationId: id, isSuspended: true })
  world.advance(10_000)
  const receipt = await run('Corner shop')
  await agent.waitForMessages('computerDeleted')
  expect(await countRows(world, id)).toEqual({})
  expect(await world.query('SELECT FROM jobs.job_event WHERE job_id = $1', [jobId])).toEqual([])
  expect(await world.query('SELECT FROM jobs.document WHERE job_id = $1', [jobId])).toEqual([])
  expect(receipt).toMatchObject({
    id,
    name: 'Corner shop',
    removed: {
      'accounts.api_key': 2,
      'accounts.membership': 1,
      'jobs.job': 2,
      'jobs.file': 1,
      'devices.computer': 2,
      'webhooks.endpoint': 1,
    },
    completedAt: world.clock.now().toISOString(),
  })
  // Events of the other organization can still arrive.
  const kept: Record<string, number> = await countRows(world, other.id)
  for (const [table, count] of Object.entries(ofOther)) expect(kept[table], table).toBeGreaterThanOrEqual(count)
  expect(await run('Corner shop')).toEqual(receipt)
  const creating = world.accounts.createApiKey({ organizationId: id, name: 'Till', mode: 'live', scopes: ['read'] })
  await expect(creating).rejects.toMatchObject({ code: 'not_found' })
  await expect(world.accounts.setSuspended({ organizationId: id, isSuspended: false })).rejects.toMatchObject({
    code: 'not_found',
  })
})
