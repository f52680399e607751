/** JSON Schema from the gateway's zod schemas. */
import { z } from 'zod'

export interface JsonSchema {
  [keyword: string]: unknown
  $ref?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  description?: string
  enum?: unknown[]
  'x-extensible-enum'?: unknown[]
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
}

/**
 * Removes keywords that zod adds and readers do not need, and writes tuples as arrays of a fixed length, which more
 * programs understand.
 *
 * @param schema is changed.
 */
export function tidy(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) {
    delete schema.minimum
    delete schema.maximum
  }
  if (schema.format === 'uuid' || schema.format === 'date-time') delete schema.pattern
  if (schema.prefixItems) {
    // All items of our tuples have the same type.
    schema.items = schema.prefixItems[0]
    delete schema.prefixItems
  }
  delete schema.propertyNames
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
