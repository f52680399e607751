import { z } from 'zod'

/**
 * A filter of a list that can be repeated and selects any of its values. The values are sorted and deduplicated, so
 * that equal filters have the same cursors.
 *
 * @param expand the values that match a pattern.
 */
export function anyOf<Value extends string, Found extends string = Value>(
  value: z.ZodType<Value> & { options: readonly Value[] },
  expand: (value: string) => readonly Found[] = (value) => [value as Found],
) {
  const rule = `must be one of ${value.options.map((one) => `\`${one}\``).join(', ')}`
  return oneOrMore(value, z.array(value), rule).transform((given) =>
    [...new Set([given].flat().flatMap((value) => expand(value as string)))].toSorted(),
  )
}

/**
 * A value or an array of values. The OpenAPI document has the array only, because many generators of clients support no
 * such choice.
 */
export function oneOrMore<Value extends z.ZodType, Values extends z.ZodType>(
  value: Value,
  values: Values,
  rule: string,
) {
  return z.union([value, values], rule).meta({
    override: ({ jsonSchema }) => {
      const [, array] = jsonSchema.anyOf ?? []
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, array)
    },
  })
}
