import type { IncomingMessage } from 'node:http'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { readCredential } from '../../authentication/credentials.ts'

const KEY = `platen_live_${'k'.repeat(49)}`

const readKey = (...authorization: string[]) =>
  readCredential(
    { headersDistinct: authorization.length > 0 ? { authorization } : {} } as unknown as IncomingMessage,
    'none',
  )
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const padded = (bytes: number) => `Bearer ${' '.repeat(bytes - 'Bearer '.length - KEY.length)}${KEY}`

test.each([
  `Bearer ${KEY}`,
  `bearer ${KEY}`,
  `BEARER  ${KEY}`,
  basic(`${KEY}:`),
  basic(`${KEY}:`).replace('Basic', 'basic'),
  basic(`${KEY}:`).replace(' ', '  '),
  padded(512),
])('a key is read from %s', (header) => {
  expect(readKey(header)).toBe(KEY)
})

test.each<[string, ...headers: string[]]>([
  ['no header'],
  ['two headers', `Bearer ${KEY}`, `Bearer ${KEY}`],
  ['an empty header', ''],
  ['the key alone', KEY],
  ['a scheme without a key', 'Bearer'],
  ['another scheme', `Token ${KEY}`],
  ['two keys', `Bearer ${KEY} ${KEY}`],
  ['a comma list', `Bearer ${KEY}, Bearer ${KEY}`],
  ['a tab behind the scheme', `Bearer\t${KEY}`],
  ['a key behind Basic', `Basic ${KEY}`],
  ['Basic that is URL-safe', basic(`${KEY}:`).replaceAll('=', '')],
  ['Basic that is not base64', `${basic(`${KEY}:`)}*`],
  ['a header of 513 bytes', padded(513)],
])('no key is read from %s', (_, ...headers) => {
  proves('auth.missing', 'auth.other-scheme')
  expect(() => readKey(...headers)).toThrow(expect.objectContaining({ code: 'unauthorized', message: 'none' }))
})

test.each<[string, string, RegExp]>([
  ['without a colon', KEY, /^With Basic, encode the key followed by a colon/],
  ['without a colon, with a line break', `${KEY}\n`, /^With Basic, encode the key followed by a colon/],
  ['with a line break behind the key', `${KEY}\n:`, /^The credentials contain white space, such as the line break/],
  ['with a line break at the end', `${KEY}:\n`, /^The credentials contain white space/],
  ['with the key as the password', `:${KEY}`, /^With Basic, the key is the user name and the password is empty/],
  ['with a space before the key', ` ${KEY}:`, /^The credentials contain white space/],
])('the message about Basic %s names the cause', (_, text, message) => {
  proves('auth.basic.cause')
  const refused = expect.objectContaining({ code: 'unauthorized', message: expect.stringMatching(message) })
  expect(() => readKey(basic(text))).toThrow(refused)
})

test.each(['secret', ':'])('Basic with the password `%s` is refused', (password) => {
  proves('auth.basic.password')
  expect(() => readKey(basic(`${KEY}:${password}`))).toThrow('The password must be empty.')
})
