/**
 * Values for a zod schema of the gateway, made by walking the schema itself: a field or a limit that changes there changes here.
 * Rules that are code (`refine`) cannot be walked; they are asked, and what they refuse is left out.
 */
import fc from 'fast-check'

/** As much of a zod schema as is looked at. */
export interface Schema {
  safeParse(value: unknown): { success: boolean }
  def: {
    type: string
    format?: string
    shape?: Record<string, unknown>
    entries?: Record<string, string>
    values?: unknown[]
    innerType?: unknown
    element?: unknown
    options?: unknown[]
    in?: unknown
  }
  minValue?: number | null
  maxValue?: number | null
}

const LENGTH_PROBED_MAX = 1 << 14

/** Values that the schema accepts; an object has any subset of the members that may be missing. */
export function validValue(schema: Schema): fc.Arbitrary<unknown> {
  const candidates = candidatesOf(schema)
  return candidates.filter((value) => schema.safeParse(value).success)
}

/** The members of an object's schema. */
export function membersOf(schema: Schema): [name: string, schema: Schema][] {
  const { def } = unwrapped(schema)
  return Object.entries(def.shape ?? {}).map(([name, member]) => [name, member as Schema])
}

/** Values at the schema's limits and one step beyond them, on both sides. */
export function valuesAtLimits(schema: Schema): unknown[] {
  const inner = unwrapped(schema)
  if (inner.def.type === 'number') {
    const { minValue, maxValue } = inner
    const limits = [minValue, maxValue].filter((limit) => typeof limit === 'number')
    return limits.flatMap((limit) => [limit - 1, limit, limit + 1, limit + 0.5, -limit])
  }
  if (inner.def.type === 'enum')
    return Object.values(inner.def.entries ?? {}).flatMap((one) => [one, `${one}x`, one.slice(1), one.toUpperCase()])
  if (inner.def.type !== 'string') return []
  const longest = longestAccepted(inner)
  if (longest === 0 || longest >= LENGTH_PROBED_MAX) return ['', 'x'.repeat(1000)]
  return [0, 1, longest - 1, longest, longest + 1].flatMap((length) => ['x'.repeat(length), '🖨'.repeat(length)])
}

/** By asking for ever longer texts, then halving. @returns `LENGTH_PROBED_MAX` when there is no limit. */
function longestAccepted(schema: Schema): number {
  const accepts = (length: number) => schema.safeParse('x'.repeat(length)).success
  if (accepts(LENGTH_PROBED_MAX)) return LENGTH_PROBED_MAX
  let low = 0
  let high = 1
  while (accepts(high)) {
    low = high
    high *= 2
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (accepts(middle)) low = middle
    else high = middle
  }
  return low
}

function candidatesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { def } = schema
  switch (def.type) {
    case 'object': {
      const members = membersOf(schema)
      const requiredKeys = members.filter(([, member]) => !member.safeParse(undefined).success).map(([name]) => name)
      const model = Object.fromEntries(members.map(([name, member]) => [name, validValue(member)]))
      return fc.record(model, { requiredKeys, noNullPrototype: true })
    }
    case 'string':
      return def.format === 'guid' ? uuid() : text(schema)
    case 'number': {
      const { minValue, maxValue } = schema
      return fc.integer({ min: Math.max(minValue ?? 0, 0), max: Math.min(maxValue ?? 1e9, 1e9) })
    }
    case 'array':
      return fc.array(validValue(def.element as Schema), { maxLength: 4 })
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}))
    case 'literal':
      return fc.constantFrom(...(def.values ?? []))
    case 'nullable':
      return fc.option(validValue(def.innerType as Schema), { freq: 9 })
    case 'optional':
    case 'nonoptional':
    case 'default':
      return validValue(def.innerType as Schema)
    case 'union':
      return fc.oneof(...(def.options ?? []).map((option) => validValue(option as Schema)))
    case 'pipe':
      return candidatesOf(def.in as Schema)
    default:
      throw new Error(`no values are known for the schema type ${def.type}`)
  }
}

function unwrapped(schema: Schema): Schema {
  const inner = schema.def.innerType ?? schema.def.in
  return inner === undefined ? schema : unwrapped(inner as Schema)
}

function uuid(): fc.Arbitrary<string> {
  return fc.tuple(fc.uuid(), fc.boolean()).map(([id, upper]) => (upper ? id.toUpperCase() : id))
}

/** Everything that any text of the API may be: of people, of printers, lists of pages, small numbers, credentials of agents. */
function text(schema: Schema): fc.Arbitrary<string> {
  const page = fc.integer({ min: 1, max: 999_999_999 })
  const range = fc
    .tuple(page, page)
    .chain(([a, b]) => fc.constantFrom('-', `${a}`, `${a}-`, `-${b}`, `${Math.min(a, b)}-${Math.max(a, b)}`))
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
    fc.array(range, { minLength: 1, maxLength: 5 }).map((ranges) => ranges.join(',')),
    fc.integer({ min: 1, max: 100 }).map(String),
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }).map((at) => at.toISOString()),
    fc.stringMatching(/^platen_agent_[A-Za-z0-9_-]{43}$/),
  ]
  const usable = kinds.filter((kind) =>
    fc.sample(kind, { numRuns: 30, seed: 1 }).some((one) => schema.safeParse(one).success),
  )
  return fc.oneof(...usable)
}
