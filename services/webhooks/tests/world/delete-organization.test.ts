import { create } from '@bufbuild/protobuf'
import { DeleteOrganizationRequestSchema } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { deleteOrganization } from '../../rpc/delete-organization.ts'
import { newEvent, record, startTestWebhooks, type Tenant } from '../webhooks-world.ts'

test('the deletion of an organization removes its events, deliveries, endpoints and alerts, and nothing of others', async () => {
  const { webhooks, tenant, stranger, makeEndpoint, addDeliveries, query } = await startTestWebhooks()
  const endpoints = await Promise.all([tenant, stranger].map(async (of) => ({ of, ...(await makeEndpoint({}, of)) })))
  for (const { id, of } of endpoints) {
    const [deliveryId] = await addDeliveries(id, { count: 2 })
    await addDeliveries(id, { example: '{"id":"x"}' })
    await query(
      `INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms)
       VALUES ($1, 1, 'scheduled', now(), 1)`,
      [deliveryId],
    )
    await record(webhooks, newEvent(of, 'printer.added'))
    await query(
      `WITH member AS (INSERT INTO webhooks.alert_member (organization_id, user_id) VALUES ($1, $2)),
       rule AS (
         INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, created_at)
         VALUES (uuidv7(), $1, 'test', $2, 'job_failed', 0, now())
       ),
       mail AS (
         INSERT INTO webhooks.alert_mail (id, organization_id, user_id, subject, text, created_at)
         VALUES (uuidv7(), $1, $2, '', '', now())
       )
       INSERT INTO webhooks.incident (id, organization_id, mode, user_id, kind, resource_id, computer_id, facts, since)
       VALUES (uuidv7(), $1, 'test', $2, 'job_failed', $2, $2, '{}', now())`,
      [of.organizationId, uuidv7()],
    )
  }
  const count = async ({ organizationId }: Tenant) => {
    const endpointId = endpoints.find(({ of }) => of.organizationId === organizationId)?.id
    const [rows] = await query(
      `SELECT (SELECT count(*)::int FROM webhooks.event WHERE organization_id = $1) AS events,
         (SELECT count(*)::int FROM webhooks.delivery WHERE endpoint_id = $2) AS deliveries,
         (
           SELECT count(*)::int FROM webhooks.attempt JOIN webhooks.delivery ON delivery.id = delivery_id
           WHERE endpoint_id = $2
         ) AS attempts,
         (SELECT count(*)::int FROM webhooks.endpoint WHERE organization_id = $1) AS endpoints,
         (SELECT count(*)::int FROM webhooks.alert_member WHERE organization_id = $1) AS members,
         (SELECT count(*)::int FROM webhooks.alert_rule WHERE organization_id = $1) AS rules,
         (SELECT count(*)::int FROM webhooks.alert_mail WHERE organization_id = $1) AS mails,
         (SELECT count(*)::int FROM webhooks.incident WHERE organization_id = $1) AS incidents`,
      [organizationId, endpointId],
    )
    return rows
  }
  const alerts = { members: 1, rules: 1, mails: 1, incidents: 1 }
  const all = { events: 3, deliveries: 3, attempts: 1, endpoints: 1, ...alerts }
  expect([await count(tenant), await count(stranger)]).toEqual([all, all])
  const request = create(DeleteOrganizationRequestSchema, tenant)
  expect((await deleteOrganization(webhooks, request)).removed).toMatchObject({ event: 3, delivery: 3, attempt: 1 })
  expect((await deleteOrganization(webhooks, request)).removed).toMatchObject({ event: 0, delivery: 0, endpoint: 1 })
  expect(await count(tenant)).toEqual(Object.fromEntries(Object.keys(all).map((table) => [table, 0])))
  expect(await count(stranger)).toEqual(all)
})
