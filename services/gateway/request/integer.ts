import { z } from 'zod'

/** In a query. @param unit appended to the rule: ", in seconds". */
export function queryInteger({ min, max }: { min: number; max: number }, unit = '') {
  const rule = `must be an integer from ${min} to ${max}${unit}`
  return z
    .string(rule)
    .regex(/^\d{1,10}$/, { error: rule, abort: true })
    .transform(Number)
    .refine((number) => number >= min && number <= max, rule)
    .meta({ override: { type: 'integer', pattern: undefined, minimum: min, maximum: max } })
}
