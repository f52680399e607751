import { random } from '@platen/test/harness/random.ts'
import { describe, expect, test } from 'vitest'
import { createContentScanner } from '../../request/content-scanner.ts'
import { cutAnywhere, everyCut } from './cuts.ts'

/** Scans a body that arrives in these pieces. */
function scan(pieces: Buffer[]) {
  const scanner = createContentScanner()
  const content = Buffer.concat(pieces.map((piece) => Buffer.from(scanner.push(Buffer.from(piece))))).toString('latin1')
  return { content, body: scanner.end() }
}

const scanText = (text: string) => scan([Buffer.from(text)])
const refusal = (what: RegExp) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(what) })

describe('content is found', () => {
  test.each([
    ['first', '{"content":"QUJD","title":"a"}', { content: 'x', title: 'a' }],
    ['last', '{"title":"a","content":"QUJD"}', { title: 'a', content: 'x' }],
    ['between white space', ' {\n\t"content" \r\n:\n "QUJD" , "title" : "a" } ', { content: 'x', title: 'a' }],
    ['under an escaped key', '{"c\\u006fntent":"QUJD"}', { content: 'x' }],
    ['after an empty key', '{"":1,"content":"QUJD"}', { '': 1, content: 'x' }],
    ['after a value like the key', '{"title":"content","content":"QUJD"}', { title: 'content', content: 'x' }],
    ['after a quoted quote', '{"a":"\\",\\"content\\":\\"","content":"QUJD"}', { a: '","content":"', content: 'x' }],
    ['after nested ones', '{"options":{"content":"no","a":[{"content":"no"}]},"content":"QUJD"}', expect.anything()],
  ])('%s', (_, text, body) => {
    expect(scanText(text)).toEqual({ content: 'QUJD', body })
  })

  test('with its escapes undone, in UTF-8', () => {
    const content = '"a\\/b\\u002fc\\n\\"\\\\\\u00e9é\\u20AC\\ud83d\\udda8🖨"'
    const found = Buffer.from(scanText(`{"content":${content}}`).content, 'latin1').toString()
    expect(found).toBe(JSON.parse(content))
    expect(found).toBe('a/b/c\n"\\éé€🖨🖨')
  })

  test.each([
    ['a first half at the end', '\\ud83d', '\xff'],
    ['a first half before text', '\\ud83dQ', '\xffQ'],
    ['a first half before another escape', '\\ud83d\\n', '\xff\n'],
    ['a first half before a character of three bytes', '\\ud83d\\u20ac', '\xff\xe2\x82\xac'],
    ['two first halves', '\\ud83d\\ud83d\\udda8', '\xff\xf0\x9f\x96\xa8'],
    ['a second half', '\\udda8', '\xff'],
  ])('with half a surrogate pair made what is neither text nor base64: %s', (_, escapes, expected) => {
    const text = `{"content":"${escapes}"}`
    expect(scanText(text).content).toBe(expected)
    for (const pieces of everyCut(Buffer.from(text))) expect(scan(pieces).content).toBe(expected)
  })

  test('however a long body is cut into pieces', () => {
    const next = random(1)
    for (let round = 0; round < 200; round++) {
      const content = Array.from(
        { length: next(400) },
        () => ['Q', '+', '/', '\\/', '\\u0041', 'é', '\\u20ac', '\\ud83d\\udda8'][next(8)],
      ).join('')
      const before = '"title":"'.concat('\\u00fcä🖨\\\\'.repeat(next(20)), '",')
      const text = `{${before}"content":"${content}","options":{"color":true}}`
      const expected = JSON.parse(text)
      const { content: found, body } = scan(cutAnywhere(Buffer.from(text), next))
      expect(Buffer.from(found, 'latin1').toString()).toBe(expected.content)
      expect(body).toEqual({ ...expected, content: expected.content === '' ? '' : 'x' })
    }
  })
})

test('content that is no string is left to the schema', () => {
  expect(scanText('{"content":["QUJD"]}')).toEqual({ content: '', body: { content: ['QUJD'] } })
})

test('content of an array or of a nested object is not the document, and an empty one stays empty', () => {
  for (const text of ['[{"content":"QUJD"}]', '{"options":{"content":"QUJD"}}', '{"content":""}'])
    expect(scanText(text)).toEqual({ content: '', body: JSON.parse(text) })
})

describe('invalid JSON is refused', () => {
  test.each([
    ...[' ', '{', '{"content":"QUJD', '{"content":"QUJD"', '{"content":"QUJD"}}'],
    ...['{"content":"QUJD"} {"content":"QUJD"}', '{"content" "QUJD"}', '{"content":"QU" "JD"}'],
    ...['{"content":5 "QUJD"}', '{"content":"QU":"JD"}', '{"content":"QUJD",}', '{content:"QUJD"}'],
    ...["{'content':'QUJD'}", '{"content":"QU\\xJD"}', '{"content":"QU\\u00gJD"}', '{"content":"QU\\u00'],
    ...['{"title":"a\nb"}', '{"title":NaN}'],
  ])('%s', (text) => {
    expect(() => scanText(text)).toThrow(refusal(/not valid JSON/))
  })

  test('no body at all', () => {
    expect(() => scanText('')).toThrow(refusal(/is empty. Send a JSON object/))
  })

  test('bytes that are not UTF-8', () => {
    expect(() => scan([Buffer.from('{"title":"\xff"}', 'latin1')])).toThrow(refusal(/^The body is not valid UTF-8\.$/))
  })

  test('the message has the byte offset in the whole body', () => {
    const start = '{"title":"ä","content":"QU\\/JD", '
    const message = `The body is not valid JSON at byte offset ${Buffer.byteLength(start)}.`
    expect(() => scanText(`${start}qty:1}`)).toThrow(refusal(new RegExp(`^${message}$`)))
  })

  test('a message does not show the body', () => {
    expect(() => scanText('{"title": secret}')).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    )
  })
})

describe('a body that parsers read differently is refused', () => {
  test.each([
    ['content twice', '{"content":"QUJD","content":"QUJE"}', /`content` was sent twice/],
    ['content twice, once escaped', '{"content":"QUJD","c\\u006fntent":"QUJE"}', /`content` was sent twice/],
    ['another field twice', '{"title":"a","title":"b"}', /`title` was sent twice/],
    [
      'a field of 5,000 characters twice',
      `{"${'k'.repeat(5_000)}":1,"${'k'.repeat(5_000)}":2}`,
      /^`k{64}…` was sent twice/,
    ],
    ['an option twice', '{"options":{"copies":1,"copies":2}}', /`copies` was sent twice/],
    ['__proto__', '{"__proto__":{"admin":true}}', /^The keys `__proto__` and/],
    ['constructor.prototype', '{"constructor":{"prototype":{"admin":true}}}', /^The keys `__proto__` and/],
  ])('%s', (_, text, message) => {
    expect(() => scanText(text)).toThrow(refusal(message))
  })
})

describe('limits', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"m${n}":1`).join(',')}}`
  /** A body with so many bytes apart from content; the 1 is its stand-in. */
  const createRest = (bytes: number) =>
    `{"title":"${'a'.repeat(bytes - '{"title":"","content":""}'.length - 1)}","content":"QUJD"}`

  test('8 levels pass, 9 do not', () => {
    expect(scanText(nested(8)).content).toBe('')
    expect(() => scanText(nested(9))).toThrow(refusal(/8 levels/))
  })

  test('64 members pass, 65 do not', () => {
    expect(scanText(members(64)).content).toBe('')
    expect(() => scanText(members(65))).toThrow(refusal(/64 members/))
  })

  test('65,536 bytes apart from content pass, 65,537 do not', () => {
    expect(scanText(createRest(65_536)).content).toBe('QUJD')
    expect(() => scanText(createRest(65_537))).toThrow(refusal(/^Apart from `content` the body .* 65536 bytes/))
  })
})
