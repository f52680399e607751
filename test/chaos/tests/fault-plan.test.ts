import { expect, test } from 'vitest'
import { FAULT_KINDS, planFaults } from '../fault-plan.ts'

const SEEDS = [1, 2, 3, 4, 5]

test('the same seed gives the same plan', () => {
  for (const seed of SEEDS) expect(planFaults(seed, 20_000)).toEqual(planFaults(seed, 20_000))
})

test('another seed gives another plan', () => {
  const plans = SEEDS.map((seed) => JSON.stringify(planFaults(seed, 20_000)))
  expect(new Set(plans).size).toBe(SEEDS.length)
})

test('every kind of fault comes within five seeds', () => {
  const kinds = new Set(SEEDS.flatMap((seed) => planFaults(seed, 20_000).map(({ kind }) => kind)))
  expect([...kinds].toSorted()).toEqual([...FAULT_KINDS].toSorted())
})

test('within three seeds an agent and NATS are killed, and lines of agents break', () => {
  const faults = SEEDS.slice(0, 3).flatMap((seed) => planFaults(seed, 20_000))
  const hit = (...kinds: string[]) => faults.filter(({ kind }) => kinds.includes(kind)).map(({ place }) => place)
  expect(hit('kill -9')).toEqual(expect.arrayContaining(['agent', 'nats-server']))
  expect(hit('cut', 'half-open', 'reset')).toContain('agent > devices')
})

test('some faults come after a lag, which begins within the window', () => {
  const faults = SEEDS.flatMap((seed) => planFaults(seed, 20_000))
  const lagging = faults.filter(({ lag }) => lag !== undefined)
  expect(lagging.length).toBeGreaterThan(faults.length / 5)
  for (const { startAfterMs, lag } of lagging) expect(startAfterMs - (lag?.lastsMs ?? 0)).toBeGreaterThanOrEqual(0)
})

test('every plan has faults that overlap', () => {
  for (const seed of SEEDS) {
    const plan = planFaults(seed, 20_000)
    const overlaps = plan.some((fault, n) =>
      plan.slice(n + 1).some((later) => later.startAfterMs < fault.startAfterMs + fault.durationMs),
    )
    expect(overlaps, `seed ${seed}`).toBe(true)
  }
})

test('faults start within the window, in order, and NATS is wiped and PostgreSQL restarted at most once', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const plan = planFaults(seed, 20_000)
    const starts = plan.map(({ startAfterMs }) => startAfterMs)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(Math.max(...starts)).toBeLessThan(21_000)
    for (const once of ['wipe NATS', 'restart PostgreSQL'])
      expect(plan.filter(({ kind }) => kind === once).length).toBeLessThanOrEqual(1)
  }
})
