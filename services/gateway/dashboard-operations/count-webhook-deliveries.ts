import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { timestamp } from '@platen/resources/fields.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { LARGE, operation } from '../operation/operation.ts'
import { time } from '../request/time.ts'

const FIGURES = z
  .object({
    /** Oldest first. An interval without a delivery is missing. */
    data: z.array(
      z.object({
        start: timestamp(),
        pending: z.int(),
        succeeded: z.int(),
        failed: z.int(),
        missed: z.int(),
      }),
    ),
    /** Later than `since` if older deliveries are not counted. */
    completeSince: timestamp(),
  })
  .meta({ id: 'DeliveryFigures' })

export const countWebhookDeliveries = operation({
  operationId: 'countWebhookDeliveries',
  method: 'get',
  path: '/account/webhooks/{id}/figures',
  ids: { id: 'webhook endpoint' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'Count the deliveries of an endpoint',
  description: 'The numbers of deliveries by the hour or day of their creation, in UTC, and their present status.',
  query: z.strictObject({
    interval: z.enum(['hour', 'day'], 'must be `hour` or `day`'),
    since: time(),
  }),
  units: LARGE,
  answer: { status: 200, description: 'The numbers.', schema: FIGURES },
  handle:
    ({ deliveries }) =>
    async ({ tenant, ids, query }) => {
      const { interval, since } = query.filters
      const { entries, completeSince } = await deliveries.countDeliveries({
        ...tenant,
        endpointId: ids.id,
        interval,
        since: timestampFromDate(since),
      })
      return {
        data: entries.map(({ start, pending, succeeded, failed, missed }) => ({
          start: timestampToJson(start),
          ...{ pending, succeeded, failed, missed },
        })),
        completeSince: timestampToJson(completeSince),
      }
    },
})
