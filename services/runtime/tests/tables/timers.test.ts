import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createIdleWait } from '../../timers.ts'

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
