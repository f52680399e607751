/**
 * Encodes requests and responses (RFC 8010, section 3). A response of a printer has some thousand values, so all are
 * written to one buffer.
 */
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
  const writer = new Writer()
  writer.byte(version[0])
  writer.byte(version[1])
  writer.short(code)
  writer.integer(requestId)
  for (const { tag, attributes } of groups) {
    writer.byte(tag)
    for (const [name, values] of Object.entries(attributes))
      for (const [index, value] of (Array.isArray(values) ? values : [values]).entries())
        writeValue(writer, index === 0 ? name : '', value, name)
  }
  writer.byte(END_OF_ATTRIBUTES)
  return writer.end()
}

/**
 * @param name empty for additional values of an attribute and for members of a collection.
 * @param attribute the attribute or member of the value, for error messages.
 */
function writeValue(writer: Writer, name: string, typed: IppTyped, attribute: string): void {
  writer.byte(SYNTAXES[typed.syntax])
  writer.text(name, attribute)
  if (typed.syntax !== 'collection') {
    const start = writer.beginLength()
    writePlain(writer, typed, attribute)
    writer.endLength(start, attribute)
    return
  }
  writer.short(0)
  for (const [member, values] of Object.entries(typed.value)) {
    writer.byte(SYNTAXES.memberAttrName)
    writer.short(0)
    writer.text(member, member)
    for (const value of Array.isArray(values) ? values : [values]) writeValue(writer, '', value, member)
  }
  writer.byte(SYNTAXES.endCollection)
  writer.short(0)
  writer.short(0)
}

type Plain = Exclude<IppTyped, { syntax: 'collection' }>

function writePlain(writer: Writer, { syntax, value }: Plain, attribute: string): void {
  switch (syntax) {
    case 'noValue':
    case 'unknown':
    case 'unsupported':
      return
    case 'integer':
    case 'enum':
      writer.integer(value)
      return
    case 'boolean':
      writer.byte(value ? 1 : 0)
      return
    case 'rangeOfInteger':
      writer.integer(value.lower)
      writer.integer(value.upper)
      return
    case 'resolution':
      writer.integer(value.x)
      writer.integer(value.y)
      writer.byte(RESOLUTION_UNITS[value.unit])
      return
    case 'dateTime':
      writeDateTime(writer, value)
      return
    case 'nameWithLanguage':
    case 'textWithLanguage':
      writer.text(value.language, attribute)
      writer.text(value.text, attribute)
      return
    default:
      writer.bare(value, attribute)
  }
}

const TENTHS_OF_MS = 100

/** DateAndTime of RFC 2579, in UTC. */
function writeDateTime(writer: Writer, time: Date): void {
  writer.short(time.getUTCFullYear())
  const fields = [time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()]
  for (const field of [...fields, time.getUTCSeconds()]) writer.byte(field)
  writer.byte(Math.floor(time.getUTCMilliseconds() / TENTHS_OF_MS))
  writer.byte('+'.charCodeAt(0))
  writer.short(0)
}

const FIRST_BYTES = 4 * 1024

const SHORT_MAX = 64
const ASCII_MAX = 0x7f

/** The longest number. */
const NUMBER_BYTES = 4

class Writer {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  byte(value: number): void {
    this.#reserve(NUMBER_BYTES)
    this.#length = this.#bytes.writeUInt8(value, this.#length)
  }

  short(value: number): void {
    this.#reserve(NUMBER_BYTES)
    this.#length = this.#bytes.writeUInt16BE(value, this.#length)
  }

  integer(value: number): void {
    this.#reserve(NUMBER_BYTES)
    this.#length = this.#bytes.writeInt32BE(value, this.#length)
  }

  /** Writes the text after its length. @throws RangeError */
  text(value: string, attribute: string): void {
    const start = this.beginLength()
    this.bare(value, attribute)
    this.endLength(start, attribute)
  }

  /** Writes the text alone. @throws RangeError */
  bare(value: string, attribute: string): void {
    if (value.length > LENGTH_MAX_BYTES) throw tooLong(attribute)
    // A UTF-16 unit has up to 3 bytes in UTF-8.
    this.#reserve(value.length * 3)
    if (value.length > SHORT_MAX || !this.#writeAscii(value)) this.#length += this.#bytes.write(value, this.#length)
  }

  /**
   * Nearly all names and values are short, for which a call of Node costs more than this.
   *
   * @returns false for other characters.
   */
  #writeAscii(value: string): boolean {
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index)
      if (unit > ASCII_MAX) return false
      this.#bytes[this.#length + index] = unit
    }
    this.#length += value.length
    return true
  }

  /** @returns for `endLength`. */
  beginLength(): number {
    this.short(0)
    return this.#length
  }

  /** @throws RangeError */
  endLength(start: number, attribute: string): void {
    const length = this.#length - start
    if (length > LENGTH_MAX_BYTES) throw tooLong(attribute)
    this.#bytes.writeUInt16BE(length, start - 2)
  }

  end(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + bytes))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

const tooLong = (attribute: string) =>
  new RangeError(`The IPP attribute "${attribute.slice(0, 80)}" is longer than ${LENGTH_MAX_BYTES} bytes.`)
