/** Forms of fields that several resources share. Reference: docs/reference/conventions.md#fields. */
import { z } from 'zod'

export const id = () => z.guid()

/** ISO 8601 in UTC with milliseconds, as `timestampToJson` writes it. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .meta({ format: 'date-time' })

export const mode = (description: string) => z.enum(['live', 'test']).meta({ description, example: 'live' })

/** A schema that the OpenAPI document names, with another description where it is used. */
export const described = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  z.lazy(() => schema).meta({ description })

export const number = (example: number) =>
  z.int().meta({ description: 'A number for people, counted per organization and mode, never used again.', example })

export function integer({ min, max }: { min: number; max: number }) {
  const rule =
    max === Number.MAX_SAFE_INTEGER
      ? `must be an integer of at least ${min}`
      : `must be an integer from ${min} to ${max}`
  return z.int(rule).min(min, rule).max(max, rule)
}
