import type { TestWebhooks } from './start-test-webhooks.ts'

export interface AddedDeliveries {
  count?: number
  status?: 'pending' | 'succeeded' | 'failed' | 'missed'
  eventType?: string
  createdAt?: Date
  /** Of pending ones. */
  nextAttemptAt?: Date
  /** Of a pending one whose attempt is under way: until then nobody else takes it. */
  leasedUntil?: Date
  /** Without one it is as if its day had been dropped. */
  withEvent?: boolean
  /** Of a test: its own body, and no event. */
  example?: string
}

/** As the service makes them of events. @returns their ids, oldest first. */
export async function addDeliveries(
  { query, clock }: Pick<TestWebhooks, 'query' | 'clock'>,
  endpointId: string,
  {
    count = 1,
    status = 'succeeded',
    eventType = 'printjob.done',
    createdAt = clock.now(),
    nextAttemptAt = createdAt,
    leasedUntil = nextAttemptAt,
    withEvent = true,
    example,
  }: AddedDeliveries = {},
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `WITH fresh AS MATERIALIZED (
       SELECT uuidv7() AS id, uuidv7() AS event_id FROM generate_series(1, $2)
     ), event AS (
       INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at)
       SELECT event_id, organization_id, mode, $4, '{"id":"' || event_id || '","type":"' || $4 || '"}', $5
       FROM fresh, webhooks.endpoint WHERE endpoint.id = $1 AND $7 AND $8::text IS NULL
     )
     INSERT INTO webhooks.delivery (id, endpoint_id, event_id, event_type, status, next_attempt_at, due_at, example, created_at,
       delivered_at, attempts)
     SELECT id, $1, event_id, $4, $3, CASE $3 WHEN 'pending' THEN $6::timestamptz END, CASE $3 WHEN 'pending' THEN $9::timestamptz END,
       $8, $5::timestamptz, CASE $3 WHEN 'succeeded' THEN $5::timestamptz END, CASE WHEN $3 IN ('succeeded', 'failed') THEN 1 ELSE 0 END
     FROM fresh RETURNING id`,
    [endpointId, count, status, eventType, createdAt, nextAttemptAt, withEvent, example ?? null, leasedUntil],
  )
  return rows.map(({ id }) => id)
}
