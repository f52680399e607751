import { z } from 'zod'

/**
 * The schema of a body: an object without unknown fields. Null in a field that may be left out is the same as leaving it out, because clients
 * that are generated from the OpenAPI document send it. Fields in which null has a meaning of its own accept it themselves.
 */
export function jsonBody<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, permitNull(field as z.ZodType)])
  return z.strictObject(Object.fromEntries(fields) as Shape, {
    error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined),
  })
}

function permitNull(field: z.ZodType): z.ZodType {
  if (!field.isOptional() || field.isNullable()) return field
  // `openapi/portable-forms.ts` reads `acceptsNull`.
  return z.preprocess((value) => value ?? undefined, field).meta({ acceptsNull: true })
}
