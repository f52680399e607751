import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { ReplayDeliveriesRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { endpointDisabled, findEndpoint } from '../find-endpoint.ts'
import { canReplay, ENABLED_ENDPOINT, replayed } from '../replay.ts'
import type { Webhooks } from '../webhooks.ts'

/** What did not arrive. */
const STATUSES_DEFAULT = ['failed', 'missed']

/** Of one statement, which then takes some 100 ms. Nobody who wants one of its deliveries waits longer. */
const BATCH = 1_000

/**
 * Finds the oldest of the range behind the last batch by `delivery_page`, without their rows, and judges them again as it changes them: an
 * attempt may have ended in between. Locks in the order of ids, as those do who record attempts.
 */
const REPLAY_BATCH = `
WITH enabled AS (${ENABLED_ENDPOINT}),
found AS MATERIALIZED (
  SELECT id, list_place, row_number() OVER (ORDER BY list_place, id) AS ordinal FROM (
    SELECT id, list_place FROM webhooks.delivery
    WHERE endpoint_id = $1 AND EXISTS (SELECT FROM enabled) AND (list_place, id) > ($4::bigint, $5::uuid)
      AND status = ANY ($6::text[]) AND created_at >= $7 AND created_at < $8
    ORDER BY list_place, id LIMIT ${BATCH}
  ) AS in_range
), replayed AS (
  UPDATE webhooks.delivery SET ${replayed('$9::timestamptz', '($10 + ordinal)')}
  FROM (SELECT id, ordinal FROM found ORDER BY id) AS by_id
  WHERE delivery.id = by_id.id AND delivery.status = ANY ($6) AND ${canReplay('$9::timestamptz')}
  RETURNING delivery.id
)
SELECT EXISTS (SELECT FROM enabled) AS enabled,
  (SELECT count(*)::int FROM replayed) AS replayed,
  (SELECT jsonb_build_object('place', list_place::text, 'id', id) FROM found ORDER BY ordinal DESC LIMIT 1) AS last`

interface Batch {
  enabled: boolean
  replayed: number
  /** Null when there was nothing more in the range. */
  last: { place: string; id: string } | null
}

/**
 * Makes the deliveries of a range of time pending, oldest first, by as many statements as it takes. One that is interrupted has replayed
 * the older ones; the same request again goes on with the others, by the default statuses. Deliveries whose event is no longer kept are
 * left out.
 *
 * @throws ApiError `invalid_request`; `not_found`; `endpoint_disabled`, also when it becomes so meanwhile.
 */
export async function replayDeliveries(webhooks: Webhooks, request: ReplayDeliveriesRequest) {
  const { endpointId, organizationId, mode, since, until, statuses } = request
  if (!since) throw new ApiError('invalid_request', '`since` is missing.')
  await findEndpoint(webhooks.orm.em.fork(), request)
  const now = webhooks.clock.now()
  const wanted = statuses.length > 0 ? statuses : STATUSES_DEFAULT
  const before = until ? timestampDate(until) : new Date(now.getTime() + 1)
  const range = [wanted, timestampDate(since), before, now]
  let count = 0
  let last: Batch['last'] = { place: '-1', id: '00000000-0000-0000-0000-000000000000' }
  while (last) {
    const values: unknown[] = [endpointId, organizationId, mode, last.place, last.id, ...range, count]
    const { rows } = await webhooks.pool.query<Batch>(REPLAY_BATCH, values)
    const [batch] = rows
    if (!batch?.enabled) throw endpointDisabled()
    count += batch.replayed
    last = batch.last
    if (batch.replayed > 0) webhooks.deliveriesAdded([endpointId])
  }
  return { replayed: count }
}
