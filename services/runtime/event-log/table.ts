/**
 * The event log of a service: one row per event, inserted by the statement that makes the change and never updated.
 * Consumers read it up to the oldest open transaction (`read.ts`) and store their own cursor (`follow.ts`).
 *
 * Rows are ordered by `commit_seq`, then `number`. `commit_seq` is that of the transaction (`database/commit-seq.ts`),
 * or that of the resource's previous event if greater, because of two transactions that change a resource the one with
 * the lower number can be the last. Rows below the oldest open transaction are still complete, because `commit_seq` is
 * never less than the number of the transaction.
 */
import { createPartitionedTable, type PartitionedTable } from '../database/partitions.ts'

/** Far above the size of any event. Input from outside is limited where it is received. */
const BODY_MAX_BYTES = 256 * 1024

/** Empty without a trace. */
const TRACEPARENT = '^(00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})?$'

/**
 * Migration statements that create the event log of `schema`, after `createCommitSeq`. Each table of `resources` gets
 * the column `event_commit_seq`, the `commit_seq` of its last event. A new row has that of its own transaction, and
 * each UPDATE sets it to `nextCommitSeq`.
 */
export function createEventLog(schema: string, resources: string[]): string[] {
  return [
    `CREATE SEQUENCE ${schema}.event_number`,
    ...createPartitionedTable(
      schema,
      'event_log',
      `id uuid NOT NULL,
       commit_seq bigint NOT NULL,
       number bigint NOT NULL DEFAULT nextval('${schema}.event_number'),
       organization_id uuid NOT NULL,
       mode text NOT NULL,
       type text NOT NULL,
       occurred_at timestamptz NOT NULL,
       body text NOT NULL CHECK (octet_length(body) <= ${BODY_MAX_BYTES}),
       traceparent text NOT NULL CHECK (traceparent ~ '${TRACEPARENT}')`,
      'id',
    ),
    ...resources.flatMap((table) => [
      `ALTER TABLE ${schema}.${table} ADD COLUMN event_commit_seq bigint NOT NULL DEFAULT 0`,
      `ALTER TABLE ${schema}.${table} ALTER COLUMN event_commit_seq SET DEFAULT ${schema}.to_commit_seq(pg_current_xact_id())`,
    ]),
    `CREATE INDEX event_log_order ON ${schema}.event_log (commit_seq, number)`,
  ]
}

/** A consumer that is down for longer misses events. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000

export const eventLogPartitions: PartitionedTable = { name: 'event_log', key: 'id', keptMs: KEPT_MS }

/** SQL: the `commit_seq` of the next event of a resource. @param row the row before an UPDATE. */
export const nextCommitSeq = (schema: string, row: string) =>
  `GREATEST(${row}.event_commit_seq, ${schema}.to_commit_seq(pg_current_xact_id()))`
