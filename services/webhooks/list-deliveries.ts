/**
 * Reads one page of the deliveries of an endpoint by keyset.
 *
 * Merges index-only scans of `delivery_page` in all partitions, starting at the cursor. The index contains the filtered columns, so that only
 * the rows of the page are read. Takes no locks.
 */
import type { MikroORM } from '@mikro-orm/postgresql'
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import type { ListPosition } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'
import type { DeliveryFacts } from './delivery-to-proto.ts'
import { DeliveryEntity } from './entities.ts'
import type { EndpointKey } from './find-endpoint.ts'

export interface DeliveryFilters {
  /** Any of them. Empty: all. */
  statuses: string[]
  eventTypes: string[]
}

export interface DeliveriesPage {
  after: ListPosition | undefined
  ascending: boolean
  rows: number
}

export type DeliveryRow = DeliveryFacts & { commitSeq: string }

export async function readDeliveries(
  { pool, orm }: { pool: Pool; orm: MikroORM },
  key: EndpointKey,
  filters: DeliveryFilters,
  page: DeliveriesPage,
): Promise<DeliveryRow[]> {
  const { sql, values } = listQuery(key, filters, page, deliveryColumns(orm))
  const { rows } = await pool.query<DeliveryRow>(sql, values)
  return rows
}

/** SQL: the columns of the entity, each with the name of its property. */
export function deliveryColumns(orm: MikroORM): string {
  const { props } = orm.getMetadata().get(DeliveryEntity)
  return props.map(({ name, fieldNames }) => `delivery.${fieldNames[0]} AS "${name}"`).join(', ')
}

export function listQuery(
  { organizationId, mode, endpointId }: EndpointKey,
  { statuses, eventTypes }: DeliveryFilters,
  { after, ascending, rows }: DeliveriesPage,
  columns: string,
) {
  const values: unknown[] = [endpointId, organizationId, mode]
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = [
    'endpoint_id = $1',
    'EXISTS (SELECT FROM webhooks.endpoint WHERE id = $1 AND organization_id = $2 AND mode = $3)',
    ...(statuses.length > 0 ? [`status = ANY (${bind(statuses)}::text[])`] : []),
    ...(eventTypes.length > 0 ? [`event_type = ANY (${bind(eventTypes)}::text[])`] : []),
    ...(ascending ? [`commit_seq < ${visibleBefore('webhooks')}`] : []),
    ...(after
      ? [
          `(commit_seq, id) ${ascending ? '>' : '<'} (${bind(after.commitSeq.toString())}::bigint, ${bind(after.id)}::uuid)`,
        ]
      : []),
  ]
  const direction = ascending ? 'ASC' : 'DESC'
  return {
    sql: `
WITH page AS MATERIALIZED (
  SELECT id, commit_seq FROM webhooks.delivery WHERE ${where.join(' AND ')}
  ORDER BY commit_seq ${direction}, id ${direction} LIMIT ${rows}
)
SELECT ${columns} FROM page JOIN webhooks.delivery ON delivery.id = page.id
ORDER BY page.commit_seq ${direction}, page.id ${direction}`,
    values,
  }
}
