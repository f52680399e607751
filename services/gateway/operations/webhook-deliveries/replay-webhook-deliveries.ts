import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { timestamp } from '@platen/resources/fields.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { DELIVERY_STATUS } from '@platen/resources/webhook-delivery-schema.ts'
import { z } from 'zod'
import { LARGE, operation } from '../../operation/operation.ts'
import { oneOrMore } from '../../request/any-of.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { time } from '../../request/time.ts'

/** A replay of a million deliveries is faster. */
const TIMEOUT_MS = 120_000

const STATUSES_RULE = `must be one of ${DELIVERY_STATUS.options.map((status) => `\`${status}\``).join(', ')}, or an array of them`

const WEBHOOK_REPLAY_RANGE = jsonBody({
  since: time().meta({
    description: 'Only deliveries that were created at or after this time.',
    example: '2026-03-02T09:00:00.000Z',
  }),
  until: time().optional().meta({
    description: 'Only deliveries that were created before this time.',
    example: '2026-03-02T10:00:00.000Z',
  }),
  status: oneOrMore(
    DELIVERY_STATUS,
    z.array(DELIVERY_STATUS, STATUSES_RULE).min(1, 'must have at least 1 entry'),
    STATUSES_RULE,
  )
    .default(['failed', 'missed'])
    .meta({ description: 'Only deliveries in this status, or in one of these.', example: ['failed', 'missed'] }),
})
  .refine(({ since, until }) => until === undefined || until >= since, {
    path: ['until'],
    error: 'must not be before `since`',
  })
  .meta({ id: 'WebhookReplayRange', description: 'The deliveries to replay.' })

const WEBHOOK_REPLAY = z
  .object({
    replayed: z.int().meta({ description: 'The number of deliveries that are pending again.', example: 42 }),
    gaps: z
      .array(
        z
          .object({
            since: timestamp().meta({ description: 'The begin.', example: '2026-03-02T09:00:00.000Z' }),
            until: timestamp().meta({ description: 'The end.', example: '2026-03-02T09:30:00.000Z' }),
          })
          .meta({ id: 'WebhookGap', description: 'A time without deliveries.' }),
      )
      .meta({
        description:
          'The times of the range without deliveries, because a user had disabled the endpoint for more than 5 days. Oldest first. `GET /v1/events` lists their events.',
      }),
  })
  .meta({ id: 'WebhookReplay', description: 'The result of the replay of a range.' })

export const replayWebhookDeliveries = operation({
  operationId: 'replayWebhookDeliveries',
  method: 'post',
  path: '/v1/webhooks/{id}/replay',
  ids: { id: 'webhook endpoint' },
  scope: 'admin',
  tag: 'Webhooks',
  summary: 'Replay the deliveries of a range of time',
  description:
    'Replays, oldest first, the deliveries that were created at or after `since` and before `until`. The default of `status` selects failed and missed ones. Repeat the request if its response is lost; deliveries that are already pending do not change. `gaps` lists the times of the range whose events have no deliveries.',
  body: WEBHOOK_REPLAY_RANGE,
  units: LARGE,
  answer: {
    status: 202,
    description: 'The number of replayed deliveries, and the times without any.',
    schema: WEBHOOK_REPLAY,
  },
  errors: ['endpoint_disabled'],
  handle:
    ({ deliveries }) =>
    async ({ tenant, ids, body: { since, until, status } }) => {
      const { replayed, gaps } = await deliveries.replayDeliveries(
        {
          ...tenant,
          endpointId: ids.id,
          since: timestampFromDate(since),
          until: until && timestampFromDate(until),
          statuses: [...new Set([status].flat())],
        },
        { timeoutMs: TIMEOUT_MS },
      )
      return {
        replayed,
        gaps: gaps.map(({ since, until }) => ({ since: timestampToJson(since), until: timestampToJson(until) })),
      }
    },
})
