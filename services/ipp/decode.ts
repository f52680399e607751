/**
 * Decodes messages (RFC 8010, section 3). Kept by hand, as `encode.ts`: libraries for IPP neither tolerate the
 * responses of printers nor bound requests.
 *
 * Responses are read tolerantly, because printers deviate from the standard: an invalid value or one of an unknown
 * syntax is null, and unknown groups and attributes are kept. Only an unparsable structure is an error. Requests are
 * read strictly and within limits.
 */
import type { IppAttributes, IppValue } from './attributes.ts'
import { IppDecodingError } from './decoding-error.ts'
import { END_OF_ATTRIBUTES, FIRST_VALUE_TAG, isKnownSyntax, isOutOfBand, isText, SYNTAXES } from './tags.ts'
import { decodeValue } from './values.ts'

export interface IppDecoded {
  version: [major: number, minor: number]
  /** The code of an operation, or of a status in a response. */
  code: number
  requestId: number
  /** The groups are in the order of the message: one per printer or job. */
  groups: { tag: number; attributes: IppAttributes }[]
  /** What follows the attributes. */
  data: Buffer
}

interface Rules {
  /** For messages of errors. */
  what: 'response' | 'request'
  /** Groups, values and members. */
  valuesMax: number
  /** Bytes of a name. */
  nameMax: number
  /** Refuses invalid values and repeated attributes. */
  isStrict: boolean
}

/** The maximum of nested collections. Printers use three levels. */
const DEPTH_MAX = 16

/** A printer with 1,000 media types sends about 20,000 values. */
const RESPONSE: Rules = { what: 'response', valuesMax: 250_000, nameMax: 65_535, isStrict: false }

/** CUPS sends about 30 values. The length of names is that of RFC 8011, section 5.1.4. */
const REQUEST: Rules = { what: 'request', valuesMax: 1_000, nameMax: 255, isStrict: true }

/** The maximum of groups, values and members of a request. */
export const REQUEST_VALUES_MAX = REQUEST.valuesMax

/** @throws IppDecodingError whose message is a sentence. */
export const decodeMessage = (bytes: Buffer): IppDecoded => decode(bytes, RESPONSE)

/**
 * @param bytes at most 64 KiB of attributes, which the caller ensures: see `findDocument`.
 * @throws IppDecodingError with the status of the answer.
 */
export const decodeRequest = (bytes: Buffer): IppDecoded => decode(bytes, REQUEST)

/**
 * The version, the code and the id of the request, which every answer needs.
 *
 * @returns undefined for less than 8 bytes.
 */
export function decodeHead(bytes: Buffer): Pick<IppDecoded, 'version' | 'code' | 'requestId'> | undefined {
  if (bytes.length < 8) return undefined
  return {
    version: [bytes.readUInt8(0), bytes.readUInt8(1)],
    code: bytes.readUInt16BE(2),
    requestId: bytes.readInt32BE(4),
  }
}

function decode(bytes: Buffer, rules: Rules): IppDecoded {
  const reader = new Reader(bytes, rules)
  const head = decodeHead(reader.read(8))
  const groups: IppDecoded['groups'] = []
  let values: IppValue[] | undefined
  for (let tag = reader.readTag(); tag !== END_OF_ATTRIBUTES; tag = reader.readTag()) {
    if (tag < FIRST_VALUE_TAG) {
      groups.push({ tag, attributes: createAttributes() })
      values = undefined
      continue
    }
    const group = groups.at(-1)
    const name = reader.readName()
    if (name !== '' && group) values = addAttribute(group.attributes, name, rules)
    if (!values) throw reader.error('contains a value without an attribute')
    values.push(readValue(reader, tag, 0))
  }
  return { ...(head as NonNullable<typeof head>), groups, data: reader.readRemaining() }
}

/** The object has no prototype, because a member may be called `__proto__`. */
const createAttributes = (): IppAttributes => Object.create(null)

/** Some printers repeat an attribute; the first one is used, as in CUPS. */
function addAttribute(attributes: IppAttributes, name: string, { isStrict }: Rules): IppValue[] {
  if (isStrict && name in attributes)
    throw new IppDecodingError(`The request contains the attribute "${name.slice(0, 80)}" twice.`)
  const values: IppValue[] = []
  attributes[name] ??= values
  return values
}

function readValue(reader: Reader, tag: number, depth: number): IppValue {
  const bytes = reader.readBytes()
  if (isOutOfBand(tag)) return null
  if (tag === SYNTAXES.collection) return readCollection(reader, depth + 1)
  const value = isText(tag) ? bytes.toString() : decodeValue(tag, bytes)
  if (value === null && reader.rules.isStrict && isKnownSyntax(tag))
    throw reader.error('contains a value that is invalid in its syntax')
  return value
}

function readCollection(reader: Reader, depth: number): IppAttributes {
  if (depth > DEPTH_MAX) throw reader.error(`contains more than ${DEPTH_MAX} nested collections`)
  const members = createAttributes()
  let values: IppValue[] | undefined
  for (;;) {
    const tag = reader.readTag()
    if (tag < FIRST_VALUE_TAG) throw reader.error('contains a collection without an end')
    reader.readBytes() // the name of a member is a separate value
    if (tag === SYNTAXES.endCollection) {
      reader.readBytes()
      for (const values of Object.values(members)) if (values.length === 0) values.push(null)
      return members
    }
    if (tag === SYNTAXES.memberAttrName) values = addAttribute(members, reader.readName(), reader.rules)
    else if (values) values.push(readValue(reader, tag, depth))
    else throw reader.error('contains a collection member without a name')
  }
}

class Reader {
  readonly rules: Rules
  readonly #bytes: Buffer
  #offset = 0
  #values = 0

  constructor(bytes: Buffer, rules: Rules) {
    this.#bytes = bytes
    this.rules = rules
  }

  /** @param problem the predicate of a sentence. */
  error(problem: string): IppDecodingError {
    return new IppDecodingError(`The ${this.rules.what} ${problem}.`)
  }

  read(length: number): Buffer {
    const end = this.#offset + length
    if (end > this.#bytes.length)
      throw this.error(`is incomplete: at least ${end - this.#bytes.length} bytes are missing`)
    const bytes = this.#bytes.subarray(this.#offset, end)
    this.#offset = end
    return bytes
  }

  /** Each tag begins a group or a value, so values are counted here. */
  readTag(): number {
    if (++this.#values > this.rules.valuesMax)
      throw new IppDecodingError(
        `The ${this.rules.what} contains more than the maximum of ${this.rules.valuesMax} values.`,
        'client-error-request-entity-too-large',
      )
    return this.read(1).readUInt8(0)
  }

  readBytes(): Buffer {
    return this.read(this.read(2).readUInt16BE(0))
  }

  readName(): string {
    const bytes = this.readBytes()
    if (bytes.length > this.rules.nameMax) throw this.error(`contains a name of more than ${this.rules.nameMax} bytes`)
    return bytes.toString()
  }

  readRemaining(): Buffer {
    return this.read(this.#bytes.length - this.#offset)
  }
}
