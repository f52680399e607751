/**
 * Attempts deliveries before their schedule: one while their endpoint is not reached, which finds out when it answers
 * again, and all that wait when it does. Such an attempt uses no step of the schedule (`schedule.ts`). The times
 * between the attempts of a delivery grow with its age, so that the number of attempts grows with its logarithm.
 */
import type { Webhooks } from '../webhooks.ts'
import type { EndedAttempt } from './record-outcomes.ts'

/** At a time. Other deliveries wait for their schedule. */
const RESUMED_MAX = 5_000
/**
 * The n-th delivery follows after this time, multiplied by the square root of n: 16 in the first second, 100 in 2.5 s,
 * 5,000 in 18 s.
 */
const RAMP_MS = 250
/** The part of its age that a delivery waits at least after its last attempt. */
const AGE_PART = 4
/** Between two attempts of a delivery to an endpoint that is not reached. */
const PROBE_GAP_MS = 10_000

/** SQL: the earliest time of the next attempt of the delivery `waiting` whose last attempt is `last`. */
const earliest = (now: string, gapMs: string) => `
  last.at + last.duration_ms * interval '1 millisecond'
    + greatest(${gapMs} * interval '1 millisecond', (${now} - waiting.created_at) / ${AGE_PART})`

/** SQL: columns of the delivery. */
const WAITING = 'id, attempts, created_at, due_at, next_attempt_at'

/** SQL: the delivery waits for a retry. A leased delivery has another `due_at`. */
const isWaiting = (now: string) => `due_at > ${now} AND due_at = next_attempt_at`

const JOIN_LAST = 'JOIN webhooks.attempt AS last ON delivery_id = waiting.id AND number = waiting.attempts'

const setEarlier = (time: string) => `
UPDATE webhooks.delivery SET
  scheduled_at = coalesce(scheduled_at, delivery.next_attempt_at), next_attempt_at = ${time}, due_at = ${time}`

/** The statement uses `delivery_pending` and the primary key of the attempts. Skips locked deliveries. */
const RESUME_SQL = `
WITH waiting AS MATERIALIZED (
  SELECT ${WAITING} FROM webhooks.delivery
  WHERE endpoint_id = $1 AND status = 'pending' AND ${isWaiting('$2::timestamptz')}
  ORDER BY due_at LIMIT ${RESUMED_MAX} FOR UPDATE SKIP LOCKED
), early AS (
  SELECT waiting.id, greatest(${earliest('$2', '$3::float8')},
    $2 + sqrt(row_number() OVER (ORDER BY due_at)) * ${RAMP_MS} * interval '1 millisecond') AS at
  FROM waiting ${JOIN_LAST}
)
${setEarlier('early.at')} FROM early WHERE delivery.id = early.id AND early.at < delivery.next_attempt_at`

/**
 * @param attempts ended and recorded. Retries of an endpoint that has failed for less than the first gap follow soon by
 *   themselves.
 */
export async function resumeRetries(
  { pool, clock }: Pick<Webhooks, 'pool' | 'clock'>,
  attempts: EndedAttempt[],
  retryGapsMs: readonly number[],
): Promise<void> {
  const gapMs = retryGapsMs[0] ?? 0
  const recovered = attempts.filter(({ outcome, endpoint: { failingSince } }) => {
    const failedMs = failingSince ? outcome.endedAt.getTime() - failingSince.getTime() : 0
    return outcome.errorClass === null && failedMs >= gapMs && failedMs > 0
  })
  for (const endpointId of new Set(recovered.map((attempt) => attempt.endpointId)))
    await pool.query({ name: 'resume retries', text: RESUME_SQL, values: [endpointId, clock.now(), gapMs] })
}

/**
 * The statement uses `endpoint_failing`, one entry of `delivery_pending` for each endpoint, and the primary key of the
 * attempts.
 */
const PROBE_SQL = `
WITH waiting AS MATERIALIZED (
  SELECT next.* FROM webhooks.endpoint, LATERAL (
    SELECT ${WAITING} FROM webhooks.delivery WHERE endpoint_id = endpoint.id AND status = 'pending'
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
  ) AS next
  WHERE failing_since IS NOT NULL AND enabled AND ${isWaiting('$1::timestamptz')}
    AND (last_error IN ('timeout', 'dns', 'connect', 'tls') OR last_status_code IN (502, 503, 504))
)
${setEarlier('$1')} FROM waiting ${JOIN_LAST}
WHERE delivery.id = waiting.id AND ${earliest('$1', `${PROBE_GAP_MS}`)} <= $1`

/** Makes the first waiting delivery due to each endpoint that was not reached at the last attempt. */
export async function probeUnreachable({ pool, clock }: Pick<Webhooks, 'pool' | 'clock'>): Promise<void> {
  await pool.query({ name: 'probe endpoints', text: PROBE_SQL, values: [clock.now()] })
}
