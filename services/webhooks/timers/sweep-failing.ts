import { disableFailing } from '../disable-failing.ts'
import { addNotices } from '../notices/add-notices.ts'
import type { Webhooks } from '../webhooks.ts'

const HOUR_MS = 3_600_000

/** Time of failures after which owners get an alert. Reference: docs/reference/webhooks.md#alerts-by-e-mail. */
const STAGES = [
  { stage: '4 days', afterMs: 96 * HOUR_MS },
  { stage: '1 day', afterMs: 24 * HOUR_MS },
  { stage: '1 hour', afterMs: HOUR_MS },
] as const

/** Of the stages that an endpoint has passed the last: who was not there for the others needs this one alone. */
const TELL_OWNERS = addNotices(
  `SELECT id AS endpoint_id, failing_since,
     CASE WHEN failing_since <= $2 THEN '${STAGES[0].stage}' WHEN failing_since <= $3 THEN '${STAGES[1].stage}'
          ELSE '${STAGES[2].stage}' END AS stage
   FROM webhooks.endpoint WHERE failing_since <= $4 AND enabled`,
  '$1::timestamptz',
)

/**
 * Disables endpoints that have failed for too long, also those to which nothing is sent, and notes whose owners are to be told. Reads the
 * endpoints that are failing, by `endpoint_failing`, and no others.
 */
export async function sweepFailing(
  webhooks: Pick<Webhooks, 'orm' | 'pool' | 'clock' | 'log' | 'disableAfterMs'>,
): Promise<void> {
  await disableFailing(webhooks)
  const { pool, clock } = webhooks
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await pool.query(TELL_OWNERS, [now, ...STAGES.map(({ afterMs }) => before(afterMs))])
}
