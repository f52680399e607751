import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ListStateChangesRequest } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { isStoppedSql } from '@platen/resources/state-reasons.ts'
import { lowestId } from '@platen/runtime/database/partitions.ts'
import { EVENT_RESOURCE } from '../events/event-resource.ts'
import { CLOCK_DIFFERENCE_MAX_MS } from '../events/read-events.ts'
import type { Webhooks } from '../webhooks.ts'

const RESOURCES_MAX = 100
/** The events of a resource. The state before them is not known of one with more. */
const EVENTS_MAX = 200

/** An event with `unknown` is of the time when the computer was offline, and does not show the state of the printer. */
const HAS_STATE = `(type = 'printer.removed' OR data.state <> 'unknown')`
/** Parses each body once. */
const EVENTS = `SELECT event.id, type, created_at AS at, commit_seq, data.* FROM webhooks.event
  CROSS JOIN LATERAL jsonb_to_record(body::jsonb -> 'data') AS data (state text, enabled boolean,
    "stateReasons" text[])`

/**
 * Scans `event_of_resource` of the last days for each resource, and of all days for its last event before. Takes no
 * locks.
 */
const LIST = `
SELECT "resourceId", at, state FROM (
  SELECT *,
    lag(state) OVER (PARTITION BY "resourceId" ORDER BY commit_seq, id) IS DISTINCT FROM state AS "isChange" FROM (
    SELECT "resourceId", at, commit_seq, event.id, CASE
      WHEN type = 'printer.removed' THEN 'removed'
      WHEN state = 'online' AND ${isStoppedSql('enabled', '"stateReasons"')} THEN 'stopped'
      ELSE state END AS state
    FROM unnest($3::text[]) AS requested ("resourceId")
    CROSS JOIN LATERAL (
      WITH since AS MATERIALIZED (
        ${EVENTS}
        WHERE organization_id = $1 AND mode = $2 AND ${EVENT_RESOURCE} = "resourceId" AND id >= $5::uuid
          AND created_at >= $4 AND ${HAS_STATE}
        ORDER BY commit_seq DESC, id DESC LIMIT ${EVENTS_MAX}
      )
      SELECT * FROM since
      UNION ALL (
        ${EVENTS}
        WHERE organization_id = $1 AND mode = $2 AND ${EVENT_RESOURCE} = "resourceId" AND id < $6::uuid
          AND id >= $7::uuid AND created_at < $4
          AND ${HAS_STATE} AND (SELECT count(*) FROM since) < ${EVENTS_MAX}
        ORDER BY commit_seq DESC, id DESC LIMIT 1
      )
    ) AS event
  ) AS shown
) AS compared
WHERE "isChange" ORDER BY at, commit_seq, id`

interface Row {
  resourceId: string
  at: Date
  state: string
}

/** The changes of one organization and mode. */
export async function listStateChanges(
  { lists, clock, eventRetentionMs }: Pick<Webhooks, 'lists' | 'clock' | 'eventRetentionMs'>,
  { organizationId, mode, resourceIds, since }: ListStateChangesRequest,
) {
  const now = clock.now().getTime()
  const time = since ? timestampDate(since).getTime() : now
  const { rows } = await lists.query<Row>({
    name: 'state changes',
    text: LIST,
    values: [
      organizationId,
      mode,
      resourceIds.slice(0, RESOURCES_MAX),
      new Date(time),
      lowestId(new Date(time - CLOCK_DIFFERENCE_MAX_MS)),
      lowestId(new Date(time + CLOCK_DIFFERENCE_MAX_MS)),
      lowestId(new Date(now - eventRetentionMs)),
    ],
  })
  return { changes: rows.map((row) => ({ ...row, at: timestampFromDate(row.at) })) }
}
