import { z } from 'zod'

/**
 * A filter of a list that is given once or several times, for any of the values. It is read in one order and each value once, so that the
 * same filter has the same cursors.
 *
 * @param expand what a value stands for, where it is a pattern.
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
