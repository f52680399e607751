import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createPace, type Pace, PLACES_PER_ENDPOINT, SLOW_PLACES, type Turn } from '../../delivery/pace.ts'

const ANSWERED = { durationMs: 20, wasReached: true }
const SLOW = { durationMs: 1_001, wasReached: true }
const TIMEOUT = { durationMs: 15_000, wasReached: false }

/** Attempts take the time that a test states: a stall of this process makes no endpoint slow. */
function createTestPace() {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const clock = createTestClock()
  const recovered: string[] = []
  return { clock, recovered, pace: createPace(clock, (id) => void recovered.push(id)) }
}

function leave(turn: Turn | undefined, end: typeof ANSWERED): void {
  if (!turn || !('leave' in turn)) throw new Error('the delivery was deferred')
  turn.leave(end)
}

const enterAll = (pace: Pace, id: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => pace.enter(id)))

const againTimes = (turns: Turn[]) => turns.map((turn) => ('again' in turn ? turn.again.getTime() : 0))

async function attempt(pace: Pace, id: string, end: typeof ANSWERED, times = 1): Promise<void> {
  for (let n = 0; n < times; n++) leave(await pace.enter(id), end)
}

test('an endpoint has 8 places; the ninth delivery waits for the first free one', async () => {
  const { pace } = createTestPace()
  const [first, ...others] = await enterAll(pace, 'a', PLACES_PER_ENDPOINT)
  const ninth = pace.enter('a')
  leave(first, ANSWERED)
  for (const turn of [await ninth, ...others]) expect(turn).toHaveProperty('leave')
})

test('a delivery behind 32 others is deferred at once, each later than the one before; the 32 after half a second', async () => {
  const { pace, clock } = createTestPace()
  await enterAll(pace, 'a', PLACES_PER_ENDPOINT)
  const waiting = enterAll(pace, 'a', 32)
  const times = againTimes(await enterAll(pace, 'a', 50))
  expect(times[0]).toBe(clock.now().getTime() + 100)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBeGreaterThan(times[0] ?? 0)
  expect(times.at(-1)).toBeLessThanOrEqual(clock.now().getTime() + 60_000)
  for (const turn of await waiting) expect(turn).toHaveProperty('again')
})

test('one attempt of more than a second makes an endpoint slow: no delivery waits for a place', async () => {
  const { pace } = createTestPace()
  expect(pace.laneOf('a')).toBe('fast')
  await attempt(pace, 'a', SLOW)
  expect(pace.laneOf('a')).toBe('slow')
  await enterAll(pace, 'a', PLACES_PER_ENDPOINT)
  expect(await pace.enter('a')).toHaveProperty('again')
})

test('a few late answers among many do not defer deliveries for long', async () => {
  const { pace, clock } = createTestPace()
  for (let n = 0; n < 20; n++) {
    await attempt(pace, 'a', ANSWERED, 19)
    await attempt(pace, 'a', { durationMs: 1_500, wasReached: true })
  }
  await enterAll(pace, 'a', PLACES_PER_ENDPOINT)
  const away = againTimes(await enterAll(pace, 'a', 100))
  expect(away.at(-1)).toBeLessThan(clock.now().getTime() + 4_000)
})

test('deliveries that were deferred for long because no answer came are recalled by the next answer', async () => {
  const { pace, clock, recovered } = createTestPace()
  const [first] = await enterAll(pace, 'a', PLACES_PER_ENDPOINT)
  vi.advanceTimersByTime(12_000)
  const away = againTimes(await enterAll(pace, 'a', 20))
  expect(away.at(-1)).toBe(clock.now().getTime() + 20 * 1_500)
  leave(first, ANSWERED)
  expect(recovered).toEqual(['a'])
})

test('all slow endpoints share 64 places; other endpoints are not affected', async () => {
  const { pace } = createTestPace()
  const ids = Array.from({ length: 10 }, (_, n) => `slow ${n}`)
  for (const id of ids) await attempt(pace, id, SLOW)
  const turns = (await Promise.all(ids.map((id) => enterAll(pace, id, PLACES_PER_ENDPOINT)))).flat()
  expect(turns.filter((turn) => 'leave' in turn)).toHaveLength(SLOW_PLACES)
  expect(await pace.enter('well')).toHaveProperty('leave')
  leave(turns[0], SLOW)
  expect(await pace.enter('slow 9')).toHaveProperty('leave')
})

test('an endpoint that is not reached 5 times pauses for 30 s, then one delivery probes it', async () => {
  const { pace, clock, recovered } = createTestPace()
  await attempt(pace, 'a', TIMEOUT, 4)
  // An answer of any kind resets the count.
  await attempt(pace, 'a', ANSWERED)
  await attempt(pace, 'a', TIMEOUT, 5)
  const since = clock.now().getTime()
  expect(await pace.enter('a')).toEqual({ again: new Date(since + 30_000) })
  expect(pace.resting()).toEqual([{ endpointId: 'a', until: new Date(since + 50_000) }])
  clock.advanceSeconds(29.999)
  expect(await pace.enter('a')).toHaveProperty('again')
  clock.advanceSeconds(0.001)
  const probe = await pace.enter('a')
  expect(await pace.enter('a')).toHaveProperty('again')
  leave(probe, ANSWERED)
  expect(recovered).toEqual(['a'])
  expect(pace.resting()).toEqual([])
  expect(await pace.enter('a')).toHaveProperty('leave')
})
