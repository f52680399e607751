import { test } from 'vitest'
import { expectNothingLostOrDoubled, printThrough, startForOneTest, wipeNats } from './print-through.ts'

test('kill -9 of nats-server, with its store wiped, while 200 jobs run: each ends done by a legal path, handed over once', async () => {
  const platen = await startForOneTest()
  const accepted = await printThrough(platen, () => wipeNats(platen))
  await expectNothingLostOrDoubled(platen, accepted)
})
