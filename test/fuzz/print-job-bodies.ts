/** Bodies for `POST /v1/printjobs`: right ones of every form, and right ones with one thing spoilt. */

import { random } from '@platen/gateway/tests/tables/cuts.ts'
import { PRINT_JOB, PRINT_JOB_FIELDS } from '@platen/gateway/upload/print-job-request.ts'
import fc from 'fast-check'
import { Members, RawJson, writeJson } from './json-text.ts'
import { membersOf, type Schema, validValue, valuesAtLimits } from './schema-arbitrary.ts'

export interface Body {
  bytes: Buffer
  /** A member stands twice: valid JSON to a parser, but not to the gateway. */
  repeats: boolean
  /** How it was spoilt, for people. */
  what: string
}

/** Where a document may be fetched from; the test's DNS knows the host of the last. */
export const GOOD_URLS = [
  'http://93.184.216.34/a.pdf',
  'https://93.184.216.34:443/a.pdf?b=c',
  'HTTP://93.184.216.34:80',
  'http://[2606:2800:220:1:248:1893:25c8:1946]/é🖨',
  'https://files.example.com/a.pdf',
]
export const BAD_URLS = [
  'http://127.0.0.1/a.pdf',
  'http://2130706433/',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://93.184.216.34:8080/',
  'http://user:pass@93.184.216.34/',
  'http://@93.184.216.34/',
  'http:93.184.216.34',
  'http://93.184.216.34\\@127.0.0.1/',
  'ftp://93.184.216.34/',
  'file:///etc/passwd',
  'http://unknown.example.com/',
  `http://93.184.216.34/${'a'.repeat(2048)}`,
  'JVBERi0x',
  'http',
]

/** Of a job with a document of its own; the other forms are made from it. */
const WITH_CONTENT = PRINT_JOB_FIELDS.omit({ reprintOf: true, authentication: true }).required({
  contentType: true,
  content: true,
})
const authentication = validValue(PRINT_JOB_FIELDS.shape.authentication)

const FIELDS: [string, Schema][] = membersOf(PRINT_JOB)
const OPTIONS: [string, Schema][] = membersOf(PRINT_JOB.shape.options)

const document = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.uint8Array({ maxLength: 300 }).map((tail) => Buffer.from(['%PDF-1.7\n', ...tail].join(''))),
  },
  {
    weight: 2,
    arbitrary: fc.uint8Array({ maxLength: 3_000 }).map((tail) => Buffer.concat([Buffer.from('%PDF-'), tail])),
  },
  { weight: 2, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }).map((size) => Buffer.alloc(size, '%PDF-')) },
)

/** Base64 that is not strict, or not base64 at all. */
const badContent = fc
  .tuple(document, fc.nat(), fc.constantFrom('*', '=', '-', '_', '\n', ' ', '\0', 'é', '🖨', '\ud800', '"'))
  .chain(([bytes, place, intruder]) => {
    const text = bytes.toString('base64')
    const at = place % (text.length + 1)
    return fc.constantFrom(
      text.slice(0, at) + intruder + text.slice(at),
      text.slice(0, at) + intruder + text.slice(at + 1),
      text.slice(0, at),
      text.replace(/=+$/, ''),
      `${text}=`,
      `${text}====`,
      text + text,
      // Bits behind the end.
      text.replace(/[AQgw]==$/, 'B==').replace(/.=$/, 'B='),
      bytes.toString('base64url'),
      bytes.toString('hex'),
    )
  })

/** Anything but what was asked for. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'null', '0', [], {}, -1, 0, 0.5, 1e21, Number.MAX_SAFE_INTEGER, -0),
  fc
    .constantFrom('1e999', '-1e999', '9007199254740993', '1e-400', '-0.0', '123456789'.repeat(50))
    .map((text) => new RawJson(text)),
  fc
    .constantFrom(
      'NaN',
      '01',
      '+1',
      '.5',
      "'x'",
      'undefined',
      '"\\x41"',
      '"\\u12"',
      '"a\tb"',
      '{"a":1,}',
      '[1',
      '//',
      '"',
    )
    .map((text) => new RawJson(text)),
  fc.constantFrom('a\0b', '\0', '\ud800', '\udfffx', 'a\ud83dz').map((text) => text),
  fc.integer({ min: 1, max: 3_000 }).map((depth) => new RawJson('['.repeat(depth) + ']'.repeat(depth))),
  fc.integer({ min: 1, max: 3_000 }).map((depth) => new RawJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)),
  fc
    .integer({ min: 60, max: 70 })
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))),
  fc.jsonValue({ maxDepth: 3 }),
)

export const unknownName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    'Title',
    'colour',
    'reprintOf ',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer({ min: 50, max: 5_000 }).map((length) => 'k'.repeat(length)),
)

const fieldAtLimit = limitsOf(FIELDS)
const optionAtLimit = limitsOf(OPTIONS)

export function limitsOf(fields: [string, Schema][]): fc.Arbitrary<[string, unknown]> {
  const cases = fields.flatMap(([name, schema]) =>
    valuesAtLimits(schema).map((value): [string, unknown] => [name, value]),
  )
  return fc.constantFrom(...cases)
}

/** Some jobs are to be fetched, and some are reprints. */
const otherForm = fc.tuple(
  fc.constantFrom('none', 'none', 'none', 'none', 'none', 'uri', 'reprint'),
  fc.record({
    contentType: fc.constantFrom('pdf_uri', 'raw_uri'),
    content: fc.oneof(fc.constantFrom(...GOOD_URLS), fc.constantFrom(...BAD_URLS)),
    authentication: fc.option(authentication, { nil: undefined }),
  }),
  fc.uuid(),
)

/** @param printerIds some that exist, in whatever state. */
export function printJobBodies(printerIds: string[]): fc.Arbitrary<Body> {
  const valid = fc
    .tuple(validValue(WITH_CONTENT), document, fc.constantFrom(...printerIds), fc.nat({ max: 9 }), otherForm)
    .map(([fields, bytes, printerId, other, [form, uri, reprintOf]]) => ({
      ...(fields as Record<string, unknown>),
      // Mostly the usable printer, and mostly a document that is what it says.
      printerId: other < 8 ? printerIds[0] : printerId,
      content: bytes.toString('base64'),
      ...(other < 9 ? { contentType: bytes.toString('latin1').startsWith('%PDF-') ? 'pdf_base64' : 'raw_base64' } : {}),
      ...(form === 'uri' ? uri : {}),
      ...(form === 'reprint' ? { reprintOf, contentType: undefined, content: undefined } : {}),
    }))

  const fields = valid.chain((body) => {
    const names = Object.keys(body)
    const options = ((body as { options?: unknown }).options ?? {}) as Record<string, unknown>
    const put = (name: string, value: unknown) => ({ ...body, [name]: value })
    const spoilt: fc.Arbitrary<unknown>[] = [
      fc.constantFrom(...names).map((name) => put(name, undefined)),
      fc.tuple(fc.constantFrom(...FIELDS.map(([name]) => name)), oddValue).map(([name, value]) => put(name, value)),
      fieldAtLimit.map(([name, value]) => put(name, value)),
      badContent.map((content) => put('content', content)),
      fc.tuple(unknownName, oddValue).map(([name, value]) => new Members([...Object.entries(body), [name, value]])),
      fc.tuple(fc.constantFrom(...names), fc.boolean()).map(([name, same]) => {
        const again: [string, unknown] = [name, same ? body[name as keyof typeof body] : 'x']
        return new Members([...Object.entries(body), again])
      }),
      unknownName.map((name) => new Members([...Object.entries(body), [name, 1], [name, 2]])),
      optionAtLimit.map(([name, value]) => put('options', { ...options, [name]: value })),
      fc
        .tuple(fc.constantFrom(...OPTIONS.map(([name]) => name)), oddValue)
        .map(([name, value]) => put('options', { ...options, [name]: value })),
      fc
        .tuple(unknownName, oddValue)
        .map(([name, value]) => put('options', new Members([...Object.entries(options), [name, value]]))),
      oddValue,
    ]
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant<unknown>(body) },
      ...spoilt.map((arbitrary) => ({ weight: 1, arbitrary })),
    )
  })

  const written = fc.tuple(fields, fc.nat()).map(([value, style]): Body => {
    const bytes = Buffer.from(writeJson(withoutUndefined(value), random(style)))
    return { bytes, repeats: hasRepeats(value), what: 'fields' }
  })
  return fc.oneof({ weight: 6, arbitrary: written }, { weight: 1, arbitrary: written.chain(damaged) })
}

/** One thing goes wrong with the bytes on their way. */
export function damaged(body: Body): fc.Arbitrary<Body> {
  const { bytes } = body
  return fc.tuple(fc.nat({ max: bytes.length }), fc.nat({ max: 255 }), fc.nat({ max: 7 })).map(([at, byte, kind]) => {
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    const one = Buffer.from([byte])
    const results: [string, Buffer][] = [
      ['cut off', before],
      ['begins late', after],
      ['one byte changed', Buffer.concat([before, one, after.subarray(1)])],
      ['one byte more', Buffer.concat([before, one, after])],
      ['no UTF-8', Buffer.concat([before, Buffer.from([0xed, 0xa0, 0x80]), after])],
      ['an overlong form', Buffer.concat([before, Buffer.from([0xc0, 0xaf]), after])],
      ['twice', Buffer.concat([bytes, bytes])],
      ['a byte order mark', Buffer.concat([Buffer.from('\ufeff'), bytes])],
    ]
    const [what, result] = results[kind] as [string, Buffer]
    return { bytes: result, repeats: body.repeats, what }
  })
}

export function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Members || value instanceof RawJson) return value
  if (Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}

export function hasRepeats(value: unknown): boolean {
  if (value instanceof Members) {
    const names = value.entries.map(([name]) => name)
    return new Set(names).size < names.length || value.entries.some(([, member]) => hasRepeats(member))
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(hasRepeats)
}
