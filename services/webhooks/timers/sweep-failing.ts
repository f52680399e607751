import { probeUnreachable } from '../delivery/resume.ts'
import { disableFailing } from '../disable-failing.ts'
import { addAlerts, type Severity } from '../failure-alerts/add-alerts.ts'
import type { Webhooks } from '../webhooks.ts'

const HOUR_MS = 3_600_000

/** Duration of failures after which owners get an alert, longest first. Reference: docs/reference/webhooks.md#alerts-by-e-mail. */
const ALERTS: [severity: Severity, afterMs: number][] = [
  ['4 days', 96 * HOUR_MS],
  ['1 day', 24 * HOUR_MS],
  ['1 hour', HOUR_MS],
]

/** An endpoint that has passed several durations since the last sweep gets only the alert of the longest one. */
const ADD_ALERTS = addAlerts(
  `SELECT id AS endpoint_id, failing_since,
     CASE ${ALERTS.map(([severity], n) => `WHEN failing_since <= $${n + 2} THEN '${severity}'`).join(' ')} END AS severity
   FROM webhooks.endpoint WHERE failing_since <= $${ALERTS.length + 1} AND enabled`,
  '$1::timestamptz',
)

/**
 * Disables endpoints that have failed for too long, also those without deliveries, adds alerts for their owners, and finds out whether the
 * others can be reached. Reads only failing endpoints, by `endpoint_failing`.
 */
export async function sweepFailing(
  webhooks: Pick<Webhooks, 'orm' | 'pool' | 'clock' | 'log' | 'disableAfterMs'>,
): Promise<void> {
  await disableFailing(webhooks)
  const { pool, clock } = webhooks
  const now = clock.now()
  await pool.query(ADD_ALERTS, [now, ...ALERTS.map(([, afterMs]) => new Date(now.getTime() - afterMs))])
  await probeUnreachable(webhooks)
}
