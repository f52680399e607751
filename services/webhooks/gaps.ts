/**
 * The times without deliveries of an endpoint. While a user has disabled it, its events become `missed` deliveries for
 * some days and then none, so that an endpoint that is never enabled again stores nothing. Reference:
 * docs/reference/webhooks.md#failing-webhook-endpoints.
 */
import type { EntityManager } from '@mikro-orm/postgresql'
import { WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import type { Webhooks } from './webhooks.ts'

const KEPT = `interval '${WEBHOOK_LIMITS.pauseKeptHours} hours'`

/**
 * SQL: whether an event of this time becomes a delivery of the endpoint, also a `missed` one.
 *
 * @param now an SQL time.
 */
export const keepsEvents = (now: string) =>
  `(enabled OR disabled_reason = 'failures' OR disabled_at > ${now} - ${KEPT})`

/**
 * Forgets the time before the retention of events. A range without a begin is that of an endpoint without
 * `disabled_at`.
 */
const ADD_GAP = `
UPDATE webhooks.endpoint
SET gaps = (gaps + tstzmultirange(tstzrange(disabled_at + ${KEPT}, ?::timestamptz)))
  * tstzmultirange(tstzrange(?::timestamptz, NULL))
WHERE id = ? AND disabled_reason = 'user' AND (disabled_at IS NULL OR disabled_at + ${KEPT} < ?::timestamptz)`

/** Called before a disabled endpoint is enabled, in its transaction. */
export async function addGap(
  em: EntityManager,
  { clock, eventRetentionMs }: Pick<Webhooks, 'clock' | 'eventRetentionMs'>,
  endpointId: string,
): Promise<void> {
  const now = clock.now()
  await em.execute(ADD_GAP, [now, new Date(now.getTime() - eventRetentionMs), endpointId, now])
}

const FIND_GAPS = `
SELECT lower(gap) AS since, upper(gap) AS until
FROM webhooks.endpoint, unnest(gaps * tstzmultirange(tstzrange($2::timestamptz, GREATEST($2, $3::timestamptz)))) AS gap
WHERE endpoint.id = $1`

export interface Gap {
  since: Date
  until: Date
}

/** @returns the gaps within the range of time, the oldest first. */
export async function findGaps(
  { pool }: Pick<Webhooks, 'pool'>,
  endpointId: string,
  since: Date,
  until: Date,
): Promise<Gap[]> {
  const { rows } = await pool.query<Gap>(FIND_GAPS, [endpointId, since, until])
  return rows
}
