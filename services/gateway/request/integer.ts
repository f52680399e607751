import { z } from 'zod'

interface Range {
  min: number
  max: number
}

export function integer({ min, max }: Range) {
  const rule = `must be an integer from ${min} to ${max}`
  return z.int(rule).min(min, rule).max(max, rule)
}

/** In a query. @param unit appended to the rule: ", in seconds". */
export function queryInteger({ min, max }: Range, unit = '') {
  const rule = `must be an integer from ${min} to ${max}${unit}`
  return z
    .string(rule)
    .regex(/^\d{1,9}$/, { error: rule, abort: true })
    .transform(Number)
    .refine((number) => number >= min && number <= max, rule)
    .meta({ override: { type: 'integer', pattern: undefined, minimum: min, maximum: max } })
}
