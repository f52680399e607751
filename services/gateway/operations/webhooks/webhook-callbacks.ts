/**
 * The requests to webhook endpoints, as callbacks of their creation: generators of clients make operations of the
 * section `webhooks`, and some of these do not compile. Reference: docs/reference/webhooks.md#delivery.
 */
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_MEANINGS, EVENT_SCHEMAS, eventSchemaName } from '@platen/resources/event-schema.ts'
import type { EventType } from '@platen/resources/event-types.ts'
import type { z } from 'zod'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const },
  example,
})

/** Standard Webhooks. */
const HEADERS = [
  header(
    'webhook-id',
    'The id of the event, the same in each attempt. Use it to ignore repetitions.',
    '019a5c21-3b7b-7a10-8c3d-0e1f2a3b4c07',
  ),
  header('webhook-timestamp', 'The time of this attempt, in seconds since 1970.', '1772443806'),
  header(
    'webhook-signature',
    'Signatures of id, timestamp and body, one for each valid secret of the endpoint, separated by spaces: `v1,` and base64 of HMAC-SHA256.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/** URL in the body of the creation (https://spec.openapis.org/oas/v3.1.1.html#runtime-expressions). */
const URL_OF_ENDPOINT = '{$request.body#/url}'

export const WEBHOOK_CALLBACKS = Object.fromEntries(
  [...EVENT_SCHEMAS].map(([type, schema]) => [type, { [URL_OF_ENDPOINT]: { post: describe(type, schema) } }]),
)

function describe(type: EventType, schema: z.ZodType) {
  return {
    operationId: `on${eventSchemaName(type)}`,
    summary: type,
    description: EVENT_MEANINGS[type],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleEvent(type, 'live') } },
    },
    responses: {
      '2XX': { description: 'The event is delivered.' },
      '4XX': { description: 'The attempt has failed, as with any response that is not 2xx, also a redirect.' },
    },
  }
}
