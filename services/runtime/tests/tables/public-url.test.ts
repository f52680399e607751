import { expect, test } from 'vitest'
import { readUrl, urlFaultText, WEB_PORTS } from '../../fetch/public-url.ts'

const LONGEST = `https://example.com/${'ä'.repeat(2048 - 'https://example.com/'.length)}`

test.each([
  [`${LONGEST}ä`, 'must have at most 2048 characters'],
  ['ftp://example.com/file', 'must be an http or https URL, such as https://example.com/file'],
  ['https://user@example.com/', 'must not contain a user name or password'],
  ['https://@example.com/', 'must not contain a user name or password'],
  ['https://example.com:8443/', 'must have port 80 or 443'],
])('the URL %s %s', (text, sentence) => {
  const result = readUrl(text, WEB_PORTS)
  expect('fault' in result && urlFaultText(result.fault)).toBe(sentence)
})

test('a URL has at most 2,048 characters, of which each may be two UTF-16 units', () => {
  const wide = `https://example.com/${'\u{1f5a8}'.repeat(2048 - 'https://example.com/'.length)}`
  for (const text of [LONGEST, wide]) expect(readUrl(text, WEB_PORTS)).toHaveProperty('url')
})
