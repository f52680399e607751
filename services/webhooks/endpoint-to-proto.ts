/** The only mapping of endpoints to proto. It omits the secrets. */
import { EndpointSchema } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import type { Endpoint } from './entities.ts'
import type { Webhooks } from './webhooks.ts'

/** One entry of `delivery_pending` for each endpoint. */
const NEXT_ATTEMPTS_SQL = `
SELECT endpoint_id AS id, next_attempt_at AS "nextAttemptAt" FROM unnest($1::uuid[]) AS failing (endpoint_id), LATERAL (
  SELECT next_attempt_at FROM webhooks.delivery WHERE delivery.endpoint_id = failing.endpoint_id AND status = 'pending'
  ORDER BY due_at LIMIT 1
) AS next`

/** Endpoints that fail have the time of their next attempt. */
export async function showEndpoints({ pool }: Pick<Webhooks, 'pool'>, endpoints: Endpoint[]) {
  const failing = endpoints.filter(({ failingSince }) => failingSince !== null).map(({ id }) => id)
  const { rows } = failing.length
    ? await pool.query<{ id: string; nextAttemptAt: Date }>(NEXT_ATTEMPTS_SQL, [failing])
    : { rows: [] }
  const nextAttempts = new Map(rows.map(({ id, nextAttemptAt }) => [id, nextAttemptAt]))
  return endpoints.map((endpoint) => endpointToProto(endpoint, nextAttempts.get(endpoint.id)))
}

export const showEndpoint = async (webhooks: Pick<Webhooks, 'pool'>, endpoint: Endpoint) =>
  (await showEndpoints(webhooks, [endpoint]))[0]

const endpointToProto = (endpoint: Endpoint, nextAttemptAt: Date | undefined) =>
  rowToMessage(EndpointSchema, { ...endpoint, nextAttemptAt })
