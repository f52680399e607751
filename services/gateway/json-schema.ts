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

/** Removes keywords that zod adds and readers do not need. @param schema is changed. */
export function tidy(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'uuid') delete schema.pattern
}

/** The metadata of a schema without its name, which would make it a reference. */
const UNNAMED = {
  get(schema: z.ZodType) {
    const { id: _, example: __, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
}

/** One schema without references. Objects stay open, so that they can get new fields. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    metadata: UNNAMED as unknown as typeof z.globalRegistry,
    override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
  }) as JsonSchema
}
