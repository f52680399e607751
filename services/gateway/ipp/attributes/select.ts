import type { IppTypedAttributes, IppValue } from '@platen/ipp/attributes.ts'

/** A row of a table of attributes. */
export interface AttributeRow<Facts> {
  name: string
  /** The group of `requested-attributes` that it belongs to. */
  group: string
  /** @returns undefined if the printer or job has no such attribute. */
  get(facts: Facts): IppTypedAttributes[string] | undefined
}

/** Attributes that are sent only if they are named: they are large. */
const ONLY_NAMED = new Set(['media-col-database'])

/**
 * The attributes of `requested-attributes`, in the order of the table: names, groups, or "all".
 *
 * @param byDefault what a request without `requested-attributes` gets.
 */
export function selectAttributes<Facts>(
  rows: readonly AttributeRow<Facts>[],
  requested: IppValue[] | undefined,
  facts: Facts,
  byDefault: readonly string[] = ['all'],
): IppTypedAttributes {
  const wanted = new Set<IppValue>(requested ?? byDefault)
  const isWanted = ({ name, group }: AttributeRow<Facts>) =>
    wanted.has(name) || (!ONLY_NAMED.has(name) && (wanted.has('all') || wanted.has(group)))
  const selected: IppTypedAttributes = {}
  for (const row of rows) {
    const value = isWanted(row) ? row.get(facts) : undefined
    if (value !== undefined && (!Array.isArray(value) || value.length > 0)) selected[row.name] = value
  }
  return selected
}
