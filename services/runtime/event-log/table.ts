/**
 * The event log of a service: a row for each event, inserted by the statement that makes the change, and never updated. Consumers read it
 * behind the oldest open transaction (`read.ts`) and keep their own cursor (`follow.ts`).
 *
 * Rows are ordered by place, then number. The place is that of the transaction (`database/commit-order.ts`), but never below that of the
 * resource's event before: of two transactions that change one resource, the one that got its number first may change it last.
 * Everything below the oldest open transaction is complete all the same, since a place is never below its own transaction.
 */
import { createDays, type DailyTable } from '../database/days.ts'

/** Far more than an event can have; what comes from outside is bounded where it is received. */
const BODY_MAX_BYTES = 256 * 1024

/**
 * The statements of a migration that gives `schema` its log, after `createPlaces`. `resources` are the tables whose rows have events: each
 * gets the column `event_place`, the place of its last event: that of its own transaction in a new row; each UPDATE sets it to `nextPlace`.
 */
export function createEventLog(schema: string, resources: string[]): string[] {
  return [
    `CREATE SEQUENCE ${schema}.event_number`,
    ...createDays(
      schema,
      'event_log',
      `id uuid NOT NULL,
       list_place bigint NOT NULL,
       number bigint NOT NULL DEFAULT nextval('${schema}.event_number'),
       organization_id uuid NOT NULL,
       mode text NOT NULL,
       type text NOT NULL,
       occurred_at timestamptz NOT NULL,
       body text NOT NULL CHECK (octet_length(body) <= ${BODY_MAX_BYTES}),
       traceparent text NOT NULL`,
      'id',
    ),
    ...resources.flatMap((table) => [
      `ALTER TABLE ${schema}.${table} ADD COLUMN event_place bigint NOT NULL DEFAULT 0`,
      `ALTER TABLE ${schema}.${table} ALTER COLUMN event_place SET DEFAULT ${schema}.place_of(pg_current_xact_id())`,
    ]),
    `CREATE INDEX event_log_order ON ${schema}.event_log (list_place, number)`,
  ]
}

/** A consumer that is away for longer misses events. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

export const eventLogDays: DailyTable = { name: 'event_log', key: 'id', keptMs: KEPT_MS }

/** SQL: the place of the next event of a resource. @param row of the resource as it was, in an UPDATE of it. */
export const nextPlace = (schema: string, row: string) =>
  `GREATEST(${row}.event_place, ${schema}.place_of(pg_current_xact_id()))`
