/**
 * Generates values for a zod schema of the gateway by traversing the schema, so changes of fields and limits apply here
 * too. Values that code (`refine`) refuses are filtered out.
 */
import { getInnerSchema } from '@platen/resources/inner-schema.ts'
import fc from 'fast-check'

/** The used part of a zod schema. */
export interface Schema {
  safeParse(value: unknown): { success: boolean }
  def: {
    type: string
    format?: string
    shape?: Record<string, unknown>
    entries?: Record<string, string>
    values?: unknown[]
    innerType?: Schema
    element?: unknown
    options?: unknown[]
    in?: Schema
    out?: Schema
    keyType?: Schema
    valueType?: Schema
  }
  minValue?: number | null
  maxValue?: number | null
}

const LENGTH_PROBED_MAX = 1 << 12

/** Values that the schema accepts; an object has any subset of the members that may be missing. */
export function validValue(schema: Schema): fc.Arbitrary<unknown> {
  return candidates(schema).filter((value) => schema.safeParse(value).success)
}

/**
 * A valid object with one member of another type, at a limit or beyond it, missing or unknown. Some are still valid.
 */
export function changedObject(schema: Schema): fc.Arbitrary<unknown> {
  const members = getMembers(schema)
  const change = fc.oneof(
    ...members.map(([name, member]) =>
      fc.constantFrom(...NO_VALUES, undefined, ...valuesAtLimits(member)).map((value) => ({ [name]: value })),
    ),
    fc.constant({ unknownField: 1 }),
  )
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.tuple(validValue(schema) as fc.Arbitrary<object>, change).map((all) => Object.assign({}, ...all)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...NO_VALUES) },
  )
}

const NO_VALUES = [null, true, 7, -1, 1.5, '', 'x', 'a\0', '\ud800', [], ['x'], {}, { x: 1 }]

function getMembers(schema: Schema): [name: string, schema: Schema][] {
  return Object.entries(unwrapped(schema).def.shape ?? {}).map(([name, member]) => [name, member as Schema])
}

/** Values at the schema's limits and one step beyond them, on both sides. */
function valuesAtLimits(schema: Schema): unknown[] {
  const inner = unwrapped(schema)
  const { def } = inner
  if (def.type === 'number') {
    const limits = [inner.minValue, inner.maxValue].filter((limit) => typeof limit === 'number')
    return limits.flatMap((limit) => [limit - 1, limit, limit + 1, limit + 0.5])
  }
  if (def.type === 'enum') return Object.values(def.entries ?? {}).flatMap((one) => [`${one}x`, one.toUpperCase()])
  if (def.type !== 'string') return []
  const longest = longestAccepted(inner)
  if (longest === 0) return ['x'.repeat(1000)]
  return [longest, longest + 1].flatMap((length) => ['x'.repeat(length), '🖨'.repeat(length)])
}

/** Binary search. @returns 0 if no limit exists or `x` is not accepted. */
function longestAccepted(schema: Schema): number {
  const accepts = (length: number) => schema.safeParse('x'.repeat(length)).success
  let [low, high] = [0, LENGTH_PROBED_MAX]
  if (!accepts(1) || accepts(high)) return 0
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (accepts(middle)) low = middle
    else high = middle
  }
  return low
}

function candidates(schema: Schema): fc.Arbitrary<unknown> {
  const { def } = schema
  switch (def.type) {
    case 'object': {
      const members = getMembers(schema)
      const requiredKeys = members.filter(([, member]) => !member.safeParse(undefined).success).map(([name]) => name)
      const model = Object.fromEntries(members.map(([name, member]) => [name, validValue(member)]))
      return fc.record(model, { requiredKeys, noNullPrototype: true })
    }
    case 'record': {
      const [key, value] = [def.keyType, def.valueType] as [Schema, Schema]
      return fc.dictionary(validValue(key) as fc.Arbitrary<string>, validValue(value), {
        maxKeys: 4,
        noNullPrototype: true,
      })
    }
    case 'string':
      return def.format === 'guid' ? fc.uuid() : text(schema)
    case 'number':
      return fc.integer({ min: Math.max(schema.minValue ?? 0, 0), max: Math.min(schema.maxValue ?? 1e9, 1e9) })
    case 'array': {
      const element = validValue(def.element as Schema)
      // Some arrays have rules about all elements together, which few elements of their own keep.
      const equal = fc.tuple(element, fc.integer({ min: 1, max: 4 })).map(([one, length]) => Array(length).fill(one))
      return fc.oneof({ weight: 1, arbitrary: fc.array(element, { maxLength: 4 }) }, { weight: 2, arbitrary: equal })
    }
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}))
    case 'literal':
      return fc.constantFrom(...(def.values ?? []))
    case 'nullable':
      return fc.option(validValue(getInnerSchema(schema) as Schema), { freq: 9 })
    case 'optional':
    case 'nonoptional':
    case 'default':
      return validValue(getInnerSchema(schema) as Schema)
    case 'union':
      return fc.oneof(...(def.options ?? []).map((option) => validValue(option as Schema)))
    case 'pipe':
      return candidates(getInnerSchema(schema) as Schema)
    default:
      throw new Error(`unsupported schema type ${def.type}`)
  }
}

function unwrapped(schema: Schema): Schema {
  const inner = getInnerSchema(schema)
  return inner === undefined ? schema : unwrapped(inner)
}

/** Texts of all kinds in the API: names, printers, page lists, boxes, small numbers, credentials of agents. */
function text(schema: Schema): fc.Arbitrary<string> {
  const page = fc.integer({ min: 1, max: 999_999_999 })
  const kinds: fc.Arbitrary<string>[] = [
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      'A4',
      'tray-1',
      '600x600',
      '"; DROP TABLE job; --',
      '</script>',
      '\u2028\u2029',
      'a\u0301',
      '\ufeff',
    ),
    fc.tuple(page, page).map(([a, b]) => `-${a},${b}-,${Math.min(a, b)}-${Math.max(a, b)},${a}`),
    fc.stringMatching(/^(\d{1,6},){2}[1-9]\d{0,5},[1-9]\d{0,5}$/),
    fc.integer({ min: 1, max: 100 }).map(String),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }).map((at) => at.toISOString()),
    fc.stringMatching(/^platen_agent_[A-Za-z0-9_-]{43}$/),
  ]
  const usable = kinds.filter((kind) =>
    fc.sample(kind, { numRuns: 30, seed: 1 }).some((one) => schema.safeParse(one).success),
  )
  return fc.oneof(...usable)
}
