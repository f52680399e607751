import { expect, test } from 'vitest'
import { readArguments, WrongArguments } from '../arguments.ts'

test('without arguments ten seeds run from the first on, with two replicas for 20 s', () => {
  expect(readArguments([])).toEqual({ seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], replicas: 2, seconds: 20, keep: false })
})

test('seeds are counted from the first one that is asked for, and --seed asks for one', () => {
  expect(readArguments(['--seeds', '3', '--first-seed', '40']).seeds).toEqual([40, 41, 42])
  expect(readArguments(['--seed', '7']).seeds).toEqual([7])
})

test.each([
  ['an unknown option', '--sedes=3'],
  ['a value that is missing', '--seeds'],
  ['no seeds', '--seeds=0'],
  ['a number that is none', '--seeds=ten'],
  ['a seed beyond 31 bits', '--seed=2147483648'],
  ['three replicas', '--replicas=3'],
  ['less than 5 s', '--seconds=4'],
  ['a bug that nobody wrote', '--plant=none-such'],
  ['a word too many', 'seven'],
])('%s is refused with one sentence', (_, argument) => {
  expect(() => readArguments([argument])).toThrow(WrongArguments)
  expect(() => readArguments([argument])).toThrow(/^[^\n]+\.$/)
})

test('--seed goes with neither --seeds nor --first-seed', () => {
  expect(() => readArguments(['--seed', '1', '--seeds', '2'])).toThrow(WrongArguments)
  expect(() => readArguments(['--seed', '1', '--first-seed', '2'])).toThrow(WrongArguments)
})
