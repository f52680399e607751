/**
 * The only code that records attempts, by one statement for any number of attempts: the attempts, their deliveries, and the health and
 * concurrency of their endpoints.
 *
 * The attempt is always recorded. Its outcome changes the delivery only if the delivery was not published or replayed since (see
 * `publication`). A success also changes a delivery that became `missed` during the attempt.
 */
import { webhookAttempts } from '@platen/runtime/telemetry/metrics.ts'
import type { Pool } from 'pg'
import type { DeliveryTrigger } from '../entities.ts'
import { concurrencyAfter } from './concurrency.ts'
import type { Outcome, ShownOutcome } from './send.ts'

export interface EndedAttempt {
  deliveryId: string
  publication: number
  endpointId: string
  trigger: DeliveryTrigger
  outcome: Outcome
  /** The part of the outcome that is stored for the organization. */
  shown: ShownOutcome
  /** Null after a success or the last attempt. */
  nextAttemptAt: Date | null
}

const NEW_FAILING_SINCE = 'CASE WHEN succeeded THEN first_failure ELSE coalesce(failing_since, first_failure) END'

const NEW_CONCURRENCY = 'least(concurrency * 2, concurrency_max)'

const IS_STALE = 'publications <> ended.publication'

/**
 * Unchanged endpoints are not written. The deliveries are locked after the endpoints, both in the order of their ids, which prevents
 * deadlocks.
 */
const SQL = `
WITH healthy AS (
  UPDATE webhooks.endpoint SET failing_since = ${NEW_FAILING_SINCE}, concurrency = ${NEW_CONCURRENCY},
    last_status_code = health.last_status_code, last_error = health.last_error
  FROM unnest($11::uuid[], $12::boolean[], $13::timestamptz[], $14::int[], $15::int[], $16::text[])
    AS health (endpoint_id, succeeded, first_failure, concurrency_max, last_status_code, last_error)
  WHERE endpoint.id = endpoint_id AND (failing_since IS DISTINCT FROM ${NEW_FAILING_SINCE} OR concurrency <> ${NEW_CONCURRENCY}
      OR (endpoint.last_status_code, endpoint.last_error) IS DISTINCT FROM (health.last_status_code, health.last_error))
    AND (enabled OR succeeded)
  RETURNING endpoint.id
), ended AS (
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
  FROM ended WHERE delivery.id = delivery_id AND (SELECT count(*) FROM healthy) >= 0
  RETURNING delivery.id, attempts AS number
)
INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms, status_code, error_class, response)
SELECT id, number, trigger, at, duration_ms, status_code, error_class, response FROM recorded JOIN ended ON delivery_id = id`

/** @param attempts of different deliveries. */
export async function recordOutcomes(pool: Pool, attempts: EndedAttempt[]): Promise<void> {
  const health = toHealth(attempts)
  const sorted = attempts.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
  await pool.query({
    name: 'record attempts',
    text: SQL,
    values: [
      sorted.map(({ deliveryId }) => deliveryId),
      sorted.map(({ publication }) => publication),
      sorted.map(({ trigger }) => trigger),
      sorted.map(({ outcome }) => outcome.at),
      sorted.map(({ outcome }) => outcome.endedAt),
      sorted.map(({ outcome }) => outcome.durationMs),
      sorted.map(({ shown }) => shown.statusCode),
      sorted.map(({ shown }) => shown.errorClass),
      sorted.map(({ shown }) => shown.response),
      sorted.map(({ nextAttemptAt }) => nextAttemptAt),
      health.map(({ endpointId }) => endpointId),
      health.map(({ succeeded }) => succeeded),
      health.map(({ firstFailure }) => firstFailure),
      health.map(({ concurrencyMax }) => concurrencyMax),
      health.map(({ lastStatusCode }) => lastStatusCode),
      health.map(({ lastError }) => lastError),
    ],
  })
  for (const { outcome } of attempts) webhookAttempts.add(1, { outcome: outcome.errorClass ?? 'succeeded' })
}

export interface Health {
  endpointId: string
  succeeded: boolean
  /** The first after the last success. */
  firstFailure: Date | null
  /** After the last attempt. */
  concurrencyMax: number
  /** Of the last attempt, as the organization sees it. Null after a success. */
  lastStatusCode: number | null
  lastError: string | null
}

/** Combines the attempts of each endpoint in the order in which they ended. Sorted by endpoint. */
export function toHealth(attempts: EndedAttempt[]): Health[] {
  const health = new Map<string, Health>()
  for (const { endpointId, outcome, shown } of attempts.toSorted((a, b) => +a.outcome.endedAt - +b.outcome.endedAt)) {
    const before = health.get(endpointId)
    const succeeded = outcome.errorClass === null
    health.set(endpointId, {
      endpointId,
      succeeded: succeeded || (before?.succeeded ?? false),
      firstFailure: succeeded ? null : (before?.firstFailure ?? outcome.endedAt),
      concurrencyMax: concurrencyAfter(outcome),
      lastStatusCode: succeeded ? null : shown.statusCode,
      lastError: succeeded ? null : shown.errorClass,
    })
  }
  return [...health.values()].toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
}
