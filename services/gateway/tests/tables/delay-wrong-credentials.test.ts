import type { IncomingMessage } from 'node:http'
import { ApiError } from '@platen/runtime/errors.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createWrongCredentialsDelay } from '../../authentication/delay-wrong-credentials.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

/** A gateway on a clock that stands still. */
function startDelay() {
  const logged: Record<string, unknown>[] = []
  const clock = { now: () => new Date(), nowMs: 1, monotonicMs: () => clock.nowMs }
  const delay = createWrongCredentialsDelay({
    getClientAddress: ({ url }) => url ?? '',
    rateLimiter: { limits: { perKey: 20, perOrganization: 200 }, take: () => ({ accepted: true, remaining: 1 }) },
    clock,
    stopping: new AbortController().signal,
    log: createLogger('test', 'info', { write: (line: string) => void logged.push(JSON.parse(line)) }),
  })
  const check = (address: string, code: 'unauthorized' | 'service_unavailable') =>
    delay({ url: address } as IncomingMessage, () => Promise.reject(new ApiError(code, 'a test')))
  /** @returns how many of `count` wrong credentials were answered within `ms`. */
  async function sendWrong(count: number, address: string, ms: number): Promise<number> {
    let answered = 0
    for (let n = 0; n < count; n++) check(address, 'unauthorized').catch(() => answered++)
    await vi.advanceTimersByTimeAsync(ms)
    return answered
  }
  return { clock, delay, check, sendWrong, logged }
}

test('of 21 wrong credentials of an address in a second, 20 are answered at once and one after a second', async () => {
  proves('auth.wrong.20', 'auth.wrong.21')
  const { clock, sendWrong } = startDelay()
  expect(await sendWrong(20, '198.51.100.7', 0)).toBe(20)
  expect(await sendWrong(1, '198.51.100.7', 999)).toBe(0)
  expect(await sendWrong(1, '198.51.100.8', 0)).toBe(1)
  expect(await sendWrong(1, '198.51.100.7', 1_000)).toBe(1)
  clock.nowMs += 1_000
  expect(await sendWrong(20, '198.51.100.7', 0)).toBe(20)
})

test('the addresses of an IPv6 network of 64 bits are one address', async () => {
  const { sendWrong } = startDelay()
  expect(await sendWrong(20, '2001:db8::1', 0)).toBe(20)
  expect(await sendWrong(1, '2001:db8::2', 0)).toBe(0)
  expect(await sendWrong(1, '2001:db8:0:1::1', 0)).toBe(1)
})

test('a valid credential of the address is not delayed and does not count, and neither does a check that failed', async () => {
  proves('auth.wrong.valid')
  const { delay, check, sendWrong } = startDelay()
  const find = () => delay({ url: '198.51.100.7' } as IncomingMessage, async () => 'found')
  for (let n = 0; n < 30; n++) {
    await expect(find()).resolves.toBe('found')
    await expect(check('198.51.100.7', 'service_unavailable')).rejects.toThrow('a test')
  }
  expect(await sendWrong(21, '198.51.100.7', 0)).toBe(20)
  await expect(find()).resolves.toBe('found')
})

test('an operator sees the address, once a second', async () => {
  const { clock, sendWrong, logged } = startDelay()
  await sendWrong(25, '198.51.100.7', 0)
  expect(logged).toMatchObject([{ level: 'warn', limit: 'wrong credentials', address: '198.51.100.7' }])
  clock.nowMs += 1_000
  await sendWrong(21, '198.51.100.7', 0)
  expect(logged).toMatchObject([{}, { msg: 'limit exceeded', not_logged: 4 }])
})

test('1,000 answers wait at once, and further ones are sent at once', async () => {
  const { sendWrong } = startDelay()
  expect(await sendWrong(20 + 1_000 + 1, '198.51.100.7', 0)).toBe(21)
})
