/** Fields in the bodies of several operations on webhook endpoints. Reference: docs/reference/webhooks.md#creation. */
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { URL_LENGTH_MAX, WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { quoted } from '../../request/invalid-request.ts'

/** Checks only the length. The webhooks service checks the URL itself. */
export const WEBHOOK_URL = shortText(URL_LENGTH_MAX)

export const EVENT_TYPE = z.enum(EVENT_TYPES, {
  error: ({ input }) =>
    typeof input === 'string'
      ? `unknown event type ${quoted(input)}. See \`GET /v1/event-types\``
      : 'must be an event type of `GET /v1/event-types`',
})

export const WEBHOOK_EVENTS = z
  .array(EVENT_TYPE, 'must be an array')
  .min(1, 'must have at least 1 entry')
  .refine((types) => new Set(types).size === types.length, 'must not contain a type twice')
  .meta({ uniqueItems: true })

export const WEBHOOK_DESCRIPTION = shortText(WEBHOOK_LIMITS.descriptionLengthMax, 0).nullish()
