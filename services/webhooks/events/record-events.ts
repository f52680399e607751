/**
 * The only code that writes events. One statement inserts any number of events and a delivery for each subscribed
 * endpoint, and moves the cursor of the event log. A disabled endpoint gets `missed` deliveries, or none: `gaps.ts`.
 *
 * An existing event changes nothing. Uses `endpoint_page`. Locks no endpoint, because the
 * worker withdraws a delivery whose endpoint was disabled or deleted concurrently.
 */
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { LogEvent } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { type Move, moved, moveValues } from '@platen/runtime/event-log/follow.ts'
import { keepsEvents } from '../gaps.ts'
import type { Webhooks } from '../webhooks.ts'
import { wakeFeeds } from './feed-wakes.ts'

const SQL = `
WITH ${moved('webhooks', 9)},
recorded AS (
  INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at, traceparent)
  SELECT event.*
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], string_to_array($5, E'\\n'), $6::timestamptz[],
    $8::text[]) AS event (id)
  WHERE EXISTS (SELECT FROM moved)
  ON CONFLICT (id) DO NOTHING
  RETURNING id, organization_id, mode, type
), delivery AS (
  INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, next_attempt_at, due_at, created_at)
  SELECT uuidv7(), endpoint.id, recorded.id, recorded.type, CASE WHEN enabled THEN 'pending' ELSE 'missed' END,
    CASE WHEN enabled THEN $7::timestamptz END, CASE WHEN enabled THEN $7::timestamptz END, $7
  FROM recorded JOIN webhooks.endpoint USING (organization_id, mode)
  WHERE recorded.type = ANY(endpoint.events) AND ${keepsEvents('$7::timestamptz')}
  RETURNING endpoint_id, status
), feed AS (
  SELECT organization_id, mode, array_agg(DISTINCT type) AS types FROM recorded GROUP BY organization_id, mode
)
SELECT feed.organization_id AS "organizationId", feed.mode, feed.types,
  ARRAY(SELECT DISTINCT endpoint_id FROM delivery WHERE status = 'pending') AS due
FROM moved LEFT JOIN feed ON true`

interface Feed {
  /** Null in the only row of a batch without new events. */
  organizationId: string | null
  mode: string
  types: string[]
  /** The endpoints with due deliveries of the whole batch. */
  due: string[]
}

/**
 * Commits the events and then wakes deliveries and waiting calls.
 *
 * @returns false if another replica has moved the cursor. Nothing is recorded then.
 */
export async function recordEvents(
  { pool, nats, clock, deliveriesAdded }: Pick<Webhooks, 'pool' | 'nats' | 'clock' | 'deliveriesAdded'>,
  events: LogEvent[],
  move: Move,
): Promise<boolean> {
  const { rows: feeds } = await pool.query<Feed>({
    name: 'record events',
    text: SQL,
    values: [
      events.map(({ id }) => id),
      events.map(({ organizationId }) => organizationId),
      events.map(({ mode }) => mode),
      events.map(({ type }) => type),
      // One text, because escaping the elements of an array of JSON takes longer than the rest of the statement. JSON
      // has no line breaks in strings.
      events.map(({ body }) => body.replaceAll('\n', ' ')).join('\n'),
      events.map(({ occurredAt }) => occurredAt && timestampDate(occurredAt)),
      clock.now(),
      events.map(({ traceparent }) => traceparent || null),
      ...moveValues(move),
    ],
  })
  const [first] = feeds
  if (first && first.due.length > 0) deliveriesAdded(first.due)
  wakeFeeds(
    nats.connection,
    feeds.flatMap(({ organizationId, mode, types }) =>
      organizationId === null ? [] : { organizationId, mode, types },
    ),
  )
  return feeds.length > 0
}
