/**
 * Reads one page of the event feed by keyset.
 *
 * Merges index scans of all partitions, starting at the cursor: of `event_page`, or of `event_of_type` for each type. It reads few rows in
 * addition to the page, also for a rare type. Takes no locks.
 */
import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import { lowestId } from '@platen/runtime/database/partitions.ts'
import type { ListPosition } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'

export interface EventsQuery {
  organizationId: string
  mode: string
  /** Any of them. Empty: all. */
  types: string[]
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
  const { organizationId, mode, types, retainedSince, after, ascending, rows } = query
  const { rows: found } = await pool.query<Row>({
    ...toStatement({ ascending, continued: after !== undefined, filtered: types.length > 0 }),
    values: [
      organizationId,
      mode,
      lowestId(retainedSince),
      rows,
      ...(after ? [after.commitSeq.toString(), after.id] : []),
      ...(types.length > 0 ? [types] : []),
    ],
  })
  if (!ascending) return { events: found, moreSoon: false }
  const events = found.filter(({ visible }) => visible)
  return { events, moreSoon: events.length < found.length }
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** @returns a cursor before the events of all open and future transactions. */
export async function readEnd(pool: Pool): Promise<ListPosition> {
  const { rows } = await pool.query<{ commit_seq: string }>(`SELECT ${visibleBefore('webhooks')} - 1 AS commit_seq`)
  return { commitSeq: BigInt(rows[0]?.commit_seq ?? 0), id: HIGHEST_ID }
}

interface StatementForm {
  ascending: boolean
  continued: boolean
  filtered: boolean
}

/** Each form is prepared once per connection. */
function toStatement({ ascending, continued, filtered }: StatementForm) {
  const direction = ascending ? 'ASC' : 'DESC'
  const ordered = `ORDER BY commit_seq ${direction}, id ${direction} LIMIT $4::int`
  const afterCursor = continued ? `AND (commit_seq, id) ${ascending ? '>' : '<'} ($5::bigint, $6::uuid)` : ''
  const page = (ofType: string) => `
    SELECT id, body, commit_seq FROM webhooks.event
    WHERE organization_id = $1 AND mode = $2 AND id >= $3::uuid ${ofType} ${afterCursor} ${ordered}`
  const rows = filtered
    ? `SELECT of_type.* FROM unnest($${continued ? 7 : 5}::text[]) AS requested (type)
       CROSS JOIN LATERAL (${page('AND event.type = requested.type')}) AS of_type ${ordered}`
    : page('')
  return {
    name: ['read events', direction, continued && 'continued', filtered && 'filtered'].filter(Boolean).join(' '),
    text: `SELECT id, body, commit_seq AS "commitSeq", commit_seq < ${visibleBefore('webhooks')} AS visible FROM (${rows}) AS page`,
  }
}
