import { test } from 'vitest'
import { expectNothingLostOrDoubled, killPart, printThrough, startForOneTest } from './print-through.ts'

test('kill -9 of test-computers while 200 jobs run: each ends done by a legal path, handed over once', async () => {
  const platen = await startForOneTest()
  const accepted = await printThrough(platen, () => killPart(platen, 'test-computers'))
  await expectNothingLostOrDoubled(platen, accepted)
})
