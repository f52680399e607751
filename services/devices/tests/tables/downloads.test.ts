/** Limits of downloads, by a clock of the test. */
import { status } from '@grpc/grpc-js'
import { proves } from '@platen/test/harness/rules.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Downloads } from '../../agents/downloads.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

const start = (downloads: Downloads, computerId: string, organizationId = 'shop') =>
  downloads.start({ computerId, organizationId })

const refused = expect.objectContaining({ code: status.RESOURCE_EXHAUSTED })

test('a computer has 8 downloads at once, and an organization 32', () => {
  proves('agent.limits.downloads')
  const downloads = new Downloads()
  const running = Array.from({ length: 32 }, (_, n) => start(downloads, `${Math.floor(n / 8)}`))
  expect(() => start(downloads, '0', 'other')).toThrow(refused)
  expect(() => start(downloads, '4')).toThrow(refused)
  start(downloads, '4', 'other')
  running[0]?.end()
  running[0]?.end()
  start(downloads, '0')
  expect(() => start(downloads, '4')).toThrow(refused)
})

test('a download ends after 60 s without progress, and after 10 minutes', () => {
  proves('agent.limits.download-time')
  const downloads = new Downloads()
  const [stalled, slow] = [start(downloads, 'a'), start(downloads, 'b')]
  for (let second = 1; second < 600; second++) {
    vi.advanceTimersByTime(1_000)
    slow.progressed()
    expect([stalled.signal.aborted, slow.signal.aborted]).toEqual([second >= 60, false])
  }
  vi.advanceTimersByTime(1_000)
  expect([stalled, slow].map(({ signal }) => signal.reason.code)).toEqual(Array(2).fill(status.DEADLINE_EXCEEDED))
})

test('a computer starts 200 downloads at once, and then 50 per second', () => {
  proves('agent.limits.download-rate')
  const downloads = new Downloads()
  for (let n = 0; n < 200; n++) start(downloads, 'a').end()
  expect(() => start(downloads, 'a')).toThrow(refused)
  vi.advanceTimersByTime(20)
  start(downloads, 'a').end()
  expect(() => start(downloads, 'a')).toThrow(refused)
})
