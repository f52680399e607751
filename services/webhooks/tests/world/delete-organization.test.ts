import { create } from '@bufbuild/protobuf'
import { DeleteOrganizationRequestSchema } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { expect, test } from 'vitest'
import { deleteOrganization } from '../../rpc/delete-organization.ts'
import { newEvent, record, startTestWebhooks, type Tenant } from '../webhooks-world.ts'

test('the deletion of an organization removes its events, deliveries and endpoints, and nothing of others', async () => {
  const { webhooks, tenant, stranger, makeEndpoint, addDeliveries, query } = await startTestWebhooks()
  const endpoints = await Promise.all([tenant, stranger].map(async (of) => ({ of, ...(await makeEndpoint({}, of)) })))
  for (const { id, of } of endpoints) {
    const [deliveryId] = await addDeliveries(id, { count: 2 })
    await addDeliveries(id, { example: '{"id":"x"}' })
    await query(
      `INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms) VALUES ($1, 1, 'scheduled', now(), 1)`,
      [deliveryId],
    )
    await record(webhooks, newEvent(of, 'printer.added'))
  }
  const count = async ({ organizationId }: Tenant) => {
    const endpointId = endpoints.find(({ of }) => of.organizationId === organizationId)?.id
    const [rows] = await query(
      `SELECT (SELECT count(*)::int FROM webhooks.event WHERE organization_id = $1) AS events,
         (SELECT count(*)::int FROM webhooks.delivery WHERE endpoint_id = $2) AS deliveries,
         (SELECT count(*)::int FROM webhooks.attempt JOIN webhooks.delivery ON delivery.id = delivery_id WHERE endpoint_id = $2) AS attempts,
         (SELECT count(*)::int FROM webhooks.endpoint WHERE organization_id = $1) AS endpoints`,
      [organizationId, endpointId],
    )
    return rows
  }
  const all = { events: 3, deliveries: 3, attempts: 1, endpoints: 1 }
  expect([await count(tenant), await count(stranger)]).toEqual([all, all])
  const request = create(DeleteOrganizationRequestSchema, tenant)
  expect((await deleteOrganization(webhooks, request)).removed).toMatchObject({ event: 3, delivery: 3, attempt: 1 })
  expect((await deleteOrganization(webhooks, request)).removed).toMatchObject({ event: 0, delivery: 0, endpoint: 1 })
  expect(await count(tenant)).toEqual({ events: 0, deliveries: 0, attempts: 0, endpoints: 0 })
  expect(await count(stranger)).toEqual(all)
})
