/** Messages from rows: each field has the name of a property, so that no reader lists them. */
import { create, type DescMessage, type MessageInitShape, type MessageShape, ScalarType } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt'

type FieldName<Desc extends DescMessage> = Exclude<keyof MessageShape<Desc>, '$typeName' | '$unknown'>

/** The property of a row for the field of a message. */
type Property<Field> =
  NonNullable<Field> extends Timestamp
    ? Date | null | undefined
    : NonNullable<Field> extends bigint
      ? number | bigint | null | undefined
      : NonNullable<Field> extends string
        ? string | null | undefined
        : NonNullable<Field> extends object
          ? object | null | undefined
          : Field | null | undefined

type Properties<Desc extends DescMessage, Overridden> = {
  [Name in Exclude<FieldName<Desc>, Overridden>]: Property<MessageShape<Desc>[Name]>
}

/**
 * @param row an entity, or a row whose columns have the names of properties. What else it has is ignored.
 * @param overrides fields that are no properties of the row.
 * @returns the message. A null is a field that is not set, a `Date` a timestamp, a number of a 64-bit field a bigint.
 */
export function rowToMessage<Desc extends DescMessage, Overridden extends FieldName<Desc> = never>(
  schema: Desc,
  row: Properties<Desc, Overridden>,
  overrides?: { [Name in Overridden]: MessageInitShape<Desc>[Name & keyof MessageInitShape<Desc>] | undefined },
): MessageShape<Desc> {
  const init: Record<string, unknown> = { ...overrides }
  for (const { localName, scalar } of schema.fields) {
    if (localName in init) continue
    const value = (row as Record<string, unknown>)[localName]
    if (value instanceof Date) init[localName] = timestampFromDate(value)
    else init[localName] = typeof value === 'number' && is64Bit(scalar) ? BigInt(value) : value
  }
  return create(schema, init as MessageInitShape<Desc>)
}

/**
 * @param table of the row. @param computed names of fields without a column. @param prefix of the names.
 * @returns the columns of the fields of a message, for the list of a SELECT, with the names of their properties.
 */
export function listColumns(
  { fields }: DescMessage,
  table: string,
  { computed = [], prefix = '' }: { computed?: string[]; prefix?: string } = {},
): string {
  return fields
    .filter(({ localName }) => !computed.includes(localName))
    .map(({ name, localName }) => `${table}.${name} AS "${prefix}${localName}"`)
    .join(', ')
}

const is64Bit = (scalar: ScalarType | undefined) => scalar === ScalarType.INT64 || scalar === ScalarType.UINT64
