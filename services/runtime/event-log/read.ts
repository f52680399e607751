/**
 * The RPC by which consumers read the event log of a service: the events after their cursor, up to the oldest open
 * transaction.
 */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  type ReadEventLogRequest,
  type ReadEventLogResponse,
  ReadEventLogResponseSchema,
} from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import type { Pool } from 'pg'
import { visibleBefore } from '../database/commit-seq.ts'
import { countFitting } from '../paging.ts'
import { EVENTS_MAX } from './follow.ts'

/** Well below the message limit of calls between services. One event is smaller. */
const BODIES_MAX_BYTES = 512 * 1024

/** Greater than all event numbers. */
const LAST_NUMBER = 2n ** 63n - 1n

interface Row {
  /** All rows with a lower `commit_seq` are visible. */
  visible_before: string
  id: string | null
  commit_seq: string
  number: string
  organization_id: string
  mode: string
  type: string
  occurred_at: Date
  body: string
  traceparent: string
  created_by: string | null
}

/** Returns one row without an event if the log has no further event. */
const readSql = (schema: string, createdBy: string) => `
SELECT now.visible_before, found.* FROM (SELECT ${visibleBefore(schema)} AS visible_before) AS now LEFT JOIN LATERAL (
  SELECT id, commit_seq, number, organization_id, mode, type, occurred_at, body, traceparent, ${createdBy} AS created_by
  FROM ${schema}.event_log
  WHERE (commit_seq, number) > ($1::bigint, $2::bigint) AND ($3 = '' OR mode = $3)
    AND ($4::text[] = '{}' OR type = ANY ($4))
  ORDER BY commit_seq, number LIMIT ${EVENTS_MAX}
) AS found ON true ORDER BY commit_seq, number`

/** @param createdBy SQL: the column of the log with the creator of a print job. */
export async function readEventLog(
  pool: Pick<Pool, 'query'>,
  schema: string,
  { after, mode, types }: Pick<ReadEventLogRequest, 'after' | 'mode' | 'types'>,
  createdBy = 'NULL',
): Promise<ReadEventLogResponse> {
  const { rows } = await pool.query<Row>({
    name: `read event log of ${schema}, ${createdBy}`,
    text: readSql(schema, createdBy),
    values: [after?.commitSeq ?? 0n, after?.number ?? 0n, mode, types],
  })
  const visibleBefore = BigInt(rows[0]?.visible_before ?? 0)
  const found = rows.filter(({ id }) => id !== null)
  const visible = found.filter(({ commit_seq }) => BigInt(commit_seq) < visibleBefore)
  const read = visible.slice(
    0,
    countFitting(visible, ({ body }) => Buffer.byteLength(body), BODIES_MAX_BYTES),
  )
  const last = read.at(-1)
  const isCut = read.length < visible.length || visible.length === EVENTS_MAX
  return create(ReadEventLogResponseSchema, {
    events: read.map((row) => ({
      position: { commitSeq: BigInt(row.commit_seq), number: BigInt(row.number) },
      id: row.id ?? '',
      organizationId: row.organization_id,
      mode: row.mode,
      type: row.type,
      occurredAt: timestampFromDate(row.occurred_at),
      body: row.body,
      traceparent: row.traceparent,
      createdBy: row.created_by ?? '',
    })),
    end:
      isCut && last
        ? { commitSeq: BigInt(last.commit_seq), number: BigInt(last.number) }
        : { commitSeq: visibleBefore - 1n, number: LAST_NUMBER },
    more: isCut || visible.length < found.length,
  })
}
