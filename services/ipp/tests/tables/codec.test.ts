import { recordedPrinter } from '@platen/agent/tests/cups/recorded.ts'
import { describe, expect, test } from 'vitest'
import type { IppTyped } from '../../attributes.ts'
import { decodeMessage, decodeRequest } from '../../decode.ts'
import { IppDecodingError } from '../../decoding-error.ts'
import { encodeMessage } from '../../encode.ts'
import { createDocumentFinder } from '../../find-document.ts'
import { toStatus } from '../../status-codes.ts'
import { GROUPS, SYNTAXES } from '../../tags.ts'
import { NO_VALUE } from '../../typed.ts'

const HEAD = Buffer.from([2, 0, 0, 0, 0, 0, 0, 1, GROUPS.printer])

/** Encodes one value of an attribute. */
const value = (tag: number, name: string, bytes: Buffer | string) => {
  const content = Buffer.from(bytes as string)
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16BE(Buffer.byteLength(name), 0)
  lengths.writeUInt16BE(content.length, 2)
  return Buffer.concat([Buffer.of(tag), lengths.subarray(0, 2), Buffer.from(name), lengths.subarray(2), content])
}

const createMessage = (...values: Buffer[]) => Buffer.concat([HEAD, ...values, Buffer.of(0x03)])

const decodeOne = (...values: Buffer[]) => ({ ...decodeMessage(createMessage(...values)).groups[0]?.attributes })

type Sample = [name: string, IppTyped, decoded: unknown]
const createSamples = (...all: IppTyped[]) =>
  all.map((typed, n): Sample => [`${typed.syntax} ${n}`, typed, typed.value])
const TEXTS = ['keyword', 'uri', 'nameWithoutLanguage', 'textWithoutLanguage', 'mimeMediaType'] as const

/** Values at the limits of each syntax, and the expected decoded values. */
const SAMPLES = [
  ...[-(2 ** 31), -1, 0, 2 ** 31 - 1].flatMap((value) =>
    createSamples(
      { syntax: 'integer', value },
      { syntax: 'enum', value },
      { syntax: 'rangeOfInteger', value: { lower: value, upper: value } },
    ).map(([name, ...more]): Sample => [`${name} ${value}`, ...more]),
  ),
  ...createSamples(...[true, false].map((value) => ({ syntax: 'boolean', value }) as const), NO_VALUE),
  ...TEXTS.flatMap((syntax) => createSamples(...['', 'a', 'Größe 🖨'].map((value) => ({ syntax, value })))),
  ...createSamples(
    { syntax: 'dateTime', value: new Date('2026-11-29T23:59:59.900Z') },
    { syntax: 'octetString', value: 'MFG:Platen;' },
    { syntax: 'uriScheme', value: 'ipps' },
    { syntax: 'unknown', value: null },
    { syntax: 'unsupported', value: null },
  ),
  ...createSamples(
    ...(['dpi', 'dpcm'] as const).map((unit) => ({ syntax: 'resolution', value: { x: 300, y: 600, unit } }) as const),
  ),
]
SAMPLES.push(
  ...(['nameWithLanguage', 'textWithLanguage'] as const).map((syntax): Sample => {
    return [syntax, { syntax, value: { language: 'de', text: 'Küche' } }, 'Küche']
  }),
)
const typed = Object.fromEntries(SAMPLES.map(([name, value]) => [name, value]))
const DECODED = Object.fromEntries(SAMPLES.map(([name, , decoded]) => [name, [decoded]]))
const inner: IppTyped = { syntax: 'collection', value: { copies: { syntax: 'integer', value: 7 } } }
const outer: IppTyped = { syntax: 'collection', value: { inner, two: [inner, inner] } }
const attributes = { ...typed, outer }
const MESSAGE = { version: [2, 1] as [number, number], code: 5, requestId: -1 }
const ENCODED = encodeMessage({ ...MESSAGE, groups: [{ tag: GROUPS.job, attributes }] })

describe('responses of CUPS and its devices are decoded', () => {
  test('including out-of-band values, times and collections of a device', () => {
    const device = recordedPrinter('laser-device')
    const values = { 'printer-geo-location': [null], 'printer-current-time': [expect.any(Date)], 'printer-state': [3] }
    expect(device).toMatchObject({ ...values, 'copies-supported': [{ lower: 1, upper: 99 }] })
    expect(device['media-size-supported']?.at(-1)).toEqual({
      'x-dimension': [{ lower: 7620, upper: 21600 }],
      'y-dimension': [{ lower: 12700, upper: 35600 }],
    })
  })

  test('with the first of two attributes of the same name', () => {
    // ippeveprinter sends this attribute from the file of the test and a second time.
    const formats = ['application/octet-stream', 'application/pdf', 'image/pwg-raster', 'image/urf']
    expect(recordedPrinter('laser-device')['document-format-supported']).toEqual(formats)
  })
})

describe('unusual responses are decoded', () => {
  test.each([
    ['integer', 'ab'],
    ['boolean', ''],
    ['enum', 'abcde'],
    ['resolution', '12345678'],
    ['resolution', '12345678\x09'],
    ['rangeOfInteger', '1234'],
    ['dateTime', 'yesterday'],
    ['textWithLanguage', '\0'],
    ['textWithLanguage', '\0\x63en\0\x01a'],
    ['nameWithLanguage', '\0\x02en\0\x63a'],
  ] as const)('an invalid %s is decoded to null: %j', (syntax, bytes) => {
    expect(decodeOne(value(SYNTAXES[syntax], 'a', bytes))).toEqual({ a: [null] })
  })

  test('values of unknown syntaxes are decoded to null, unknown texts and texts with a language to text', () => {
    const unknown = [value(0x7f, 'a', '\0\0\x40\x01xyz'), value(0x20, 'b', '1234'), value(0x5f, 'c', 'é')]
    const name = value(SYNTAXES.nameWithLanguage, 'd', '\0\x02de\0\x02ab')
    const text = value(SYNTAXES.textWithLanguage, 'e', '\0\x02de\0\x02é')
    expect(decodeOne(...unknown, name, text)).toEqual({ a: [null], b: [null], c: ['é'], d: ['ab'], e: ['é'] })
  })

  test('times are decoded with their offset', () => {
    const time = Buffer.from([0x07, 0xea, 11, 21, 23, 30, 15, 5, '+'.charCodeAt(0), 2, 30])
    expect(decodeOne(value(SYNTAXES.dateTime, 'a', time))).toEqual({ a: [new Date('2026-11-21T21:00:15.500Z')] })
    time.write('-', 8)
    expect(decodeOne(value(SYNTAXES.dateTime, 'a', time))).toEqual({ a: [new Date('2026-11-22T02:00:15.500Z')] })
  })

  test('unknown groups are kept, and unknown statuses are decoded to the general status of their class', () => {
    const bytes = Buffer.concat([HEAD.subarray(0, 8), Buffer.of(0x0d), value(SYNTAXES.keyword, 'a', 'b'), Buffer.of(3)])
    expect(decodeMessage(bytes).groups).toEqual([{ tag: 0x0d, attributes: { a: ['b'] } }])
    expect([0x0007, 0x00fe, 0x0406, 0x04fe, 0x0507, 0x05fe, 0x0300, 0xffff].map(toStatus)).toEqual([
      'successful-ok-events-complete',
      'successful-ok',
      'client-error-not-found',
      'client-error-bad-request',
      'server-error-busy',
      'server-error-internal-error',
      'server-error-internal-error',
      'server-error-internal-error',
    ])
  })

  test('a member without a value is decoded to null, and any name is allowed', () => {
    const collection = [
      value(SYNTAXES.collection, '__proto__', ''),
      value(SYNTAXES.memberAttrName, '', 'empty'),
      value(SYNTAXES.memberAttrName, '', 'constructor'),
      value(SYNTAXES.keyword, '', 'a'),
      value(SYNTAXES.endCollection, '', ''),
    ]
    const [group] = decodeMessage(createMessage(...collection)).groups
    expect(Object.entries(group?.attributes ?? {})).toEqual([['__proto__', [{ empty: [null], constructor: ['a'] }]]])
    expect(({} as Record<string, unknown>).empty).toBeUndefined()
  })
})

describe('an invalid message is an error', () => {
  test('if it ends at any byte', () => {
    for (let length = 0; length < ENCODED.length; length++)
      expect(() => decodeMessage(ENCODED.subarray(0, length)), `${length} bytes`).toThrow(IppDecodingError)
  })

  test('if it contains a value without an attribute, a member without a name or a collection without an end', () => {
    expect(() => decodeOne(value(SYNTAXES.integer, '', '1234'))).toThrow('without an attribute')
    const open = value(SYNTAXES.collection, 'a', '')
    expect(() => decodeOne(open, value(SYNTAXES.integer, '', '1234'))).toThrow('without a name')
    expect(() => decodeOne(open)).toThrow('without an end')
  })

  test('if it contains more than 16 nested collections', () => {
    const createNested = (depth: number) => [
      ...Array.from({ length: depth }, (_, level) => [
        value(SYNTAXES.collection, level === 0 ? 'a' : '', ''),
        value(SYNTAXES.memberAttrName, '', 'm'),
      ]).flat(),
      ...Array.from({ length: depth }, () => value(SYNTAXES.endCollection, '', '')),
    ]
    expect(decodeOne(...createNested(16))).toHaveProperty('a')
    expect(() => decodeOne(...createNested(17))).toThrow('more than 16 nested collections')
  })

  test('if it contains more than 250,000 values', () => {
    const createValues = (count: number) =>
      Buffer.concat([value(0x13, 'a', ''), Buffer.concat(Array<Buffer>(count - 1).fill(value(0x13, '', '')))])
    // The delimiters of the group and of the end are counted as values.
    expect(decodeOne(createValues(249_998)).a).toHaveLength(249_998)
    expect(() => decodeOne(createValues(249_999 + 1))).toThrow('more than the maximum of 250000 values')
  })

  test('of type IppDecodingError, or is decoded, after any change of one byte', () => {
    for (let index = 0; index < ENCODED.length; index++)
      for (const byte of [0, 1, 3, 0x13, 0x34, 0x37, 0x4a, 0x7f, 0x80, 0xff])
        try {
          decodeMessage(Buffer.from(ENCODED).fill(byte, index, index + 1))
        } catch (error) {
          if (!(error instanceof IppDecodingError)) throw new Error(`byte ${index} is ${byte}`, { cause: error })
        }
  })
})

describe('a request', () => {
  test('is decoded to the encoded values of each syntax, at their limits and in collections, and the data after them', () => {
    const copies = { copies: [7] }
    const outer = [{ inner: [copies], two: [copies, copies] }]
    const groups = [{ tag: GROUPS.job, attributes: { ...DECODED, outer } }]
    const data = Buffer.from('*PPD-Adobe: "4.3"')
    expect(decodeMessage(Buffer.concat([ENCODED, data]))).toEqual({ ...MESSAGE, groups, data })
  })

  test('contains the name of an attribute with its first value only', () => {
    const members = [value(SYNTAXES.memberAttrName, '', 'copies'), value(SYNTAXES.integer, '', '\0\0\0\x07')]
    const collection = (name: string) => [
      value(SYNTAXES.collection, name, ''),
      ...members,
      value(SYNTAXES.endCollection, '', ''),
    ]
    const groups = [{ tag: GROUPS.printer, attributes: { a: [inner, inner] } }]
    const bytes = encodeMessage({ version: [2, 0], code: 0, requestId: 1, groups })
    expect(bytes).toEqual(createMessage(...collection('a'), ...collection('')))
  })

  test('can contain names and values of up to 32,767 bytes', () => {
    const message = (length: number, name = 'a') => {
      const attributes = { [name]: { syntax: 'keyword', value: 'x'.repeat(length) } } as const
      return encodeMessage({ ...MESSAGE, groups: [{ tag: GROUPS.operation, attributes }] })
    }
    expect(message(32_767).length).toBe(8 + 1 + 5 + 1 + 32_767 + 1)
    expect(() => message(32_768)).toThrow('The IPP attribute "a" is longer than 32767 bytes.')
    expect(message(0, 'n'.repeat(32_767)).length).toBe(8 + 1 + 5 + 32_767 + 1)
    expect(() => message(0, 'n'.repeat(32_768))).toThrow(`"${'n'.repeat(80)}" is longer`)
  })
})

describe('a strict reader of requests', () => {
  const decodeStrictly = (...values: Buffer[]) => decodeRequest(createMessage(...values))
  const nulls = (count: number) => [value(0x13, 'a', ''), ...Array<Buffer>(count - 1).fill(value(0x13, '', ''))]

  test('reads what is encoded', () => {
    expect(decodeRequest(ENCODED)).toEqual(decodeMessage(ENCODED))
  })

  test('refuses an invalid value of a known syntax, also in a collection, and keeps one of an unknown syntax as null', () => {
    const invalid = value(SYNTAXES.integer, '', 'ab')
    const member = [value(SYNTAXES.memberAttrName, '', 'm'), invalid, value(SYNTAXES.endCollection, '', '')]
    expect(() => decodeStrictly(value(SYNTAXES.integer, 'a', 'ab'))).toThrow('invalid in its syntax')
    expect(() => decodeStrictly(value(SYNTAXES.collection, 'a', ''), ...member)).toThrow('invalid in its syntax')
    expect(decodeStrictly(value(0x7f, 'a', 'x')).groups[0]?.attributes).toMatchObject({ a: [null] })
  })

  test('refuses an attribute that is repeated in its group, and permits it in another one', () => {
    const one = value(SYNTAXES.keyword, 'a', 'x')
    expect(() => decodeStrictly(one, one)).toThrow('the attribute "a" twice')
    expect(decodeStrictly(one, Buffer.of(GROUPS.job), one).groups).toHaveLength(2)
  })

  test('permits names of 255 bytes and 1,000 groups and values, and no more', () => {
    const named = (length: number) => value(SYNTAXES.keyword, 'n'.repeat(length), 'x')
    expect(decodeStrictly(named(255)).groups).toHaveLength(1)
    expect(() => decodeStrictly(named(256))).toThrow('a name of more than 255 bytes')
    // The delimiters of the group and of the end are counted as values.
    expect(decodeStrictly(...nulls(998)).groups[0]?.attributes.a).toHaveLength(998)
    const tooMany = { status: 'client-error-request-entity-too-large' }
    expect(() => decodeStrictly(...nulls(999))).toThrow(expect.objectContaining(tooMany))
  })
})

describe('the document of a request is found', () => {
  const document = Buffer.from('%PDF-1.7')
  const request = Buffer.concat([ENCODED, document])

  test('at the end of the attributes, however the bytes arrive', () => {
    for (const step of [1, 7, 1000, request.length]) {
      const find = createDocumentFinder()
      let found: number | undefined
      for (let length = step; found === undefined; length += step) found = find(request.subarray(0, length))
      expect(request.subarray(found), `${step} bytes at once`).toEqual(document)
    }
  })

  test('in at most 64 KiB', () => {
    const attributes = (length: number) =>
      createMessage(
        ...[value(SYNTAXES.octetString, 'a', 'x'.repeat(32_000)), value(SYNTAXES.octetString, 'b', 'x'.repeat(32_000))],
        value(SYNTAXES.octetString, 'c', 'x'.repeat(length)),
      )
    const largest = attributes(0).length
    const cut = (bytes: Buffer) => createDocumentFinder()(bytes.subarray(0, -1))
    expect(cut(attributes(65_537 - largest))).toBeUndefined()
    const find = (bytes: Buffer) => createDocumentFinder()(bytes)
    expect(find(attributes(65_536 - largest))).toBe(65_536)
    expect(() => find(attributes(65_537 - largest))).toThrow('more than 65536 bytes')
    expect(() => cut(attributes(65_538 - largest))).toThrow('more than 65536 bytes')
  })

  test('among at most 1,000 values, and a million empty groups end at once', () => {
    const empty = Buffer.alloc(1_000_000, GROUPS.job)
    expect(() => createDocumentFinder()(Buffer.concat([HEAD, empty]))).toThrow('more than 1000 values')
    expect(createDocumentFinder()(Buffer.concat([HEAD, empty.subarray(0, 999)]))).toBeUndefined()
  })
})
