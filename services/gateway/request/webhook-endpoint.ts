/** The bodies of operations on webhook endpoints. Reference: docs/reference/webhooks.md#creation. */
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { integer } from './integer.ts'

const object = { error: (issue: { code: string }) => (issue.code === 'invalid_type' ? NO_OBJECT : undefined) }
const NO_OBJECT = 'The body must be a JSON object'

/** Only how long it is: what it leads to is judged by the service that delivers to it. */
const url = shortText(2048)

const eventType = z.enum(EVENT_TYPES, 'must be a type of events, as `GET /v1/event-types` lists them')

const events = z
  .array(eventType, 'must be an array')
  .min(1, 'must have at least 1 entry')
  .refine((types) => new Set(types).size === types.length, 'must not have a type twice')
  .meta({ uniqueItems: true })

const description = shortText(256, 0).nullish()

export const NEW_WEBHOOK = z.strictObject({ url, events, description }, object)

export const WEBHOOK_CHANGES = z.strictObject(
  {
    url: url.optional(),
    events: events.optional(),
    description,
    enabled: z.boolean('must be true or false').optional(),
  },
  object,
)

export const SECRET_ROTATION = z.strictObject({ graceSeconds: integer(0, 604_800).default(86_400) }, object)

export const WEBHOOK_TEST = z.strictObject({ type: eventType.optional() }, object)
