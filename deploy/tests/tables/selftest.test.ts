import { expect, test } from 'vitest'
import { examineNew } from '../../commands/selftest/examine-new.ts'

const GOOD = { text: 'the replica responds' }
const BAD = { text: 'the replica does not respond', remedy: 'Read its log.' }

test('a self-test whose pod is not yet permitted to connect examines again, until nothing is wrong', async () => {
  const answers = [[BAD, GOOD], [BAD], [GOOD], [BAD]]
  expect(await examineNew(async () => answers.shift() ?? [], AbortSignal.timeout(60_000))).toEqual([GOOD])
})

test('a self-test that may not wait longer has the last findings', async () => {
  expect(await examineNew(async () => [BAD], AbortSignal.abort())).toEqual([BAD])
})
