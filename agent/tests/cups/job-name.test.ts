import { expect, test } from 'vitest'
import { jobName, nameEnding } from '../../spoolers/cups/job-name.ts'

const TOKEN = '019a0000-0000-7000-8000-000000000001'

test('a name has the title, and ends with the token', () => {
  expect(jobName('Invoice 7', TOKEN)).toBe(`Invoice 7 [${TOKEN}]`)
  expect(jobName('Invoice 7', TOKEN).endsWith(nameEnding(TOKEN))).toBe(true)
})

test('a title is cut to 255 octets of name, at a whole character; the token never is', () => {
  const room = 255 - ` [${TOKEN}]`.length
  expect(jobName('x'.repeat(room), TOKEN)).toBe(`${'x'.repeat(room)} [${TOKEN}]`)
  expect(jobName('x'.repeat(room + 1), TOKEN)).toBe(`${'x'.repeat(room)} [${TOKEN}]`)
  const emoji = jobName('🖨'.repeat(255), TOKEN)
  expect(emoji).toBe(`${'🖨'.repeat(Math.floor(room / 4))} [${TOKEN}]`)
  expect(Buffer.byteLength(emoji)).toBeLessThanOrEqual(255)
})

test('what CUPS takes in no name is a blank: control characters, halves of characters', () => {
  expect(jobName('a\r\nb\u0000c\u0085d', TOKEN)).toBe(`a b c d [${TOKEN}]`)
  expect(jobName('a\ud800b', TOKEN)).toBe(`a\ufffdb [${TOKEN}]`)
})
