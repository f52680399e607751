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
  /** In the order of the response: one group per printer or job. */
  groups: { tag: number; attributes: IppAttributes }[]
  /** What follows the attributes. */
  data: Buffer
}

/** The maximum of nested collections. Printers use three levels. */
const DEPTH_MAX = 16

/** Per response. A printer with 1,000 media types sends about 20,000. */
const VALUES_MAX = 250_000

/** @throws IppDecodingError whose message is a sentence. */
export function decodeMessage(bytes: Buffer): IppDecoded {
  const reader = new Reader(bytes)
  const head = reader.read(8)
  const groups: IppDecoded['groups'] = []
  let values: IppValue[] | undefined
  for (let tag = reader.readTag(); tag !== END_OF_ATTRIBUTES; tag = reader.readTag()) {
    if (tag < FIRST_VALUE_TAG) {
      groups.push({ tag, attributes: createAttributes() })
      values = undefined
      continue
    }
    const group = groups.at(-1)
    const name = reader.readText()
    if (name !== '' && group) values = addAttribute(group.attributes, name)
    if (!values) throw new IppDecodingError('The response contains a value without an attribute.')
    values.push(readValue(reader, tag, 0))
  }
  return {
    version: [head.readUInt8(0), head.readUInt8(1)],
    code: head.readUInt16BE(2),
    requestId: head.readInt32BE(4),
    groups,
    data: reader.readRemaining(),
  }
}

/** Without a prototype: a member may be called `__proto__`. */
const createAttributes = (): IppAttributes => Object.create(null)

/** Some printers repeat an attribute; the first one is used, as in CUPS. */
function addAttribute(attributes: IppAttributes, name: string): IppValue[] {
  const values: IppValue[] = []
  attributes[name] ??= values
  return values
}

function readValue(reader: Reader, tag: number, depth: number): IppValue {
  const bytes = reader.readBytes()
  if (isOutOfBand(tag)) return null
  if (tag === SYNTAXES.collection) return readCollection(reader, depth + 1)
  return isText(tag) ? bytes.toString() : decodeValue(tag, bytes)
}

function readCollection(reader: Reader, depth: number): IppAttributes {
  if (depth > DEPTH_MAX) throw new IppDecodingError(`The response contains more than ${DEPTH_MAX} nested collections.`)
  const members = createAttributes()
  let values: IppValue[] | undefined
  for (;;) {
    const tag = reader.readTag()
    if (tag < FIRST_VALUE_TAG) throw new IppDecodingError('The response contains a collection without an end.')
    reader.readBytes() // the name of a member is a separate value
    if (tag === SYNTAXES.endCollection) {
      reader.readBytes()
      for (const values of Object.values(members)) if (values.length === 0) values.push(null)
      return members
    }
    if (tag === SYNTAXES.memberAttrName) values = addAttribute(members, reader.readText())
    else if (values) values.push(readValue(reader, tag, depth))
    else throw new IppDecodingError('The response contains a collection member without a name.')
  }
}

class Reader {
  readonly #bytes: Buffer
  #offset = 0
  #values = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  read(length: number): Buffer {
    const end = this.#offset + length
    if (end > this.#bytes.length)
      throw new IppDecodingError(`The response is incomplete: at least ${end - this.#bytes.length} bytes are missing.`)
    const bytes = this.#bytes.subarray(this.#offset, end)
    this.#offset = end
    return bytes
  }

  /** Each tag begins a group or a value, so values are counted here. */
  readTag(): number {
    if (++this.#values > VALUES_MAX)
      throw new IppDecodingError(`The response contains more than the maximum of ${VALUES_MAX} values.`)
    return this.read(1).readUInt8(0)
  }

  readBytes(): Buffer {
    return this.read(this.read(2).readUInt16BE(0))
  }

  readText(): string {
    return this.readBytes().toString()
  }

  readRemaining(): Buffer {
    return this.read(this.#bytes.length - this.#offset)
  }
}
