/**
 * The statement behind the event feed: one page by keyset.
 *
 * Walks the index of the feed, or with types that of each of them, in each day that is kept, from the cursor on, and merges what it finds:
 * it reads little more than the page has, also for a type that is rare among millions. Takes no locks.
 */
import { settled } from '@platen/runtime/database/commit-order.ts'
import { lowestId } from '@platen/runtime/database/days.ts'
import type { Place } from '@platen/runtime/paging.ts'
import type { Pool } from 'pg'

export interface EventsAsked {
  organizationId: string
  mode: string
  /** Any of them; none: any. */
  types: string[]
  /** Nothing that happened before is shown. */
  keptSince: Date
  after: Place | undefined
  ascending: boolean
  rows: number
}

export interface ListedEvent {
  id: string
  body: string
  listPlace: string
}

interface Row extends ListedEvent {
  settled: boolean
}

export interface EventsFound {
  events: ListedEvent[]
  /** Ascending: there are more, which are shown as soon as every transaction before them is over. */
  moreSoon: boolean
}

export async function readEvents(pool: Pool, asked: EventsAsked): Promise<EventsFound> {
  const { organizationId, mode, types, keptSince, after, ascending, rows } = asked
  const { rows: found } = await pool.query<Row>({
    ...statementOf({ ascending, continued: after !== undefined, filtered: types.length > 0 }),
    values: [
      organizationId,
      mode,
      lowestId(keptSince),
      rows,
      ...(after ? [after.place.toString(), after.id] : []),
      ...(types.length > 0 ? [types] : []),
    ],
  })
  if (!ascending) return { events: found, moreSoon: false }
  // In the order of their places what is not settled comes last.
  const firstOpen = found.findIndex(({ settled }) => !settled)
  return firstOpen < 0 ? { events: found, moreSoon: false } : { events: found.slice(0, firstOpen), moreSoon: true }
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** @returns the place behind which every event comes that is not settled yet: those of all transactions that are open, and of all to come. */
export async function readEnd(pool: Pool): Promise<Place> {
  const { rows } = await pool.query<{ place: string }>(`SELECT ${settled('webhooks')} - 1 AS place`)
  return { place: BigInt(rows[0]?.place ?? 0), id: HIGHEST_ID }
}

interface Form {
  ascending: boolean
  continued: boolean
  filtered: boolean
}

/** Prepared once on each connection. */
function statementOf({ ascending, continued, filtered }: Form) {
  const direction = ascending ? 'ASC' : 'DESC'
  const ordered = `ORDER BY list_place ${direction}, id ${direction} LIMIT $4::int`
  const behind = continued ? `AND (list_place, id) ${ascending ? '>' : '<'} ($5::bigint, $6::uuid)` : ''
  const page = (ofType: string) => `
    SELECT id, body, list_place FROM webhooks.event
    WHERE organization_id = $1 AND mode = $2 AND id >= $3::uuid ${ofType} ${behind} ${ordered}`
  const rows = filtered
    ? `SELECT of_type.* FROM unnest($${continued ? 7 : 5}::text[]) AS wanted (type)
       CROSS JOIN LATERAL (${page('AND event.type = wanted.type')}) AS of_type ${ordered}`
    : page('')
  return {
    name: ['read events', direction, continued && 'continued', filtered && 'filtered'].filter(Boolean).join(' '),
    text: `SELECT id, body, list_place AS "listPlace", list_place < ${settled('webhooks')} AS settled FROM (${rows}) AS page`,
  }
}
