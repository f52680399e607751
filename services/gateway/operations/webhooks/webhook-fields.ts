/** Fields in the bodies of several operations on webhook endpoints. Reference: docs/reference/webhooks.md#creation. */
import { EVENT_TYPE } from '@platen/resources/event-types.ts'
import { URL_LENGTH_MAX, WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'

/** Checks only the length. The webhooks service checks the URL itself. */
export const WEBHOOK_URL = shortText(URL_LENGTH_MAX).meta({ pattern: '^https?://' })

export const WEBHOOK_EVENTS = z
  .array(EVENT_TYPE, 'must be an array')
  .min(1, 'must have at least 1 entry')
  .refine((types) => new Set(types).size === types.length, 'must not contain a type twice')
  .meta({ uniqueItems: true })

export const WEBHOOK_DESCRIPTION = shortText(WEBHOOK_LIMITS.descriptionLengthMax, 0).nullish()
