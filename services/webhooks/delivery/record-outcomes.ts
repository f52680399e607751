/**
 * The only code that records attempts: any number of them in two statements, first what they say of their endpoints' health and places, then the
 * attempts and their deliveries. A crash between the two makes the attempts again, which is why health comes first.
 *
 * An outcome decides about its delivery only as long as nobody has published or replayed it since (its `publication`); the attempt
 * is kept in any case. A delivery that became `missed` during its last attempt has succeeded all the same.
 */
import type { Pool } from 'pg'
import { placesAfter } from './places.ts'
import type { Outcome } from './send.ts'

export interface EndedAttempt {
  deliveryId: string
  publication: number
  endpointId: string
  trigger: string
  outcome: Outcome
  /** Null when there is none: it succeeded, or was the last one. */
  nextAttemptAt: Date | null
}

const NOW_FAILING = 'CASE WHEN succeeded THEN first_failure ELSE coalesce(failing_since, first_failure) END'

const NOW_PLACES = 'least(places * 2, places_max)'

/** Touches no endpoint that is as it was. */
const HEALTH_SQL = `
UPDATE webhooks.endpoint SET failing_since = ${NOW_FAILING}, places = ${NOW_PLACES}
FROM unnest($1::uuid[], $2::boolean[], $3::timestamptz[], $4::int[]) AS told (endpoint_id, succeeded, first_failure, places_max)
WHERE endpoint.id = endpoint_id AND (failing_since IS DISTINCT FROM ${NOW_FAILING} OR places <> ${NOW_PLACES})
  AND (enabled OR succeeded)`

const IS_STALE = 'publications <> ended.publication'

const RECORD_SQL = `
WITH ended AS (
  SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::int[], $8::text[],
    $9::text[], $10::timestamptz[])
    AS ended (delivery_id, publication, trigger, at, ended_at, duration_ms, status_code, error_class, response, next_attempt_at)
), recorded AS (
  UPDATE webhooks.delivery SET
    attempts = attempts + 1,
    retries = CASE WHEN ${IS_STALE} THEN retries ELSE retries + 1 END,
    publications = CASE WHEN ${IS_STALE} THEN publications ELSE publications + 1 END,
    status = CASE WHEN ${IS_STALE} THEN status WHEN error_class IS NULL THEN 'succeeded' WHEN status <> 'pending' THEN status
      WHEN ended.next_attempt_at IS NULL THEN 'failed' ELSE 'pending' END,
    next_attempt_at = CASE WHEN ${IS_STALE} THEN delivery.next_attempt_at WHEN status = 'pending' THEN ended.next_attempt_at END,
    due_at = CASE WHEN ${IS_STALE} THEN due_at WHEN status = 'pending' THEN ended.next_attempt_at END,
    delivered_at = CASE WHEN NOT (${IS_STALE}) AND error_class IS NULL THEN ended_at ELSE delivered_at END,
    last_status_code = ended.status_code,
    last_error = error_class
  FROM ended WHERE delivery.id = delivery_id
  RETURNING delivery.id, attempts AS number
)
INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms, status_code, error_class, response)
SELECT id, number, trigger, at, duration_ms, status_code, error_class, response FROM recorded JOIN ended ON delivery_id = id`

/** @param attempts of different deliveries. */
export async function recordOutcomes(pool: Pool, attempts: EndedAttempt[]): Promise<void> {
  const health = healthOf(attempts)
  await pool.query({
    name: 'record health',
    text: HEALTH_SQL,
    values: [
      health.map(({ endpointId }) => endpointId),
      health.map(({ succeeded }) => succeeded),
      health.map(({ firstFailure }) => firstFailure),
      health.map(({ placesMax }) => placesMax),
    ],
  })
  // In the order of their ids, as whoever else changes many does it: two of them wait for each other and never deadlock.
  const sorted = attempts.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  await pool.query({
    name: 'record attempts',
    text: RECORD_SQL,
    values: [
      sorted.map(({ deliveryId }) => deliveryId),
      sorted.map(({ publication }) => publication),
      sorted.map(({ trigger }) => trigger),
      sorted.map(({ outcome }) => outcome.at),
      sorted.map(({ outcome }) => outcome.endedAt),
      sorted.map(({ outcome }) => outcome.durationMs),
      sorted.map(({ outcome }) => outcome.statusCode),
      sorted.map(({ outcome }) => outcome.errorClass),
      sorted.map(({ outcome }) => outcome.response),
      sorted.map(({ nextAttemptAt }) => nextAttemptAt),
    ],
  })
}

export interface Health {
  endpointId: string
  succeeded: boolean
  /** Of those after the last success. */
  firstFailure: Date | null
  /** By the last attempt. */
  placesMax: number
}

/** What attempts say of each of their endpoints, in the order in which they ended. */
export function healthOf(attempts: EndedAttempt[]): Health[] {
  const told = new Map<string, Health>()
  for (const { endpointId, outcome } of attempts.toSorted((a, b) => +a.outcome.endedAt - +b.outcome.endedAt)) {
    const before = told.get(endpointId)
    const placesMax = placesAfter(outcome)
    if (outcome.errorClass === null)
      told.set(endpointId, { endpointId, succeeded: true, firstFailure: null, placesMax })
    else
      told.set(endpointId, {
        endpointId,
        succeeded: before?.succeeded ?? false,
        firstFailure: before?.firstFailure ?? outcome.endedAt,
        placesMax,
      })
  }
  return [...told.values()].toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
}
