import { z } from 'zod'

/**
 * A filter of a list that can be repeated and selects any of its values. The values are sorted and deduplicated, so that equal filters
 * have the same cursors.
 *
 * @param expand the values that match a pattern.
 */
export function anyOf<Value extends string, Found extends string = Value>(
  values: readonly Value[],
  expand: (value: string) => readonly Found[] = (value) => [value as Found],
) {
  const rule = `must be one of ${values.map((value) => `\`${value}\``).join(', ')}`
  const value = z.enum(values, rule)
  return z
    .union([value, z.array(value)], rule)
    .transform((given) => [...new Set([given].flat().flatMap((value) => expand(value as string)))].toSorted())
    .meta({ override: { type: 'array', anyOf: undefined, items: { type: 'string', enum: [...values] } } })
}
