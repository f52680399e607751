import { promisify } from 'node:util'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { expect, test } from 'vitest'
import { createPart } from '../../process.ts'
import { createLocalRpc } from '../../rpc/local.ts'

test('a close function is called without arguments, so that one with a callback can be promisified', async () => {
  const whole = createTestProcess('whole')
  const calls: number[] = []
  const close = (...args: unknown[]) => {
    calls.push(args.length)
    const [callback] = args
    if (typeof callback === 'function') callback()
  }
  createPart(whole, 'part', createLocalRpc()).onStop('server', promisify(close))
  await whole.stop()
  expect(calls).toEqual([1])
})
