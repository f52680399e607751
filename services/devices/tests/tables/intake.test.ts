/** The rate of one stream, by a clock of the test. */
import { ORGANIZATION_MESSAGES } from '@platen/resources/limits.ts'
import { TokenBucket } from '@platen/runtime/token-bucket.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { Intake } from '../../agents/intake.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

async function isNextRead(intake: Intake, bytes: number, withinMs: number) {
  let isRead = false
  const onSlow = vi.fn()
  void intake.wait(bytes, onSlow).then(() => {
    isRead = true
  })
  await vi.advanceTimersByTimeAsync(withinMs)
  return { isRead, isSlow: onSlow.mock.calls.length > 0 }
}

test('400 messages are read at once, and then 25 every 250 ms', async () => {
  proves('agent.limits.rate')
  const intake = new Intake(new TokenBucket(ORGANIZATION_MESSAGES))
  for (let n = 0; n < 400; n++) expect(await isNextRead(intake, 100, 0)).toEqual({ isRead: true, isSlow: false })
  expect(await isNextRead(intake, 100, 249)).toEqual({ isRead: false, isSlow: true })
  await vi.advanceTimersByTimeAsync(1)
  for (let n = 0; n < 24; n++) expect(await isNextRead(intake, 100, 0)).toEqual({ isRead: true, isSlow: false })
  expect(await isNextRead(intake, 100, 249)).toEqual({ isRead: false, isSlow: true })
})

test('4 KiB of a message count as one message', async () => {
  proves('agent.limits.bytes')
  const intake = new Intake(new TokenBucket(ORGANIZATION_MESSAGES))
  expect(await isNextRead(intake, 399 * 4_096, 0)).toEqual({ isRead: true, isSlow: false })
  expect(await isNextRead(intake, 4_096 + 4_095, 0)).toEqual({ isRead: true, isSlow: false })
  expect(await isNextRead(intake, 30 * 4_096, 299)).toEqual({ isRead: false, isSlow: true })
})

test('the streams of an organization share 10,000 messages, and then 1,000 a second', async () => {
  proves('agent.limits.organization')
  const organization = new TokenBucket(ORGANIZATION_MESSAGES)
  for (let stream = 0; stream < 25; stream++) {
    const intake = new Intake(organization)
    for (let n = 0; n < 400; n++) expect(await isNextRead(intake, 100, 0)).toEqual({ isRead: true, isSlow: false })
  }
  const intakes = Array.from({ length: 500 }, () => new Intake(organization))
  const outcomes = await Promise.all(intakes.map((intake) => isNextRead(intake, 100, 0)))
  expect(outcomes).toEqual(outcomes.map(() => ({ isRead: false, isSlow: true })))
  await vi.advanceTimersByTimeAsync(500)
  const again = new Intake(organization)
  expect(await isNextRead(again, 100, 249)).toEqual({ isRead: false, isSlow: true })
})
