import { describe, expect, test } from 'vitest'
import type { IppTyped } from '../../ipp/attributes.ts'
import { decodeMessage } from '../../ipp/decode.ts'
import { encodeMessage } from '../../ipp/encode.ts'
import { IppDecodingError } from '../../ipp/ipp-error.ts'
import { toStatus } from '../../ipp/status-codes.ts'
import { GROUPS, SYNTAXES } from '../../ipp/tags.ts'
import { recordedPrinter } from '../cups/recorded.ts'

const HEAD = Buffer.from([2, 0, 0, 0, 0, 0, 0, 1, GROUPS.printer])

/** One value of an attribute, as it stands on the wire. */
const value = (tag: number, name: string, bytes: Buffer | string) => {
  const content = Buffer.from(bytes as string)
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16BE(Buffer.byteLength(name), 0)
  lengths.writeUInt16BE(content.length, 2)
  return Buffer.concat([Buffer.of(tag), lengths.subarray(0, 2), Buffer.from(name), lengths.subarray(2), content])
}

const answer = (...values: Buffer[]) => Buffer.concat([HEAD, ...values, Buffer.of(0x03)])

const decodeOne = (...values: Buffer[]) => ({ ...decodeMessage(answer(...values)).groups[0]?.attributes })

type Written = [name: string, IppTyped, read: unknown]
const written = (...all: IppTyped[]) => all.map((typed, n): Written => [`${typed.syntax} ${n}`, typed, typed.value])
const TEXTS = ['keyword', 'uri', 'nameWithoutLanguage', 'textWithoutLanguage', 'mimeMediaType'] as const

/** Each syntax at its limits: how it is written and how it is read. */
const WRITTEN = [
  ...[-(2 ** 31), -1, 0, 2 ** 31 - 1].flatMap((value) =>
    written(
      { syntax: 'integer', value },
      { syntax: 'enum', value },
      { syntax: 'rangeOfInteger', value: { lower: value, upper: value } },
    ).map(([name, ...more]): Written => [`${name} ${value}`, ...more]),
  ),
  ...written(...[true, false].map((value) => ({ syntax: 'boolean', value }) as const)),
  ...TEXTS.flatMap((syntax) => written(...['', 'a', 'Größe 🖨'].map((value) => ({ syntax, value })))),
  ...written(
    ...(['dpi', 'dpcm'] as const).map((unit) => ({ syntax: 'resolution', value: { x: 300, y: 600, unit } }) as const),
  ),
]
const typed = Object.fromEntries(WRITTEN.map(([name, value]) => [name, value]))
const PLAIN = Object.fromEntries(WRITTEN.map(([name, , read]) => [name, [read]]))
const inner: IppTyped = { syntax: 'collection', value: { copies: { syntax: 'integer', value: 7 } } }
const outer: IppTyped = { syntax: 'collection', value: { inner, two: [inner, inner] } }
const attributes = { ...typed, outer }
const MESSAGE = { version: [2, 1] as [number, number], code: 5, requestId: -1 }
const SAMPLE = encodeMessage({ ...MESSAGE, groups: [{ tag: GROUPS.job, attributes }] })

describe('answers of CUPS and its devices are read', () => {
  test('out-of-band values, times and collections of a device', () => {
    const device = recordedPrinter('laser-device')
    const values = { 'printer-geo-location': [null], 'printer-current-time': [expect.any(Date)], 'printer-state': [3] }
    expect(device).toMatchObject({ ...values, 'copies-supported': [{ lower: 1, upper: 99 }] })
    expect(device['media-size-supported']?.at(-1)).toEqual({
      'x-dimension': [{ lower: 7620, upper: 21600 }],
      'y-dimension': [{ lower: 12700, upper: 35600 }],
    })
  })

  test('the first of two attributes with one name counts', () => {
    // ippeveprinter sends this one from the test's file and a second time.
    const formats = ['application/octet-stream', 'application/pdf', 'image/pwg-raster', 'image/urf']
    expect(recordedPrinter('laser-device')['document-format-supported']).toEqual(formats)
  })
})

describe('unusual answers are no error', () => {
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
  ] as const)('an invalid %s is null: %j', (syntax, bytes) => {
    expect(decodeOne(value(SYNTAXES[syntax], 'a', bytes))).toEqual({ a: [null] })
  })

  test('unknown syntaxes are null; unknown kinds of text, and text in a language, are text', () => {
    const unknown = [value(0x7f, 'a', '\0\0\x40\x01xyz'), value(0x20, 'b', '1234'), value(0x5f, 'c', 'é')]
    const name = value(SYNTAXES.nameWithLanguage, 'd', '\0\x02de\0\x02ab')
    const text = value(SYNTAXES.textWithLanguage, 'e', '\0\x02de\0\x02é')
    expect(decodeOne(...unknown, name, text)).toEqual({ a: [null], b: [null], c: ['é'], d: ['ab'], e: ['é'] })
  })

  test('times are read with their offset', () => {
    const time = Buffer.from([0x07, 0xea, 11, 21, 23, 30, 15, 5, '+'.charCodeAt(0), 2, 30])
    expect(decodeOne(value(SYNTAXES.dateTime, 'a', time))).toEqual({ a: [new Date('2026-11-21T21:00:15.500Z')] })
    time.write('-', 8)
    expect(decodeOne(value(SYNTAXES.dateTime, 'a', time))).toEqual({ a: [new Date('2026-11-22T02:00:15.500Z')] })
  })

  test('groups and statuses that are unknown are kept, and count as their class', () => {
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

  test('a member without a value has none, and a name may be any', () => {
    const collection = [
      value(SYNTAXES.collection, '__proto__', ''),
      value(SYNTAXES.memberAttrName, '', 'empty'),
      value(SYNTAXES.memberAttrName, '', 'constructor'),
      value(SYNTAXES.keyword, '', 'a'),
      value(SYNTAXES.endCollection, '', ''),
    ]
    const [group] = decodeMessage(answer(...collection)).groups
    expect(Object.entries(group?.attributes ?? {})).toEqual([['__proto__', [{ empty: [null], constructor: ['a'] }]]])
    expect(({} as Record<string, unknown>).empty).toBeUndefined()
  })
})

describe('what cannot be read is an error', () => {
  test('an answer that ends at any byte', () => {
    for (let length = 0; length < SAMPLE.length; length++)
      expect(() => decodeMessage(SAMPLE.subarray(0, length)), `${length} bytes`).toThrow(IppDecodingError)
  })

  test('a value without an attribute, a member without a name, a collection without an end', () => {
    expect(() => decodeOne(value(SYNTAXES.integer, '', '1234'))).toThrow('belongs to no attribute')
    const open = value(SYNTAXES.collection, 'a', '')
    expect(() => decodeOne(open, value(SYNTAXES.integer, '', '1234'))).toThrow('has no name')
    expect(() => decodeOne(open)).toThrow('does not end')
  })

  test('collections within collections are read 16 deep and no deeper', () => {
    const nested = (depth: number) => [
      ...Array.from({ length: depth }, (_, at) => [
        value(SYNTAXES.collection, at === 0 ? 'a' : '', ''),
        value(SYNTAXES.memberAttrName, '', 'm'),
      ]).flat(),
      ...Array.from({ length: depth }, () => value(SYNTAXES.endCollection, '', '')),
    ]
    expect(decodeOne(...nested(16))).toHaveProperty('a')
    expect(() => decodeOne(...nested(17))).toThrow('more than 16 deep')
  })

  test('250,000 values are read and no more', () => {
    const many = (count: number) =>
      Buffer.concat([value(0x13, 'a', ''), Buffer.concat(Array<Buffer>(count - 1).fill(value(0x13, '', '')))])
    // The delimiters of group and end count as values.
    expect(decodeOne(many(249_998)).a).toHaveLength(249_998)
    expect(() => decodeOne(many(249_999 + 1))).toThrow('more than 250000 values')
  })

  test('each byte of an answer, changed to other values, leaves an answer or an IppDecodingError', () => {
    for (let at = 0; at < SAMPLE.length; at++)
      for (const byte of [0, 1, 3, 0x13, 0x34, 0x37, 0x4a, 0x7f, 0x80, 0xff])
        try {
          decodeMessage(Buffer.from(SAMPLE).fill(byte, at, at + 1))
        } catch (error) {
          if (!(error instanceof IppDecodingError)) throw new Error(`byte ${at} is ${byte}`, { cause: error })
        }
  })
})

describe('a request', () => {
  test('each syntax is read as it was written, at its limits and in collections', () => {
    const copies = { copies: [7] }
    const outer = [{ inner: [copies], two: [copies, copies] }]
    const groups = [{ tag: GROUPS.job, attributes: { ...PLAIN, outer } }]
    expect(decodeMessage(SAMPLE)).toEqual({ ...MESSAGE, groups })
  })

  test('the first value of an attribute has its name; further values and those in a collection have none', () => {
    const members = [value(SYNTAXES.memberAttrName, '', 'copies'), value(SYNTAXES.integer, '', '\0\0\0\x07')]
    const collection = (name: string) => [
      value(SYNTAXES.collection, name, ''),
      ...members,
      value(SYNTAXES.endCollection, '', ''),
    ]
    const groups = [{ tag: GROUPS.printer, attributes: { a: [inner, inner] } }]
    const bytes = encodeMessage({ version: [2, 0], code: 0, requestId: 1, groups })
    expect(bytes).toEqual(answer(...collection('a'), ...collection('')))
  })

  test('a name or a value of 32,767 bytes is sent, a longer one is not', () => {
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
