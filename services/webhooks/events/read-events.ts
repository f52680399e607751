/**
 * Reads one page of the event feed by keyset.
 *
 * Merges index scans of all partitions, starting at the cursor: of `event_page`, of `event_of_type` for each type, or
 * of `event_of_resource` for each resource. It reads few rows in addition to the page, also for a rare type or
 * resource. Takes no locks.
 */
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import { getTime, lowestId } from '@platen/runtime/database/partitions.ts'
import type { ListPosition } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'
import { EVENT_RESOURCE } from './event-resource.ts'

/** The length of a partition. */
export const DAY_MS = 24 * 60 * 60 * 1000

export interface EventsQuery {
  organizationId: string
  mode: string
  /** Any of them. Empty: all. */
  types: string[]
  /** Ids of the jobs, computers or printers. Empty: all. */
  resourceIds?: string[]
  occurredBefore?: Date | undefined
  /** Older events are omitted. */
  retainedSince: Date
  after: ListPosition | undefined
  ascending: boolean
  rows: number
}

export interface ListedEvent {
  id: string
  body: string
  commitSeq: string
}

interface Row extends ListedEvent {
  visible: boolean
}

export interface FoundEvents {
  events: ListedEvent[]
  /** Only ascending: more events are committed, which become visible when all older transactions have ended. */
  moreSoon: boolean
}

export async function readEvents(pool: Pool, query: EventsQuery): Promise<FoundEvents> {
  const { ascending } = query
  const { rows: found } = await pool.query<Row>(toStatement(query))
  if (!ascending) return { events: found, moreSoon: false }
  const events = found.filter(({ visible }) => visible)
  return { events, moreSoon: events.length < found.length }
}

/** Ids of events have the time of the database, `created_at` has that of the service that inserted them. */
export const CLOCK_DIFFERENCE_MAX_MS = 5 * 60_000

/** The end of a UUIDv7. */
const HIGHEST_TAIL = '7fff-bfff-ffffffffffff'

/**
 * @returns a cursor before the events of all open and future transactions. Its id is higher than those of all earlier
 *   events.
 */
export async function readEnd(pool: Pool, now: Date): Promise<ListPosition> {
  const { rows } = await pool.query<{ commit_seq: string }>(`SELECT ${visibleBefore('webhooks')} - 1 AS commit_seq`)
  const ofLater = lowestId(new Date(now.getTime() + CLOCK_DIFFERENCE_MAX_MS))
  return { commitSeq: BigInt(rows[0]?.commit_seq ?? 0), id: ofLater.slice(0, -HIGHEST_TAIL.length) + HIGHEST_TAIL }
}

const LOST_SQL = `
SELECT EXISTS (
  SELECT FROM webhooks.event
  WHERE organization_id = $1 AND mode = $2 AND id < $3 AND (commit_seq, id) > ($4::bigint, $5::uuid)
    AND ($6::text[] = '{}' OR type = ANY($6)) AND ($7::text[] = '{}' OR ${EVENT_RESOURCE} = ANY($7))
) AS lost`

/**
 * Events after the cursor may have been deleted. Until their day is dropped they are looked for.
 *
 * @returns false for a cursor within the retention time.
 */
export async function mayHaveLost(
  pool: Pool,
  { organizationId, mode, types, resourceIds = [], retainedSince, after }: EventsQuery & { after: ListPosition },
): Promise<boolean> {
  const expiredMs = retainedSince.getTime() - getTime(after.id).getTime()
  if (expiredMs <= 0) return false
  if (expiredMs > DAY_MS) return true
  const values = [
    organizationId,
    mode,
    lowestId(retainedSince),
    after.commitSeq.toString(),
    after.id,
    types,
    resourceIds,
  ]
  const { rows } = await pool.query<{ lost: boolean }>({ name: 'find lost events', text: LOST_SQL, values })
  return rows[0]?.lost ?? false
}

/** Each form is prepared once per connection. */
function toStatement(query: EventsQuery) {
  const { organizationId, mode, types, resourceIds = [], retainedSince, occurredBefore, after, ascending, rows } = query
  const values: unknown[] = []
  const bind = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const direction = ascending ? 'ASC' : 'DESC'
  const ordered = `ORDER BY commit_seq ${direction}, id ${direction} LIMIT ${bind(rows, 'int')}`
  const where = [
    `organization_id = ${bind(organizationId, 'uuid')} AND mode = ${bind(mode, 'text')}`,
    `id >= ${bind(lowestId(retainedSince), 'uuid')}`,
    after &&
      `(commit_seq, id) ${ascending ? '>' : '<'} (${bind(after.commitSeq.toString(), 'bigint')}, ${bind(after.id, 'uuid')})`,
    occurredBefore &&
      `created_at < ${bind(occurredBefore, 'timestamptz')}
         AND id < ${bind(lowestId(new Date(occurredBefore.getTime() + CLOCK_DIFFERENCE_MAX_MS)), 'uuid')}`,
    resourceIds.length > 0 && types.length > 0 && `type = ANY(${bind(types, 'text[]')})`,
  ]
  const page = (equal: string) => `
    SELECT id, body, commit_seq FROM webhooks.event WHERE ${[...where, equal].filter(Boolean).join(' AND ')} ${ordered}`
  /** A scan for each value. */
  const pageOfEach = (column: string, equalTo: string[]) => `
    SELECT of_one.* FROM unnest(${bind(equalTo, 'text[]')}) AS requested (value)
    CROSS JOIN LATERAL (${page(`${column} = requested.value`)}) AS of_one ${ordered}`
  const found =
    resourceIds.length > 0
      ? pageOfEach(EVENT_RESOURCE, resourceIds)
      : types.length > 0
        ? pageOfEach('event.type', types)
        : page('')
  const form = [
    direction,
    after && 'continued',
    occurredBefore && 'before',
    types.length > 0 && 'types',
    resourceIds.length > 0 && 'resources',
  ]
  return {
    name: ['read events', ...form].filter(Boolean).join(' '),
    text: `SELECT id, body, commit_seq AS "commitSeq", commit_seq < ${visibleBefore('webhooks')} AS visible
           FROM (${found}) AS page`,
    values,
  }
}
