/**
 * Reads one page of the deliveries of the events of one job, computer or printer.
 *
 * Finds the events by `event_of_resource` and their deliveries by `delivery_of_event`, and sorts them. A job has few.
 * Takes no locks.
 */
import type { MikroORM } from '@mikro-orm/postgresql'
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import type { Pool } from 'pg'
import { EVENT_RESOURCE } from './events/event-resource.ts'
import { type DeliveriesPage, type DeliveryRow, deliveryColumns } from './list-deliveries.ts'

export interface ResourceKey {
  organizationId: string
  mode: string
  resourceId: string
}

/** @returns no deliveries to endpoints that were deleted. */
export async function readResourceDeliveries(
  { pool, orm }: { pool: Pool; orm: MikroORM },
  { organizationId, mode, resourceId }: ResourceKey,
  { after, ascending, rows }: DeliveriesPage,
): Promise<DeliveryRow[]> {
  const direction = ascending ? 'ASC' : 'DESC'
  const { rows: found } = await pool.query<DeliveryRow>({
    name: ['read resource deliveries', direction, after && 'continued'].filter(Boolean).join(' '),
    text: `
WITH resource_event AS MATERIALIZED (
  SELECT id FROM webhooks.event WHERE organization_id = $1 AND mode = $2 AND ${EVENT_RESOURCE} = $3
)
SELECT ${deliveryColumns(orm)} FROM resource_event
JOIN webhooks.delivery ON delivery.event_id = resource_event.id
JOIN webhooks.endpoint ON endpoint.id = delivery.endpoint_id AND endpoint.organization_id = $1 AND endpoint.mode = $2
WHERE true ${ascending ? `AND delivery.commit_seq < ${visibleBefore('webhooks')}` : ''}
  ${after ? `AND (delivery.commit_seq, delivery.id) ${ascending ? '>' : '<'} ($5::bigint, $6::uuid)` : ''}
ORDER BY delivery.commit_seq ${direction}, delivery.id ${direction} LIMIT $4`,
    values: [organizationId, mode, resourceId, rows, ...(after ? [after.commitSeq.toString(), after.id] : [])],
  })
  return found
}
