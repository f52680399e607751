/**
 * SQL: the assignments of a replay. The schedule restarts immediately. Earlier publications become invalid.
 *
 * @param now an SQL time.
 * @param ordinal an SQL number, by which the deliveries of one replay are due in their order, a microsecond apart.
 */
export const setReplayed = (now: string, ordinal = '0') => `
status = 'pending', trigger = 'replay', retries = 0, throttled_since = NULL, scheduled_at = NULL, publications = publications + 1, delivered_at = NULL,
next_attempt_at = ${now} + ${ordinal} * interval '1 microsecond', due_at = ${now} + ${ordinal} * interval '1 microsecond'`

/**
 * SQL: whether a delivery can be replayed. A pending delivery whose attempt is due or in progress is excluded, because
 * a replay would duplicate that attempt. A delivery without a body is excluded, too.
 */
export const canReplay = (now: string) => `
NOT (delivery.status = 'pending' AND delivery.next_attempt_at <= ${now})
AND (delivery.example IS NOT NULL OR EXISTS (SELECT FROM webhooks.event WHERE event.id = delivery.event_id))`

/**
 * SQL: the endpoint of $1, $2 and $3 if it is enabled. The lock makes a concurrent `disableEndpoint` wait, which then
 * finds the deliveries that became pending.
 */
export const ENABLED_ENDPOINT = `
SELECT id FROM webhooks.endpoint WHERE id = $1 AND organization_id = $2 AND mode = $3 AND enabled FOR SHARE`
