import { promisify } from 'node:util'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { expect, test } from 'vitest'
import { createPart } from '../../process.ts'
import { createLocalRpc } from '../../rpc/local.ts'

test('a close function is called without arguments, so that one with a callback can be promisified', async () => {
  const whole = createTestProcess('whole')
  const close = promisify((callback: (error: null) => void) => callback(null))
  createPart(whole, 'part', createLocalRpc()).onStop('server', close)
  await expect(whole.stop()).resolves.toBeUndefined()
})
