/** The body of `POST /v1/webhooks/{id}/replay`. Reference: docs/reference/webhooks.md#replays. */
import { DELIVERY_STATUS } from '@platen/resources/webhook-delivery-schema.ts'
import { z } from 'zod'
import { time } from './time.ts'

const STATUSES_RULE = `must be one of ${DELIVERY_STATUS.options.map((status) => `\`${status}\``).join(', ')}, or an array of them`
const STATUS = z.enum(DELIVERY_STATUS.options, STATUSES_RULE)

export const WEBHOOK_REPLAY_RANGE = z
  .strictObject(
    {
      since: time('must be a time'),
      until: time('must be a time').optional(),
      status: z
        .union([STATUS, z.array(STATUS, STATUSES_RULE).min(1, 'must have at least 1 entry')], STATUSES_RULE)
        .default(['failed', 'missed']),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined) },
  )
  .refine(({ since, until }) => until === undefined || until >= since, {
    path: ['until'],
    error: 'must not be before `since`',
  })
