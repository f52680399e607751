/**
 * The JSON of a resource from its message. The schema of the resource says which fields it has and how each is written,
 * so that no reader lists them. `runtime/event-log/resource-sql.ts` makes the same JSON from a row.
 */
import type { z } from 'zod'
import { getInnerSchema } from './inner-schema.ts'
import { timestampToJson } from './timestamp-to-json.ts'

/** The value of a field whose message has another one, or none of the same name. */
type Overrides<Message, Json> = { [Name in Exclude<keyof Json, keyof Message>]: (message: Message) => Json[Name] } & {
  [Name in keyof Json & keyof Message]?: (message: Message) => unknown
}

/**
 * @param schema of the JSON: its fields are the result's, in their order. They have the names of the message's fields.
 * @returns a function that is made once for each schema. What the message has not set is null, or `{}` where the schema
 *   permits no null.
 */
export function createToJson<Message, Schema extends z.ZodObject>(
  schema: Schema,
  overrides: Overrides<Message, z.output<Schema>>,
): (message: Message) => z.output<Schema> {
  const toObject = createObjectReader(schema as unknown as FieldSchema, overrides as Record<string, Read>)
  return (message) => toObject(message) as z.output<Schema>
}

/** Overrides of strings that are empty where the JSON has null. */
export const emptyAsNull = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, (message: Record<Name, string>) => message[name] || null])) as {
    [Key in Name]: (message: Record<Key, string>) => never
  }

type Read = (value: never) => unknown

/** The part of a schema that is read. */
export interface FieldSchema {
  meta(): Record<string, unknown> | undefined
  def: {
    type: string
    shape?: Record<string, FieldSchema>
    element?: FieldSchema
    innerType?: FieldSchema
    in?: FieldSchema
    out?: FieldSchema
  }
}

function createObjectReader({ def }: FieldSchema, overrides: Record<string, Read> = {}): (value: unknown) => unknown {
  const names = Object.keys(def.shape ?? {})
  const readers = Object.entries(def.shape ?? {}).map(([name, field]) => {
    const read = createReader(field)
    return (overrides[name] ?? ((message: Record<string, unknown>) => read(message[name]))) as (
      value: unknown,
    ) => unknown
  })
  return (message) => {
    const json: Record<string, unknown> = {}
    for (const [n, name] of names.entries()) json[name] = readers[n]?.(message)
    return json
  }
}

function createReader(schema: FieldSchema): (value: unknown) => unknown {
  const { field, isNullable } = unwrap(schema)
  if (isTimestamp(field)) return (value) => timestampToJson(value as Parameters<typeof timestampToJson>[0])
  if (field.def.element?.def.shape) {
    const toObject = createObjectReader(field.def.element)
    return (value) => (value as unknown[]).map(toObject)
  }
  if (field.def.shape) {
    const toObject = createObjectReader(field)
    return (value) => (isMessage(value) ? toObject(value) : (value ?? (isNullable ? null : {})))
  }
  return (value) => (typeof value === 'bigint' ? Number(value) : (value ?? null))
}

/** A `google.protobuf.Struct` is plain JSON. */
const isMessage = (value: unknown) => typeof value === 'object' && value !== null && '$typeName' in value

export const isTimestamp = (field: FieldSchema) => field.meta()?.format === 'date-time'

/** The schema inside of the wrappers for null, a default or a description. */
export function unwrap(schema: FieldSchema): { field: FieldSchema; isNullable: boolean } {
  let field = schema
  let isNullable = false
  for (let inner = getInnerSchema(field); inner && !isTimestamp(field); inner = getInnerSchema(field)) {
    isNullable ||= field.def.type === 'nullable'
    field = inner
  }
  return { field, isNullable }
}
