import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ReplayDeliveriesRequest } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { endpointDisabled, findEndpoint } from '../find-endpoint.ts'
import { findGaps } from '../gaps.ts'
import { canReplay, ENABLED_ENDPOINT, setReplayed } from '../replay.ts'
import type { Webhooks } from '../webhooks.ts'

const STATUSES_DEFAULT = ['failed', 'missed']

/** Per statement, which takes about 100 ms and blocks other changes of these deliveries. */
const BATCH = 1_000

/**
 * Finds the oldest deliveries of the range after the previous batch by an index-only scan of `delivery_page`. The
 * update repeats the conditions, because an attempt may have ended in between. Locks in the order of ids, as the
 * recording of attempts does.
 */
const REPLAY_BATCH = `
WITH enabled AS (${ENABLED_ENDPOINT}),
found AS MATERIALIZED (
  SELECT id, commit_seq, row_number() OVER (ORDER BY commit_seq, id) AS ordinal FROM (
    SELECT id, commit_seq FROM webhooks.delivery
    WHERE endpoint_id = $1 AND EXISTS (SELECT FROM enabled) AND (commit_seq, id) > ($4::bigint, $5::uuid)
      AND status = ANY ($6::text[]) AND created_at >= $7 AND created_at < $8
    ORDER BY commit_seq, id LIMIT ${BATCH}
  ) AS in_range
), replayed AS (
  UPDATE webhooks.delivery SET ${setReplayed('$9::timestamptz', '($10 + ordinal)')}
  FROM (SELECT id, ordinal FROM found ORDER BY id) AS by_id
  WHERE delivery.id = by_id.id AND delivery.status = ANY ($6) AND ${canReplay('$9::timestamptz')}
  RETURNING delivery.id
)
SELECT EXISTS (SELECT FROM enabled) AS enabled,
  (SELECT count(*)::int FROM replayed) AS replayed,
  (
    SELECT jsonb_build_object('commit_seq', commit_seq::text, 'id', id) FROM found ORDER BY ordinal DESC LIMIT 1
  ) AS last`

interface Batch {
  enabled: boolean
  replayed: number
  /** Null at the end of the range. */
  last: { commit_seq: string; id: string } | null
}

/**
 * Makes the deliveries of a time range pending, oldest first, in batches. An interrupted call has replayed the older
 * ones; with the default statuses, a repeated call continues with the others. Deliveries whose event was deleted after
 * its retention time are omitted.
 *
 * @returns also the times of the range without deliveries.
 * @throws ApiError `invalid_request`; `not_found`; `endpoint_disabled`, also if it is disabled during the call.
 */
export async function replayDeliveries(webhooks: Webhooks, request: ReplayDeliveriesRequest) {
  const { endpointId, organizationId, mode, since, until, statuses } = request
  if (!since) throw new ApiError('invalid_request', '`since` is missing.')
  await findEndpoint(webhooks.orm.em.fork(), request)
  const now = webhooks.clock.now()
  const replayedStatuses = statuses.length > 0 ? statuses : STATUSES_DEFAULT
  const before = until ? timestampDate(until) : new Date(now.getTime() + 1)
  const from = timestampDate(since)
  const range = [replayedStatuses, from, before, now]
  let count = 0
  let last: Batch['last'] = { commit_seq: '-1', id: '00000000-0000-0000-0000-000000000000' }
  while (last) {
    const values: unknown[] = [endpointId, organizationId, mode, last.commit_seq, last.id, ...range, count]
    const { rows } = await webhooks.pool.query<Batch>(REPLAY_BATCH, values)
    const [batch] = rows
    if (!batch?.enabled) throw endpointDisabled()
    count += batch.replayed
    last = batch.last
    if (batch.replayed > 0) webhooks.deliveriesAdded([endpointId])
  }
  const gaps = await findGaps(webhooks, endpointId, from, before)
  return {
    replayed: count,
    gaps: gaps.map((gap) => ({ since: timestampFromDate(gap.since), until: timestampFromDate(gap.until) })),
  }
}
