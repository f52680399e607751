import { toTime } from '@platen/resources/explain/texts.ts'
import { expect, test } from 'vitest'
import { splitText } from '../../src/ui/text-parts.ts'

test('a time that the service writes into a text is a part of its own', () => {
  const at = new Date('2026-03-03T09:30:00Z')
  expect(splitText(`The job expires at ${toTime(at)}.`)).toEqual([
    { kind: 'text', text: 'The job expires at ' },
    { kind: 'time', text: '2026-03-03T09:30:00Z' },
    { kind: 'text', text: '.' },
  ])
})

test.each([
  ['plain', 'text:plain'],
  ['', ''],
  ['Run `platen-agent doctor` on `till`', 'text:Run |code:platen-agent doctor|text: on |code:till'],
  ['an open ` stays', 'text:an open ` stays'],
  ['`2026-03-03 09:30 UTC`', 'code:2026-03-03 09:30 UTC'],
  ['2026-03-03 09:30', 'text:2026-03-03 09:30'],
])('%j has the parts %j', (text, parts) => {
  const found = splitText(text).map((part) => `${part.kind}:${part.text}`)
  expect(found.join('|')).toBe(parts)
})
