/**
 * Decodes responses (RFC 8010, section 3). Tolerant, because printers deviate from the standard: an invalid value or one of an unknown
 * syntax is null, and unknown groups and attributes are kept. Only an unparsable structure is an error. Kept by hand, as `encode.ts`:
 * libraries for IPP do not tolerate such responses.
 */
import type { IppAttributes, IppValue } from './attributes.ts'
import { IppDecodingError } from './ipp-error.ts'
import { END_OF_ATTRIBUTES, FIRST_VALUE_TAG, isOutOfBand, isText, SYNTAXES } from './tags.ts'
import { decodeValue } from './values.ts'

export interface IppDecoded {
  version: [major: number, minor: number]
  code: number
  requestId: number
  /** In the order of the answer: one group for each printer or job. */
  groups: { tag: number; attributes: IppAttributes }[]
}

/** Collections within collections; real ones have three levels. */
const MAX_DEPTH = 16

/** Per response. A printer with 1,000 media types sends about 20,000. */
const MAX_VALUES = 250_000

/** @throws IppDecodingError with a sentence. */
export function decodeMessage(bytes: Buffer): IppDecoded {
  const reader = new Reader(bytes)
  const head = reader.take(8)
  const groups: IppDecoded['groups'] = []
  let values: IppValue[] | undefined
  for (let tag = reader.tag(); tag !== END_OF_ATTRIBUTES; tag = reader.tag()) {
    if (tag < FIRST_VALUE_TAG) {
      groups.push({ tag, attributes: noAttributes() })
      values = undefined
      continue
    }
    const group = groups.at(-1)
    const name = reader.text()
    if (name !== '' && group) values = addAttribute(group.attributes, name)
    if (!values) throw new IppDecodingError('The answer holds a value that belongs to no attribute.')
    values.push(readValue(reader, tag, 0))
  }
  return {
    version: [head.readUInt8(0), head.readUInt8(1)],
    code: head.readUInt16BE(2),
    requestId: head.readInt32BE(4),
    groups,
  }
}

/** Without a prototype: a member may be called `__proto__`. */
const noAttributes = (): IppAttributes => Object.create(null)

/** Some printers repeat an attribute; the first one is used, as in CUPS. */
function addAttribute(attributes: IppAttributes, name: string): IppValue[] {
  const values: IppValue[] = []
  attributes[name] ??= values
  return values
}

function readValue(reader: Reader, tag: number, depth: number): IppValue {
  const bytes = reader.counted()
  if (isOutOfBand(tag)) return null
  if (tag === SYNTAXES.collection) return readCollection(reader, depth + 1)
  return isText(tag) ? bytes.toString() : decodeValue(tag, bytes)
}

function readCollection(reader: Reader, depth: number): IppAttributes {
  if (depth > MAX_DEPTH) throw new IppDecodingError(`The answer nests collections more than ${MAX_DEPTH} deep.`)
  const members = noAttributes()
  let values: IppValue[] | undefined
  for (;;) {
    const tag = reader.tag()
    if (tag < FIRST_VALUE_TAG) throw new IppDecodingError('The answer holds a collection that does not end.')
    reader.counted() // the name of a member is a value of its own
    if (tag === SYNTAXES.endCollection) {
      reader.counted()
      for (const values of Object.values(members)) if (values.length === 0) values.push(null)
      return members
    }
    if (tag === SYNTAXES.memberAttrName) values = addAttribute(members, reader.text())
    else if (values) values.push(readValue(reader, tag, depth))
    else throw new IppDecodingError('The answer holds a collection whose member has no name.')
  }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0
  #values = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length)
      throw new IppDecodingError(`The answer breaks off: ${end - this.#bytes.length} bytes are missing at the least.`)
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  /** Each tag begins a group or a value, so values are counted here. */
  tag(): number {
    if (++this.#values > MAX_VALUES)
      throw new IppDecodingError(`The answer holds more than ${MAX_VALUES} values, which is more than is read.`)
    return this.take(1).readUInt8(0)
  }

  counted(): Buffer {
    return this.take(this.take(2).readUInt16BE(0))
  }

  text(): string {
    return this.counted().toString()
  }
}
