import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { expectNothingLostOrDoubled, killPart, printThrough, startForOneTest } from './print-through.ts'

test('kill -9 of nats-server, with its store wiped, while 200 jobs run: each ends done by a legal path, handed over once', async () => {
  const platen = await startForOneTest()
  const wipeStore = () => rm(join(platen.dataDir, 'nats'), { recursive: true })
  const accepted = await printThrough(platen, () => killPart(platen, 'nats-server', wipeStore))
  await expectNothingLostOrDoubled(platen, accepted)
})
