/** `POST /v1/webhooks/{id}/replay`. Source: decisions, "Webhooks and events". */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { pathId } from '../request/path-id.ts'
import { readJson } from '../request/read-json.ts'
import { WEBHOOK_REPLAY_RANGE } from '../request/webhook-replay.ts'

/** A range of a million deliveries takes less. */
const ANSWER_WITHIN_MS = 120_000

export function replayWebhookDeliveries({ deliveries }: Gateway): RouteStep {
  return async (ctx) => {
    const { since, until, status } = await readJson(ctx, WEBHOOK_REPLAY_RANGE)
    const { replayed } = await deliveries.replayDeliveries(
      {
        ...tenantOf(ctx),
        endpointId: pathId(ctx, 'webhook endpoint'),
        since: timestampFromDate(since),
        until: until && timestampFromDate(until),
        statuses: [...new Set([status].flat())],
      },
      { timeoutMs: ANSWER_WITHIN_MS },
    )
    ctx.status = 202
    ctx.body = { replayed }
  }
}
