/**
 * Generated messages beside another implementation of the encoding, ipp-encoder. It knows no ranges, resolutions and
 * collections.
 */
import fc from 'fast-check'
import ippEncoder from 'ipp-encoder'
import { expect, test } from 'vitest'
import type { IppTyped, IppValue } from '../../attributes.ts'
import { decodeMessage } from '../../decode.ts'
import { encodeMessage } from '../../encode.ts'
import { GROUPS, SYNTAXES } from '../../tags.ts'

/** A value to encode, the decoded value, and the value of the other implementation. */
interface Sample {
  typed: IppTyped
  decoded: IppValue
  other: unknown
}

const TEXTS = [
  ...(['keyword', 'uri', 'uriScheme', 'charset', 'naturalLanguage', 'mimeMediaType'] as const),
  ...(['nameWithoutLanguage', 'textWithoutLanguage', 'octetString'] as const),
]
const NUMBERS = ['integer', 'enum'] as const
const LOCALIZED = ['nameWithLanguage', 'textWithLanguage'] as const
const OUT_OF_BAND = ['noValue', 'unknown', 'unsupported'] as const

const text = fc.string({ unit: 'binary', maxLength: 40 })
const integer = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
/** The encoding has tenths of seconds. */
const time = fc.nat(Date.UTC(2030, 0) / 100).map((tenths) => new Date(tenths * 100))

const toSample = (typed: IppTyped & { value: IppValue }): Sample => ({
  ...{ typed, decoded: typed.value, other: typed.value },
})

/** One for each syntax, because the values of an attribute have the same one. */
const SAMPLES: fc.Arbitrary<Sample>[] = [
  ...TEXTS.map((syntax) => text.map((value) => toSample({ syntax, value }))),
  ...NUMBERS.map((syntax) => integer.map((value) => toSample({ syntax, value }))),
  ...OUT_OF_BAND.map((syntax) => fc.constant({ ...toSample({ syntax, value: null }), other: '' })),
  ...LOCALIZED.map((syntax) =>
    fc.record({ language: text, text }).map((value): Sample => {
      const { language: lang, text } = value
      return { typed: { syntax, value }, decoded: text, other: { lang, value: text } }
    }),
  ),
  fc.boolean().map((value) => toSample({ syntax: 'boolean', value })),
]
const TIMES = time.map((value) => toSample({ syntax: 'dateTime', value }))

const createMessages = (samples: fc.Arbitrary<Sample>[]) => {
  const values = fc.oneof(...samples.map((one) => fc.array(one, { minLength: 1, maxLength: 4 })))
  const attribute = fc.record({ name: fc.stringMatching(/^[a-z][a-z0-9._-]{0,60}$/), values })
  const attributes = fc.uniqueArray(attribute, { selector: ({ name }) => name, maxLength: 8 })
  const tag = fc.constantFrom(...Object.values(GROUPS))
  const groups = fc.array(fc.record({ tag, attributes }), { maxLength: 5 })
  // The other implementation reads codes and versions as signed numbers.
  return fc.record({
    version: fc.tuple(fc.nat(127), fc.nat(127)),
    code: fc.nat(2 ** 15 - 1),
    requestId: integer,
    groups,
  })
}
type Message = ReturnType<typeof createMessages> extends fc.Arbitrary<infer T> ? T : never

/** @returns the message with the values that are typed, or those that are decoded. */
const toOurs = <Key extends 'typed' | 'decoded'>(message: Message, key: Key) => {
  const groups = message.groups.map(({ tag, attributes }) => {
    const entries = attributes.map(({ name, values }) => [name, values.map((one) => one[key])] as const)
    return { tag, attributes: Object.fromEntries(entries) }
  })
  return { ...message, groups }
}

const toOther = ({ version: [major, minor], code, requestId, groups }: Message) => {
  const toAttribute = ({ name, values }: Message['groups'][number]['attributes'][number]) => {
    const [first] = values as [Sample]
    return { tag: SYNTAXES[first.typed.syntax], name, value: values.map(({ other }) => other) }
  }
  const all = groups.map(({ tag, attributes }) => ({ tag, attributes: attributes.map(toAttribute) }))
  return { version: { major, minor }, operationId: code, requestId, groups: all }
}

test('the other implementation reads what is encoded', () => {
  const property = fc.property(createMessages([...SAMPLES, TIMES]), (message) => {
    expect(ippEncoder.request.decode(encodeMessage(toOurs(message, 'typed')))).toEqual(toOther(message))
  })
  fc.assert(property, { numRuns: 1_000 })
})

// It writes times in the time zone of the computer, and those east of Greenwich wrongly.
test('what the other implementation writes is decoded, and encoded to the same bytes', () => {
  const property = fc.property(createMessages(SAMPLES), (message) => {
    const other = toOther(message)
    const bytes = ippEncoder.request.encode(other, Buffer.alloc(ippEncoder.request.encodingLength(other)))
    expect(decodeMessage(bytes)).toEqual({ ...toOurs(message, 'decoded'), data: Buffer.alloc(0) })
    expect(encodeMessage(toOurs(message, 'typed'))).toEqual(bytes)
  })
  fc.assert(property, { numRuns: 1_000 })
})
