/**
 * The only code that records attempts, by one statement for any number of attempts: the attempts, their deliveries, and
 * the health, concurrency and rate of their endpoints.
 *
 * The attempt is always recorded. Its outcome changes the delivery only if the delivery was not published or replayed
 * since (see `publication`). A success also changes a delivery that became `missed` during the attempt.
 */
import { webhookAttempts } from '@platen/runtime/telemetry/metrics.ts'
import type { Pool } from 'pg'
import type { DeliveryTrigger } from '../entities.ts'
import { concurrencyAfter } from './concurrency.ts'
import type { ReadEndpoint } from './read-deliveries.ts'
import type { NextAttempt } from './schedule.ts'
import type { Outcome, ShownOutcome } from './send.ts'
import {
  addRateChange,
  INTERVAL_FIRST_MS,
  INTERVAL_MAX_MS,
  INTERVAL_MIN_MS,
  type RateChange,
  toRateChange,
} from './throttle.ts'

export interface EndedAttempt extends NextAttempt {
  deliveryId: string
  publication: number
  endpointId: string
  /** At the start of the attempt. */
  endpoint: Pick<ReadEndpoint, 'failingSince' | 'rate'>
  trigger: DeliveryTrigger
  outcome: Outcome
  /** The part of the outcome that is stored for the organization. */
  shown: ShownOutcome
}

const NEW_FAILING_SINCE = 'CASE WHEN succeeded THEN first_failure ELSE coalesce(failing_since, first_failure) END'

/** A throttled attempt does not raise it. */
const NEW_CONCURRENCY = 'least(concurrency * CASE WHEN health.throttled_at IS NULL THEN 2 ELSE 1 END, concurrency_max)'

/** The interval changes with the first ended attempt of those that were in progress when the endpoint was throttled. */
const NEW_INTERVAL = `CASE
  WHEN interval_factor IS NULL OR endpoint.throttled_at IS DISTINCT FROM throttled_before THEN send_interval_ms
  WHEN health.throttled_at IS NOT NULL
    THEN least(coalesce(send_interval_ms * interval_factor, ${INTERVAL_FIRST_MS}), ${INTERVAL_MAX_MS})
  WHEN send_interval_ms * interval_factor >= ${INTERVAL_MIN_MS} THEN send_interval_ms * interval_factor END`

/** Null arguments of `greatest` have no effect. */
const NEW_SEND_AFTER = `greatest(endpoint.send_after, health.send_after,
  health.throttled_at + ${NEW_INTERVAL} * interval '1 millisecond')`

const IS_STALE = 'publications <> ended.publication'

/**
 * Unchanged endpoints are not written. The deliveries are locked after the endpoints, both in the order of their ids,
 * which prevents deadlocks.
 */
const SQL = `
WITH healthy AS (
  UPDATE webhooks.endpoint SET failing_since = ${NEW_FAILING_SINCE}, concurrency = ${NEW_CONCURRENCY},
    last_status_code = health.last_status_code, last_error = health.last_error, send_interval_ms = ${NEW_INTERVAL},
    send_after = ${NEW_SEND_AFTER}, throttled_at = coalesce(health.throttled_at, endpoint.throttled_at)
  FROM unnest($14::uuid[], $15::boolean[], $16::timestamptz[], $17::int[], $18::int[], $19::text[], $20::timestamptz[],
    $21::float8[], $22::timestamptz[], $23::timestamptz[])
    AS health (endpoint_id, succeeded, first_failure, concurrency_max, last_status_code, last_error, throttled_before,
      interval_factor, throttled_at, send_after)
  WHERE endpoint.id = endpoint_id
    AND (failing_since IS DISTINCT FROM ${NEW_FAILING_SINCE} OR concurrency <> ${NEW_CONCURRENCY}
      OR (endpoint.last_status_code, endpoint.last_error) IS DISTINCT FROM (health.last_status_code, health.last_error)
      OR interval_factor IS NOT NULL)
    AND (enabled OR succeeded)
  RETURNING endpoint.id
), ended AS (
  SELECT *
  FROM unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::int[], $7::int[], $8::text[],
    $9::text[], $10::timestamptz[], $11::int[], $12::timestamptz[], $13::timestamptz[])
    AS ended (delivery_id, publication, trigger, at, ended_at, duration_ms, status_code, error_class, response,
      next_attempt_at, retries, throttled_since, scheduled_at)
), recorded AS (
  UPDATE webhooks.delivery SET
    attempts = attempts + 1,
    retries = CASE WHEN ${IS_STALE} THEN delivery.retries ELSE ended.retries END,
    throttled_since = CASE WHEN ${IS_STALE} THEN delivery.throttled_since ELSE ended.throttled_since END,
    scheduled_at = CASE WHEN ${IS_STALE} THEN delivery.scheduled_at ELSE ended.scheduled_at END,
    publications = CASE WHEN ${IS_STALE} THEN publications ELSE publications + 1 END,
    status = CASE WHEN ${IS_STALE} THEN status
      WHEN error_class IS NULL THEN 'succeeded'
      WHEN status <> 'pending' THEN status
      WHEN ended.next_attempt_at IS NULL THEN 'failed' ELSE 'pending' END,
    next_attempt_at = CASE WHEN ${IS_STALE} THEN delivery.next_attempt_at
      WHEN status = 'pending' THEN ended.next_attempt_at END,
    due_at = CASE WHEN ${IS_STALE} THEN due_at WHEN status = 'pending' THEN ended.next_attempt_at END,
    delivered_at = CASE WHEN NOT (${IS_STALE}) AND error_class IS NULL THEN ended_at ELSE delivered_at END,
    last_status_code = ended.status_code,
    last_error = error_class
  FROM ended WHERE delivery.id = delivery_id AND (SELECT count(*) FROM healthy) >= 0
  RETURNING delivery.id, attempts AS number
)
INSERT INTO webhooks.attempt (delivery_id, number, trigger, at, duration_ms, status_code, error_class, response)
SELECT id, number, trigger, at, duration_ms, status_code, error_class, response FROM recorded
JOIN ended ON delivery_id = id`

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
      sorted.map(({ retries }) => retries),
      sorted.map(({ throttledSince }) => throttledSince),
      sorted.map(({ scheduledAt }) => scheduledAt),
      health.map(({ endpointId }) => endpointId),
      health.map(({ succeeded }) => succeeded),
      health.map(({ firstFailure }) => firstFailure),
      health.map(({ concurrencyMax }) => concurrencyMax),
      health.map(({ lastStatusCode }) => lastStatusCode),
      health.map(({ lastError }) => lastError),
      health.map(({ rate }) => rate.throttledBefore),
      health.map(({ rate }) => rate.intervalFactor),
      health.map(({ rate }) => rate.throttledAt),
      health.map(({ rate }) => rate.sendAfter),
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
  /** The status of the last attempt, as the organization sees it. Null after a success. */
  lastStatusCode: number | null
  lastError: string | null
  rate: RateChange
}

/** Combines the attempts of each endpoint in the order in which they ended. Sorted by endpoint. */
export function toHealth(attempts: EndedAttempt[]): Health[] {
  const health = new Map<string, Health>()
  for (const { endpointId, endpoint, outcome, shown } of attempts.toSorted(
    (a, b) => +a.outcome.endedAt - +b.outcome.endedAt,
  )) {
    const before = health.get(endpointId)
    const succeeded = outcome.errorClass === null
    health.set(endpointId, {
      endpointId,
      succeeded: succeeded || (before?.succeeded ?? false),
      firstFailure: succeeded ? null : (before?.firstFailure ?? outcome.endedAt),
      concurrencyMax: concurrencyAfter(outcome),
      lastStatusCode: succeeded ? null : shown.statusCode,
      lastError: succeeded ? null : shown.errorClass,
      rate: addRateChange(before?.rate, toRateChange(endpoint.rate, endpoint.failingSince, outcome)),
    })
  }
  return [...health.values()].toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
}
