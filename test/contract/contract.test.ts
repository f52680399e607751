import { beforeAll, describe, expect, test } from 'vitest'
import { AREAS } from './areas.ts'
import { collectedTests } from './collected-tests.ts'
import type { Entry } from './entry.ts'
import { problemsIn } from './problems.ts'
import { enumeratedIds } from './specification.ts'

let existingTests: Set<string>

beforeAll(async () => {
  existingTests = await collectedTests()
}, 300_000)

test('every fact of the contract is proven by tests that exist, or its gap is named', () => {
  expect(problemsIn(Object.values(AREAS).flat(), existingTests, enumeratedIds())).toEqual([])
})

describe('the list is refused when', () => {
  const PROOF = 'services/runtime/tests/config.test.ts: all bad variables are named at once'
  const entry = (changes: Partial<Entry>): Entry => ({
    id: 'a',
    source: 'specification: Printer',
    rule: 'A rule.',
    ...changes,
  })

  test.each<[string, Entry[], string]>([
    ['an entry has neither proof nor gap', [entry({})], 'a: has neither a proof nor a gap'],
    ['an entry has no test as its proof', [entry({ provenBy: [] })], 'a: has neither a proof nor a gap'],
    ['an entry has an empty gap', [entry({ gap: '' })], 'a: has neither a proof nor a gap'],
    ['an entry has both', [entry({ provenBy: [PROOF], gap: 'all' })], 'a: has both a proof and a gap'],
    ['an entry has no rule', [entry({ rule: ' ', provenBy: [PROOF] })], 'a: has no rule'],
    ['an id is used twice', [entry({ gap: 'all' }), entry({ gap: 'all' })], 'a: the id is used twice'],
    ['a test is not in its file', [entry({ provenBy: [`${PROOF}?`] })], `a: there is no test "${PROOF}?"`],
    [
      'only one of two tests exists',
      [entry({ provenBy: [PROOF, 'nowhere.test.ts: x'] })],
      'a: there is no test "nowhere.test.ts: x"',
    ],
  ])('%s', (_, entries, problem) => {
    expect(problemsIn(entries, existingTests, ['a'])).toEqual([problem])
  })

  test('the specification names what no entry does', () => {
    const entries = [entry({ provenBy: [PROOF] })]
    expect(problemsIn(entries, existingTests, ['a', 'b'])).toEqual(['b: is enumerated and has no entry'])
  })
})
