import { z } from 'zod'

/**
 * The schema of the body of a creation or an action: an object without unknown fields. Null in a field that may be left
 * out is the same as leaving it out, because clients that are generated from the OpenAPI document send it. Fields in
 * which null has a meaning of its own accept it themselves.
 */
export function jsonBody<Shape extends z.ZodRawShape>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, field]) => [name, permitNull(field as z.ZodType)])
  return jsonChanges(Object.fromEntries(fields) as Shape)
}

/**
 * The schema of the body of a `PATCH`: an object without unknown fields. Null is invalid except in fields that accept
 * it themselves because it clears their value. A null that changed nothing would look like one that cleared the value.
 */
export function jsonChanges<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined),
  })
}

function permitNull(field: z.ZodType): z.ZodType {
  if (!field.isOptional() || field.isNullable()) return field
  // `openapi/portable-forms.ts` reads `acceptsNull`.
  return z.preprocess((value) => value ?? undefined, field).meta({ acceptsNull: true })
}
