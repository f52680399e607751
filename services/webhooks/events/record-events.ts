/**
 * The only code that writes events: any number of them in one statement and one transaction, each with a delivery for every endpoint of
 * its organization and mode that has subscribed to its type.
 *
 * An event that is there already changes nothing, so that one may come any number of times, to any replica. Rows are written in the order
 * of their ids, so that two batches wait for each other and never deadlock. Walks the index of the endpoints' lists; locks no endpoint: a
 * delivery to one that is being disabled or deleted at this moment is put right by whoever takes it up.
 */
import type { Webhooks } from '../webhooks.ts'
import { wakeFeed } from './feed-wakes.ts'

export interface NewEvent {
  id: string
  organizationId: string
  mode: string
  type: string
  /** ISO 8601. */
  occurredAt: string
  /** JSON: what is delivered. */
  body: string
}

const SQL = `
WITH recorded AS (
  INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at)
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) AS event (id) ORDER BY id
  ON CONFLICT (id) DO NOTHING
  RETURNING id, organization_id, mode, type
), delivery AS (
  INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, next_attempt_at, due_at, created_at)
  SELECT uuidv7(), endpoint.id, recorded.id, recorded.type, CASE WHEN enabled THEN 'pending' ELSE 'missed' END,
    CASE WHEN enabled THEN $7::timestamptz END, CASE WHEN enabled THEN $7::timestamptz END, $7
  FROM recorded JOIN webhooks.endpoint USING (organization_id, mode) WHERE recorded.type = ANY(endpoint.events)
  RETURNING status
)
SELECT organization_id AS "organizationId", mode, array_agg(DISTINCT type) AS types,
  EXISTS (SELECT FROM delivery WHERE status = 'pending') AS due
FROM recorded GROUP BY organization_id, mode`

interface Feed {
  organizationId: string
  mode: string
  types: string[]
  /** Whether any delivery of the whole batch is. */
  due: boolean
}

/** Commits the events, and then tells those who wait for them. */
export async function recordEvents(
  { pool, nats, clock, deliveriesAdded }: Pick<Webhooks, 'pool' | 'nats' | 'clock' | 'deliveriesAdded'>,
  events: NewEvent[],
): Promise<void> {
  const { rows: feeds } = await pool.query<Feed>({
    name: 'record events',
    text: SQL,
    values: [
      events.map(({ id }) => id),
      events.map(({ organizationId }) => organizationId),
      events.map(({ mode }) => mode),
      events.map(({ type }) => type),
      events.map(({ body }) => body),
      events.map(({ occurredAt }) => occurredAt),
      clock.now(),
    ],
  })
  if (feeds[0]?.due) deliveriesAdded()
  for (const feed of feeds) wakeFeed(nats.connection, feed)
}
