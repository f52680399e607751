import { exampleEvent } from '@platen/resources/event-examples.ts'
import { EVENT_MEANINGS, EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import type { RouteStep } from '../context.ts'
import { toJsonSchema } from '../openapi/json-schema.ts'

/** The same for everybody, and changes with a release alone. */
export function listEventTypes(): RouteStep {
  const data = [...EVENT_SCHEMAS].map(([type, schema]) => ({
    type,
    description: EVENT_MEANINGS[type],
    schema: toJsonSchema(schema),
    example: exampleEvent(type, 'live'),
  }))
  return (ctx) => {
    ctx.body = { data }
  }
}
