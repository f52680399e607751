import { expect, test } from 'vitest'
import { planFaults } from '../fault-plan.ts'

const SEEDS = [1, 2, 3, 4, 5]
const WINDOW_MS = 20_000

test('every plan kills an agent at each step of handing a job over, one after the other', () => {
  for (const seed of SEEDS) {
    const aimed = planFaults(seed, WINDOW_MS).filter(({ aim }) => aim !== undefined)
    expect(aimed.map(({ aim }) => `${aim?.call} ${aim?.afterMs}`).toSorted()).toEqual([
      'release 0',
      'release 30',
      'submit 0',
    ])
    for (const { kind, place, startAfterMs } of aimed) {
      expect([kind, place]).toEqual(['kill -9', 'agent'])
      expect(startAfterMs).toBeLessThanOrEqual(WINDOW_MS - 4_000)
    }
  }
})

test('an agent that is to die without an answer has a slow way to its spooler before', () => {
  for (const { aim, lag } of SEEDS.flatMap((seed) => planFaults(seed, WINDOW_MS)))
    if (aim?.afterMs === 0) expect(lag?.delayMs).toBeGreaterThanOrEqual(50)
})
