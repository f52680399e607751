/** JSON Schema from the gateway's zod schemas. */
import { z } from 'zod'

export interface JsonSchema {
  [keyword: string]: unknown
  $ref?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  description?: string
  enum?: unknown[]
}

/** What zod adds for itself and a reader has no use for. */
function tidy(json: JsonSchema): void {
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.format === 'uuid') delete json.pattern
}

const OPTIONS = {
  // What is sent, before defaults fill it; and objects in answers stay open, so that they can get new fields.
  io: 'input',
  unrepresentable: 'any',
  override: ({ jsonSchema }: { jsonSchema: object }) => tidy(jsonSchema as JsonSchema),
} as const

export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, OPTIONS) as JsonSchema
}

/** Schemas that name one another become references. */
export function toComponents(schemas: Record<string, z.ZodType>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const uri = (id: string) => `#/components/schemas/${id}`
  const { schemas: made } = z.toJSONSchema(registry, { ...OPTIONS, uri })
  return Object.fromEntries(Object.entries(made).map(([id, { $schema, $id, ...schema }]) => [id, schema as JsonSchema]))
}
