/** SQL of the JSON of a resource, equal to that of `resources/to-json.ts`. */
import { type FieldSchema, isTimestamp, unwrap } from '@platen/resources/to-json.ts'
import type { z } from 'zod'
import { jsonObject, jsonPlainText, jsonText, jsonTimestamp, jsonValue } from './json-sql.ts'

/**
 * @param schema of the JSON: its fields are the result's, in their order.
 * @param row SQL: the row, which has a column for each field, in snake case.
 * @param overrides SQL by field: a value in place of the column.
 */
export function resourceSql<Schema extends z.ZodObject>(
  schema: Schema,
  row: string,
  overrides: { [Name in keyof z.output<Schema>]?: string } = {},
): string {
  const members = Object.entries(schema.shape).map(([name, field]) => {
    const value = (overrides as Record<string, string>)[name] ?? `${row}.${toColumn(name)}`
    return [name, toMemberSql(field as unknown as FieldSchema, value)]
  })
  return jsonObject(Object.fromEntries(members))
}

const toColumn = (name: string) => name.replaceAll(/[A-Z]/g, (part) => `_${part.toLowerCase()}`)

function toMemberSql(schema: FieldSchema, value: string): string {
  const { field, isNullable } = unwrap(schema)
  if (isTimestamp(field)) return jsonTimestamp(value)
  // Ids and keywords need no escapes.
  const isPlain = field.def.type === 'enum' || (field.def as { format?: string }).format === 'guid'
  if (isPlain && !isNullable) return jsonPlainText(value)
  return field.def.type === 'string' ? jsonText(value) : jsonValue(value)
}
