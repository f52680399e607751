import { webhookEndpointsFailing, webhookOldestDue } from '@platen/runtime/telemetry/metrics.ts'
import { CONCURRENCY_SLOW } from '../delivery/concurrency.ts'
import { WAITING } from '../delivery/take-due.ts'
import type { Webhooks } from '../webhooks.ts'

/** Deliveries to slow, unreachable and throttling endpoints wait by design, so they are left out. */
const MEASURE = `
WITH RECURSIVE ${WAITING}
SELECT
  (SELECT extract(epoch FROM $1 - min(due_at))::float8 FROM waiting JOIN webhooks.endpoint ON endpoint.id = endpoint_id
   WHERE concurrency > ${CONCURRENCY_SLOW} AND send_interval_ms IS NULL) AS oldest_due_seconds,
  (SELECT count(*)::int FROM webhooks.endpoint WHERE failing_since IS NOT NULL AND enabled) AS failing`

/** Every replica reports the same values. */
export async function measureWebhooks({ pool, clock }: Pick<Webhooks, 'pool' | 'clock'>): Promise<void> {
  const { rows } = await pool.query<{ oldest_due_seconds: number | null; failing: number }>({
    name: 'measure webhooks',
    text: MEASURE,
    values: [clock.now()],
  })
  webhookOldestDue.set(Math.max(0, rows[0]?.oldest_due_seconds ?? 0), {})
  webhookEndpointsFailing.set(rows[0]?.failing ?? 0, {})
}
