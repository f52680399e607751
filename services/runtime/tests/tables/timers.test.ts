import { getEventListeners } from 'node:events'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createIdleWait, runInLoop } from '../../timers.ts'

const LONG_MS = 60_000

test.each(['wake', 'abort'] as const)('an idle wait ended by %s leaves no listener at its signal', async (end) => {
  const stopping = new AbortController()
  const { idle, wake } = createIdleWait(stopping.signal)
  const ended = idle(LONG_MS)
  if (end === 'wake') wake()
  else stopping.abort()
  await ended
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([])
})

test('the second sweep of a timer comes at a random time within its interval, so that timers that start together do not stay together', async () => {
  const service = createTestProcess('timers')
  onTestFinished(() => service.stop())
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  onTestFinished(() => random.mockRestore())
  const second = Promise.withResolvers<void>()
  let sweeps = 0
  const sweep = async () => void (++sweeps === 2 && second.resolve())
  runInLoop(service, { name: 'test', everyMs: LONG_MS, sweep })
  await second.promise
})
