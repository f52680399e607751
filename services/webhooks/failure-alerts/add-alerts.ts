/** In ascending order: after an hour, a day and 4 days of failures, and when the endpoint is disabled. Values of `failure_alert.severity`. */
export const SEVERITIES = ['1 hour', '1 day', '4 days', 'disabled'] as const

export type Severity = (typeof SEVERITIES)[number]

const RANKED = `ARRAY[${SEVERITIES.map((severity) => `'${severity}'`).join(', ')}]`

/**
 * SQL that adds alerts in the transaction of their cause. A run of failures has one alert of each severity and none below an earlier one,
 * also when the clocks of two replicas differ.
 *
 * @param endpoints SQL that selects `endpoint_id`, `severity` and `failing_since`. @param now an SQL time.
 */
export const addAlerts = (endpoints: string, now: string) => `
INSERT INTO webhooks.failure_alert (endpoint_id, id, severity, failing_since, created_at, due_at)
SELECT endpoint_id, uuidv7(), severity, failing_since, ${now}, ${now} FROM (${endpoints}) AS found
ON CONFLICT (endpoint_id) DO UPDATE SET
  (id, severity, failing_since, created_at, due_at, tries, notified) =
  (excluded.id, excluded.severity, excluded.failing_since, excluded.created_at, excluded.due_at, 0, '{}')
WHERE failure_alert.failing_since <> excluded.failing_since
  OR array_position(${RANKED}, failure_alert.severity) < array_position(${RANKED}, excluded.severity)`
