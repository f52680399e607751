/**
 * The document in the forms of JSON Schema that all common generators of clients support. zod-openapi cannot be asked
 * for them. `npm run check` refuses the other forms.
 */
import { type JsonSchema, tidy } from '../json-schema.ts'

export function toPortableForms<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? rewrite(value) : value,
  )
}

const SIMPLE_TYPES = new Set<unknown>(['string', 'integer', 'number', 'boolean', 'array'])

function rewrite(schema: JsonSchema): JsonSchema {
  tidy(schema)
  // Later releases can add values: docs/reference/compatibility.md#compatibility.enums.
  if (Array.isArray(schema.enum)) schema['x-extensible-enum'] = schema.enum
  const { acceptsNull, ...keywords } = schema
  if (acceptsNull) {
    const { description: _, default: __, example: ___, ...values } = keywords
    for (const name of Object.keys(values)) delete keywords[name]
    return rewrite({ ...keywords, anyOf: [values, { type: 'null' }] })
  }
  const { anyOf: [one, none, ...more] = [], ...others } = keywords
  if (one && none?.type === 'null' && more.length === 0 && SIMPLE_TYPES.has(one.type) && !one.enum)
    return { ...one, ...others, type: [one.type, 'null'] }
  const { $ref, ...siblings } = keywords
  if ($ref === undefined || Object.keys(siblings).length === 0) return keywords
  return { ...siblings, allOf: [{ $ref }] }
}
