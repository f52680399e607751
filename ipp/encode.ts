/** Encodes requests and responses (RFC 8010, section 3). */
import type { IppTyped, IppTypedAttributes } from './attributes.ts'
import { END_OF_ATTRIBUTES, RESOLUTION_UNITS, SYNTAXES } from './tags.ts'

export interface IppMessage {
  version: readonly [major: number, minor: number]
  /** The code of an operation, or of a status in a response. */
  code: number
  requestId: number
  groups: { tag: number; attributes: IppTypedAttributes }[]
}

/** The maximum length of names and values, which is a signed 16-bit number. */
const LENGTH_MAX_BYTES = 32_767

/** @throws RangeError for an attribute that is too long. */
export function encodeMessage({ version, code, requestId, groups }: IppMessage): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt8(version[0], 0)
  head.writeUInt8(version[1], 1)
  head.writeUInt16BE(code, 2)
  head.writeInt32BE(requestId, 4)
  const parts: Buffer[] = [head]
  for (const { tag, attributes } of groups) parts.push(Buffer.of(tag), ...encodeAttributes(attributes))
  parts.push(Buffer.of(END_OF_ATTRIBUTES))
  return Buffer.concat(parts)
}

function encodeAttributes(attributes: IppTypedAttributes): Buffer[] {
  return Object.entries(attributes).flatMap(([name, values]) =>
    [values].flat().flatMap((value, index) => encodeValue(index === 0 ? name : '', value, name)),
  )
}

function encodeMembers(members: IppTypedAttributes): Buffer[] {
  return Object.entries(members).flatMap(([name, values]) => [
    encodeField(SYNTAXES.memberAttrName, '', Buffer.from(name), name),
    ...[values].flat().flatMap((value) => encodeValue('', value, name)),
  ])
}

/**
 * @param name empty for additional values of an attribute and for members of a collection.
 * @param attribute the attribute or member of the value, for error messages.
 */
function encodeValue(name: string, { syntax, value }: IppTyped, attribute: string): Buffer[] {
  if (syntax === 'collection')
    return [
      encodeField(SYNTAXES.collection, name, Buffer.alloc(0), attribute),
      ...encodeMembers(value),
      encodeField(SYNTAXES.endCollection, '', Buffer.alloc(0), attribute),
    ]
  return [encodeField(SYNTAXES[syntax], name, encodePlain({ syntax, value } as Plain), attribute)]
}

type Plain = Exclude<IppTyped, { syntax: 'collection' }>

function encodePlain({ syntax, value }: Plain): Buffer {
  switch (syntax) {
    case 'noValue':
    case 'unknown':
    case 'unsupported':
      return Buffer.alloc(0)
    case 'integer':
    case 'enum':
      return encodeIntegers(value)
    case 'boolean':
      return Buffer.of(value ? 1 : 0)
    case 'rangeOfInteger':
      return encodeIntegers(value.lower, value.upper)
    case 'resolution':
      return Buffer.concat([encodeIntegers(value.x, value.y), Buffer.of(RESOLUTION_UNITS[value.unit])])
    case 'dateTime':
      return encodeDateTime(value)
    case 'nameWithLanguage':
    case 'textWithLanguage':
      return Buffer.concat([value.language, value.text].flatMap(encodeWithLength))
    default:
      return Buffer.from(value)
  }
}

function encodeWithLength(text: string): Buffer[] {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return [length, bytes]
}

const TENTHS_OF_MS = 100

/** DateAndTime of RFC 2579, in UTC. */
function encodeDateTime(time: Date): Buffer {
  const bytes = Buffer.alloc(11)
  bytes.writeUInt16BE(time.getUTCFullYear())
  const fields = [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()]
  bytes.set([...fields, time.getUTCSeconds(), Math.floor(time.getUTCMilliseconds() / TENTHS_OF_MS)], 2)
  bytes.write('+', 8)
  return bytes
}

function encodeIntegers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt32BE(value, 4 * index)
  return bytes
}

function encodeField(tag: number, name: string, value: Buffer, attribute: string): Buffer {
  const nameBytes = Buffer.from(name)
  if (nameBytes.length > LENGTH_MAX_BYTES || value.length > LENGTH_MAX_BYTES)
    throw new RangeError(`The IPP attribute "${attribute.slice(0, 80)}" is longer than ${LENGTH_MAX_BYTES} bytes.`)
  const bytes = Buffer.alloc(5 + nameBytes.length + value.length)
  bytes.writeUInt8(tag, 0)
  bytes.writeUInt16BE(nameBytes.length, 1)
  nameBytes.copy(bytes, 3)
  bytes.writeUInt16BE(value.length, 3 + nameBytes.length)
  value.copy(bytes, 5 + nameBytes.length)
  return bytes
}
