import type { DeleteOrganizationRequest } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import type { Webhooks } from '../webhooks.ts'

const BATCH = 500

/**
 * Events with their deliveries, then deliveries without an event, then endpoints, with their secrets and alerts. All
 * alerts of members.
 */
const REMOVE = `
WITH old_event AS MATERIALIZED (SELECT id FROM webhooks.event WHERE organization_id = $1 LIMIT ${BATCH}),
old_endpoint AS MATERIALIZED (SELECT id FROM webhooks.endpoint WHERE organization_id = $1),
old_delivery AS MATERIALIZED (
  SELECT id FROM webhooks.delivery WHERE event_id IN (SELECT id FROM old_event)
  UNION (SELECT delivery.id FROM webhooks.delivery JOIN old_endpoint ON endpoint_id = old_endpoint.id LIMIT ${BATCH})
),
attempt AS (DELETE FROM webhooks.attempt USING old_delivery WHERE delivery_id = old_delivery.id RETURNING 1),
delivery AS (DELETE FROM webhooks.delivery USING old_delivery WHERE delivery.id = old_delivery.id RETURNING 1),
event AS (DELETE FROM webhooks.event USING old_event WHERE event.id = old_event.id RETURNING 1),
endpoint AS (
  DELETE FROM webhooks.endpoint USING old_endpoint
  WHERE endpoint.id = old_endpoint.id AND NOT EXISTS (SELECT FROM old_delivery) RETURNING 1
),
alert_rule AS (DELETE FROM webhooks.alert_rule WHERE organization_id = $1 RETURNING 1),
incident AS (DELETE FROM webhooks.incident WHERE organization_id = $1 RETURNING 1),
alert_mail AS (DELETE FROM webhooks.alert_mail WHERE organization_id = $1 RETURNING 1),
alert_member AS (DELETE FROM webhooks.alert_member WHERE organization_id = $1 RETURNING 1)
SELECT (SELECT count(*)::int FROM event) AS event, (SELECT count(*)::int FROM delivery) AS delivery,
  (SELECT count(*)::int FROM attempt) AS attempt, (SELECT count(*)::int FROM endpoint) AS endpoint,
  (SELECT count(*)::int FROM alert_rule) AS alert_rule, (SELECT count(*)::int FROM incident) AS incident,
  (SELECT count(*)::int FROM alert_mail) AS alert_mail, (SELECT count(*)::int FROM alert_member) AS alert_member`

export async function deleteOrganization({ pool }: Webhooks, { organizationId }: DeleteOrganizationRequest) {
  return { removed: (await pool.query<Record<string, number>>(REMOVE, [organizationId])).rows[0] }
}
