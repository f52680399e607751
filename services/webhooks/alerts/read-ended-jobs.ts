import { visibleBefore } from '@platen/runtime/database/commit-seq.ts'
import type { PoolClient } from 'pg'
import type { EndedJob } from './incident.ts'

/** The events of one evaluation. The next one continues. */
const EVENTS_MAX = 2_000

/**
 * Older failures are not reported, so that an evaluation reads few partitions. Ids of events have the time of the
 * database.
 */
const BOUNDS = `SELECT ${visibleBefore('webhooks')} AS before, uuidv7(interval '-3 days') AS since`

/** After the events of the last evaluation. */
export interface Position {
  commitSeq: string
  eventId: string
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Reads `event_of_type` of the partitions of a few days. Takes no locks. */
const READ = `
SELECT event.*, ended.id AS "jobId", ended."printerId", ended."computerId"
FROM (
  SELECT DISTINCT organization_id, mode FROM webhooks.alert_rule
  WHERE kind = 'job_failed' AND organization_id = ANY($1::uuid[])
) AS watched
CROSS JOIN unnest('{printjob.error,printjob.expired,printjob.done}'::text[]) AS requested (type)
CROSS JOIN LATERAL (
  SELECT event.id AS "eventId", commit_seq AS "commitSeq", event.organization_id AS "organizationId", event.mode,
    event.type <> 'printjob.done' AS "isFailed", created_at AS at, body
  FROM webhooks.event
  WHERE event.organization_id = watched.organization_id AND event.mode = watched.mode AND event.type = requested.type
    AND event.id >= $4 AND (commit_seq, event.id) > ($2::bigint, $3::uuid) AND commit_seq < $5::bigint
  ORDER BY commit_seq, event.id LIMIT ${EVENTS_MAX}
) AS event
CROSS JOIN LATERAL jsonb_to_record(body::jsonb -> 'data') AS ended (id uuid, "printerId" uuid, "computerId" uuid)
ORDER BY "commitSeq", "eventId" LIMIT ${EVENTS_MAX}`

interface Row {
  eventId: string
  commitSeq: string
  organizationId: string
  mode: string
  isFailed: boolean
  at: Date
  jobId: string
  printerId: string
  computerId: string
}

/** @returns the jobs in the order of their events, and the position after them. */
export async function readEndedJobs(
  db: PoolClient,
  organizationIds: string[],
  after: Position,
): Promise<{ endedJobs: EndedJob[]; end: Position }> {
  const bounds = await db.query<{ before: string; since: string }>(BOUNDS)
  const { before = '0', since } = bounds.rows[0] ?? {}
  const { rows } = await db.query<Row>(READ, [organizationIds, after.commitSeq, after.eventId, since, before])
  const last = rows.length === EVENTS_MAX ? rows.at(-1) : undefined
  return {
    endedJobs: rows.map(({ organizationId, mode, isFailed, at, jobId, printerId, computerId }) => ({
      ...{ organizationId, mode, kind: 'job_failed', isFailed, at, jobId, computerId, resourceId: printerId },
    })),
    end: last ?? { commitSeq: (BigInt(before) - 1n).toString(), eventId: HIGHEST_ID },
  }
}
