/** Bodies for operations that take a small JSON object: right ones, and right ones with one thing spoilt. */
import { random } from '@platen/gateway/tests/tables/cuts.ts'
import fc from 'fast-check'
import { Members, writeJson } from './json-text.ts'
import {
  type Body,
  damaged,
  hasRepeats,
  limitsOf,
  oddValue,
  unknownName,
  withoutUndefined,
} from './print-job-bodies.ts'
import { namesProto, parseJson } from './print-job-verdict.ts'
import { membersOf, type Schema, validValue } from './schema-arbitrary.ts'

export function jsonBodies(schema: Schema): fc.Arbitrary<Body> {
  const members = membersOf(schema)
  const names = fc.constantFrom(...members.map(([name]) => name))
  const values = validValue(schema).chain((value) => {
    const fields = value as Record<string, unknown>
    const again = fc.tuple(names, oddValue).map(([name, odd]) => {
      const entries = Object.entries(fields).filter(([one]) => one !== name)
      return new Members([...entries, [name, fields[name] ?? 1], [name, odd]])
    })
    const spoilt: fc.Arbitrary<unknown>[] = [
      fc.tuple(names, oddValue).map(([name, odd]) => ({ ...fields, [name]: odd })),
      limitsOf(members).map(([name, limit]) => ({ ...fields, [name]: limit })),
      fc.tuple(unknownName, oddValue).map(([name, odd]) => new Members([...Object.entries(fields), [name, odd]])),
      again,
      oddValue,
    ]
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant<unknown>(fields) },
      ...spoilt.map((arbitrary) => ({ weight: 1, arbitrary })),
    )
  })
  const written = fc.tuple(values, fc.nat()).map(([value, style]): Body => {
    const bytes = Buffer.from(writeJson(withoutUndefined(value), random(style)))
    return { bytes, repeats: hasRepeats(value), what: 'fields' }
  })
  return fc.oneof({ weight: 6, arbitrary: written }, { weight: 1, arbitrary: written.chain(damaged) })
}

/** Told with the platform's parser. */
export function isValid({ bytes, repeats }: Body, schema: Schema): boolean {
  const value = parseJson(bytes)
  return value !== undefined && !repeats && !namesProto(value) && schema.safeParse(value).success
}
