import { expect, test } from 'vitest'
import { planFaults } from '../fault-plan.ts'

const SEEDS = [1, 2, 3, 4, 5]
const WINDOW_MS = 20_000
const PLANS = SEEDS.map((seed) => planFaults(seed, WINDOW_MS))

test('every plan kills an agent at each step of handing a job over', () => {
  for (const plan of PLANS) {
    const aimed = plan.filter(({ aim }) => aim !== undefined)
    const steps = aimed.map(({ kind, place, aim }) => `${kind} ${place}: ${aim?.call} ${aim?.afterMs}`)
    expect(steps.toSorted()).toEqual([
      'kill -9 agent: release 0',
      'kill -9 agent: release 30',
      'kill -9 agent: submit 0',
    ])
    for (const { startAfterMs } of aimed) expect(startAfterMs).toBeLessThanOrEqual(WINDOW_MS - 4_000)
  }
})

test('an agent that is to die without an answer has a slow way to its spooler before', () => {
  for (const { aim, lag } of PLANS.flat()) if (aim?.afterMs === 0) expect(lag?.delayMs).toBeGreaterThanOrEqual(50)
})

test('every plan breaks a line of an agent that is in use while documents come down it', () => {
  for (const plan of PLANS)
    expect(
      plan.filter(({ kind, place, isInUse, lag }) => kind === 'reset' && place === 'agent > devices' && isInUse && lag),
    ).toHaveLength(1)
})
