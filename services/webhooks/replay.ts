/**
 * SQL: what a replay is. The whole schedule begins anew, at once; what was published before counts no more.
 *
 * @param now an SQL time.
 * @param ordinal an SQL number: deliveries fall due in the order in which they were found, a microsecond apart.
 */
export const replayed = (now: string, ordinal = '0') => `
status = 'pending', trigger = 'replay', retries = 0, publications = publications + 1, delivered_at = NULL,
next_attempt_at = ${now} + ${ordinal} * interval '1 microsecond', due_at = ${now} + ${ordinal} * interval '1 microsecond'`

/**
 * SQL: a pending delivery whose attempt is due already, or under way, stays as it is: a second attempt beside it would only be the same
 * twice. And what is to be sent must still be there.
 */
export const canReplay = (now: string) => `
NOT (delivery.status = 'pending' AND delivery.next_attempt_at <= ${now})
AND (delivery.example IS NOT NULL OR EXISTS (SELECT FROM webhooks.event WHERE event.id = delivery.event_id))`

/**
 * SQL: the endpoint of $1, $2 and $3, if it is enabled. Who disables it waits, and then finds what is made pending here; who has disabled it
 * meanwhile is seen.
 */
export const ENABLED_ENDPOINT = `
SELECT id FROM webhooks.endpoint WHERE id = $1 AND organization_id = $2 AND mode = $3 AND enabled FOR SHARE`
