/**
 * Reads one page of the deliveries of an endpoint by keyset.
 *
 * Merges index-only scans of `delivery_page` in all partitions, starting at the cursor. The index contains the filtered
 * columns, so that only the rows of the page are read. With filters at most `EXAMINED_MAX` entries are examined, and
 * the page can have fewer rows than its limit. Takes no locks.
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

/** Entries of the index for a page: about 15 ms. */
const EXAMINED_MAX = 50_000

export interface FoundDeliveries {
  rows: DeliveryRow[]
  /** The last delivery that was examined, if others follow that were not. */
  scannedUntil?: ListPosition | undefined
}

export async function readDeliveries(
  { lists, orm }: { lists: Pool; orm: MikroORM },
  key: EndpointKey,
  filters: DeliveryFilters,
  page: DeliveriesPage,
): Promise<FoundDeliveries> {
  const isFiltered = filters.statuses.length + filters.eventTypes.length > 0
  const scannedUntil = isFiltered ? await findBound(lists, key, page) : undefined
  const { sql, values } = listQuery(key, filters, { ...page, scannedUntil }, deliveryColumns(orm))
  const { rows } = await lists.query<DeliveryRow>(sql, values)
  return { rows, scannedUntil }
}

async function findBound(lists: Pool, key: EndpointKey, page: DeliveriesPage): Promise<ListPosition | undefined> {
  const unfiltered = { statuses: [], eventTypes: [] }
  const bound = { ...page, rows: 1, offset: EXAMINED_MAX - 1 }
  const { sql, values } = listQuery(key, unfiltered, bound, 'delivery.id, delivery.commit_seq AS "commitSeq"')
  const [last] = (await lists.query<{ id: string; commitSeq: string }>(sql, values)).rows
  return last && { id: last.id, commitSeq: BigInt(last.commitSeq) }
}

/** SQL: the job of the event. Null for other events, for tests, and for an event that is no longer kept. */
const JOB = `CASE WHEN delivery.event_type LIKE 'printjob.%' AND delivery.example IS NULL THEN (
  SELECT json_build_object('id', data -> 'id', 'title', data -> 'title', 'printerId', data -> 'printerId')
  FROM webhooks.event, LATERAL (SELECT event.body::json -> 'data' AS data) AS parsed WHERE event.id = delivery.event_id
) END`

/** SQL: the columns of the entity, each with the name of its property, and the job. */
export function deliveryColumns(orm: MikroORM): string {
  const { props } = orm.getMetadata().get(DeliveryEntity)
  return [...props.map(({ name, fieldNames }) => `delivery.${fieldNames[0]} AS "${name}"`), `${JOB} AS job`].join(', ')
}

export function listQuery(
  { organizationId, mode, endpointId }: EndpointKey,
  { statuses, eventTypes }: DeliveryFilters,
  {
    after,
    ascending,
    rows,
    offset = 0,
    scannedUntil,
  }: DeliveriesPage & { offset?: number; scannedUntil?: ListPosition | undefined },
  columns: string,
) {
  const values: unknown[] = [endpointId, organizationId, mode]
  const bind = (value: unknown) => `$${values.push(value)}`
  const position = ({ commitSeq, id }: ListPosition) => `(${bind(commitSeq.toString())}::bigint, ${bind(id)}::uuid)`
  const where = [
    'endpoint_id = $1',
    'EXISTS (SELECT FROM webhooks.endpoint WHERE id = $1 AND organization_id = $2 AND mode = $3)',
    ...(statuses.length > 0 ? [`status = ANY (${bind(statuses)}::text[])`] : []),
    ...(eventTypes.length > 0 ? [`event_type = ANY (${bind(eventTypes)}::text[])`] : []),
    ...(ascending ? [`commit_seq < ${visibleBefore('webhooks')}`] : []),
    ...(after ? [`(commit_seq, id) ${ascending ? '>' : '<'} ${position(after)}`] : []),
    ...(scannedUntil ? [`(commit_seq, id) ${ascending ? '<=' : '>='} ${position(scannedUntil)}`] : []),
  ]
  const direction = ascending ? 'ASC' : 'DESC'
  return {
    sql: `
WITH page AS MATERIALIZED (
  SELECT id, commit_seq FROM webhooks.delivery WHERE ${where.join(' AND ')}
  ORDER BY commit_seq ${direction}, id ${direction} OFFSET ${offset} LIMIT ${rows}
)
SELECT ${columns} FROM page JOIN webhooks.delivery ON delivery.id = page.id
ORDER BY page.commit_seq ${direction}, page.id ${direction}`,
    values,
  }
}
