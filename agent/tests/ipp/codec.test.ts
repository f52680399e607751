import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { IppTyped, IppTypedAttributes } from '../../ipp/attributes.ts'
import { decodeMessage } from '../../ipp/decode.ts'
import { encodeMessage } from '../../ipp/encode.ts'
import { IppDecodingError } from '../../ipp/ipp-error.ts'
import { statusOf } from '../../ipp/status-codes.ts'
import { GROUPS, SYNTAXES } from '../../ipp/tags.ts'
import { readRecording, recordedPrinter, recordedPrinters } from '../cups/recorded.ts'

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

describe('what CUPS and its devices say is read', () => {
  test('queues of CUPS, with all their attributes', () => {
    const printers = recordedPrinters('cups-printers')
    expect(printers.map((printer) => printer['printer-name']?.[0])).toEqual([
      'A4_Laser',
      'Label_4x6',
      'Null_Raw',
      'Receipt_Raw',
      'Zpl_Raw',
    ])
    expect(Object.keys(printers[0] ?? {}).length).toBeGreaterThan(100)
  })

  test('every syntax that a device uses', () => {
    const device = recordedPrinter('laser-device')
    expect(device).toMatchObject({
      'printer-state': [3],
      'color-supported': [false],
      'copies-supported': [{ lower: 1, upper: 99 }],
      'printer-resolution-supported': [
        { x: 300, y: 300, unit: 'dpi' },
        { x: 600, y: 600, unit: 'dpi' },
      ],
      'printer-geo-location': [null],
      'printer-current-time': [expect.any(Date)],
      'media-source-supported': ['auto', 'tray-1', 'tray-2', 'manual'],
    })
    expect(device['media-size-supported']?.at(-1)).toEqual({
      'x-dimension': [{ lower: 7620, upper: 21600 }],
      'y-dimension': [{ lower: 12700, upper: 35600 }],
    })
  })

  test('of an attribute that is there twice the first counts', () => {
    // ippeveprinter says this one from the test's file and again by itself.
    expect(recordedPrinter('laser-device')['document-format-supported']).toEqual([
      'application/octet-stream',
      'application/pdf',
      'image/pwg-raster',
      'image/urf',
    ])
  })
})

describe('what printers may send is no error', () => {
  test('values that are not as their syntax wants are null', () => {
    const wrong = [
      [SYNTAXES.integer, 'ab'],
      [SYNTAXES.boolean, ''],
      [SYNTAXES.enum, 'abcde'],
      [SYNTAXES.resolution, '12345678'],
      [SYNTAXES.resolution, '12345678\x09'],
      [SYNTAXES.rangeOfInteger, '1234'],
      [SYNTAXES.dateTime, 'yesterday'],
      [SYNTAXES.textWithLanguage, '\0'],
      [SYNTAXES.textWithLanguage, '\0\x63en\0\x01a'],
      [SYNTAXES.nameWithLanguage, '\0\x02en\0\x63a'],
    ] as const
    for (const [tag, bytes] of wrong) expect(decodeOne(value(tag, 'a', bytes))).toEqual({ a: [null] })
  })

  test('syntaxes that nobody knows are null, unknown kinds of text are text', () => {
    expect(decodeOne(value(0x7f, 'a', '\0\0\x40\x01xyz'), value(0x20, 'b', '1234'), value(0x5f, 'c', 'é'))).toEqual({
      a: [null],
      b: [null],
      c: ['é'],
    })
  })

  test('text in a language is its text', () => {
    expect(decodeOne(value(SYNTAXES.nameWithLanguage, 'a', '\0\x02de\0\x02ab'))).toEqual({ a: ['ab'] })
    expect(decodeOne(value(SYNTAXES.textWithLanguage, 'a', '\0\x02de\0\x02é'))).toEqual({ a: ['é'] })
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
    expect([0x0007, 0x00fe, 0x0406, 0x04fe, 0x0507, 0x05fe, 0x0300, 0xffff].map(statusOf)).toEqual([
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

describe('what cannot be read is said', () => {
  test('an answer that breaks off, wherever', () => {
    const bytes = readRecording('label-device')
    for (let length = 0; length < bytes.length; length++)
      expect(() => decodeMessage(bytes.subarray(0, length)), `${length} bytes`).toThrow(IppDecodingError)
  })

  test('values of nobody, members of nobody, a collection that does not end', () => {
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

  test('any bytes at all are an answer or an IppDecodingError', () => {
    const recorded = readRecording('label-device')
    const changed = fc
      .tuple(fc.nat(recorded.length - 1), fc.uint8Array({ minLength: 1, maxLength: 8 }))
      .map(([at, bytes]) => Buffer.concat([recorded.subarray(0, at), bytes, recorded.subarray(at + bytes.length)]))
    const any = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.concat([HEAD, bytes]))
    fc.assert(
      fc.property(fc.oneof(changed, any), (bytes) => {
        try {
          decodeMessage(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(IppDecodingError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what is written', () => {
  const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const syntaxes = ['keyword', 'uri', 'nameWithoutLanguage', 'textWithoutLanguage', 'mimeMediaType'] as const
  const { attributes } = fc.letrec<{ typed: IppTyped; attributes: IppTypedAttributes }>((tie) => ({
    typed: fc.oneof(
      { maxDepth: 3 },
      fc.record({ syntax: fc.constantFrom('integer', 'enum'), value: int32 }),
      fc.record({ syntax: fc.constant('boolean'), value: fc.boolean() }),
      fc.record({ syntax: fc.constantFrom(...syntaxes), value: text }),
      fc.record({ syntax: fc.constant('rangeOfInteger'), value: fc.record({ lower: int32, upper: int32 }) }),
      fc.record({
        syntax: fc.constant('resolution'),
        value: fc.record({ x: int32, y: int32, unit: fc.constantFrom('dpi', 'dpcm') }),
      }),
      fc.record({ syntax: fc.constant('collection'), value: tie('attributes') }),
    ) as fc.Arbitrary<IppTyped>,
    attributes: fc.dictionary(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.array(tie('typed') as fc.Arbitrary<IppTyped>, { minLength: 1, maxLength: 3 }),
      { maxKeys: 5, noNullPrototype: true },
    ) as fc.Arbitrary<IppTypedAttributes>,
  }))

  /** Without the syntaxes, as it is read. */
  const plain = (typed: IppTypedAttributes): unknown =>
    Object.fromEntries(
      Object.entries(typed).map(([name, values]) => [
        name,
        [values].flat().map((one) => (one.syntax === 'collection' ? plain(one.value) : one.value)),
      ]),
    )

  test('is read as it was meant', () => {
    fc.assert(
      fc.property(attributes, int32, (written, requestId) => {
        const groups = [{ tag: GROUPS.job, attributes: written }]
        const read = decodeMessage(encodeMessage({ version: [2, 0], code: 5, requestId, groups }))
        expect(read).toEqual({
          version: [2, 0],
          code: 5,
          requestId,
          groups: [{ tag: GROUPS.job, attributes: plain(written) }],
        })
      }),
      { numRuns: 500 },
    )
  })

  test('a value of 32,767 bytes is sent, a longer one is not', () => {
    const message = (length: number) =>
      encodeMessage({
        version: [2, 0],
        code: 2,
        requestId: 1,
        groups: [{ tag: GROUPS.operation, attributes: { a: { syntax: 'keyword', value: 'x'.repeat(length) } } }],
      })
    expect(message(32_767).length).toBe(8 + 1 + 5 + 1 + 32_767 + 1)
    expect(() => message(32_768)).toThrow('The IPP attribute "a" is longer than 32767 bytes.')
  })
})
