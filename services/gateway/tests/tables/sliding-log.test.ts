import { random } from '@platen/test/harness/random.ts'
import { expect, test } from 'vitest'
import { findOwner } from '../../rate-limit/owner.ts'
import { createSlidingLog } from '../../rate-limit/sliding-log.ts'

const LIMITS = { perKey: 20, perOrganization: 10_000 }

test('whenever requests come, no second has more than the limit, and none is refused that would fit', () => {
  const next = random(7)
  let at = 0
  const log = createSlidingLog(LIMITS, () => at)
  const accepted: number[] = []
  for (let n = 0; n < 20_000; n++) {
    at += next(60)
    const inWindow = accepted.filter((time) => time > at - 1_000).length
    const verdict = log.take('key', 'organization')
    expect(verdict.accepted).toBe(inWindow < 20)
    expect(verdict.remaining).toBe(verdict.accepted ? 19 - inWindow : 0)
    if (!verdict.accepted) continue
    accepted.push(at)
    if (accepted.length > 40) accepted.shift()
  }
})

test('a key that was idle for a second is forgotten as others come', () => {
  let at = 0
  const log = createSlidingLog(LIMITS, () => at)
  for (let n = 0; n < 1_000; n++) log.take(`a${n}`, 'organization')
  expect(log.size).toBe(1_000)
  at = 999
  for (let n = 0; n < 500; n++) log.take(`b${n}`, 'organization')
  expect(log.size).toBe(1_500)
  at = 1_000
  for (let n = 0; n < 500; n++) log.take(`b${n}`, 'organization')
  expect(log.size).toBe(500)
})

test('beyond the most keys the one that was used longest ago starts anew', () => {
  const log = createSlidingLog({ ...LIMITS, perKey: 1 }, () => 0, 3)
  for (const key of ['a', 'b', 'c']) log.take(key, 'organization')
  expect(log.take('a', 'organization').accepted).toBe(false)
  log.take('d', 'organization')
  expect(log.size).toBeLessThanOrEqual(3)
  expect(log.take('c', 'organization').accepted).toBe(false)
  expect(log.take('a', 'organization').accepted).toBe(true)
})

test('an organization has a limit over its keys; a request that one of both limits refuses counts for neither', () => {
  let at = 0
  const log = createSlidingLog({ perKey: 2, perOrganization: 3 }, () => at)
  const refused = { accepted: false, remaining: 0 }
  expect(log.take('a', 'one')).toEqual({ accepted: true, remaining: 1 })
  expect(log.take('a', 'one')).toEqual({ accepted: true, remaining: 0 })
  expect(log.take('a', 'one')).toEqual(refused)
  at = 500
  expect(log.take('b', 'one')).toEqual({ accepted: true, remaining: 0 })
  expect(log.take('b', 'one')).toEqual({ ...refused, organizationExceeded: true })
  expect(log.take('c', 'two')).toEqual({ accepted: true, remaining: 1 })
  at = 1_000
  expect(log.take('b', 'one')).toEqual({ accepted: true, remaining: 0 })
  expect(log.take('a', 'one')).toEqual({ accepted: true, remaining: 0 })
  expect(log.take('a', 'one')).toEqual({ ...refused, organizationExceeded: true })
})

test('organizations are spread evenly over replicas, and only those of one that goes find another owner', () => {
  const replicas = ['r1', 'r2', 'r3', 'r4']
  const organizations = Array.from({ length: 4_000 }, (_, n) => `organization-${n}`)
  const before = organizations.map((id) => findOwner(id, replicas))
  for (const replica of replicas) {
    const share = before.filter((owner) => owner === replica).length
    expect(share).toBeGreaterThan(850)
    expect(share).toBeLessThan(1_150)
  }
  expect(organizations.map((id) => findOwner(id, replicas.toReversed()))).toEqual(before)
  const after = organizations.map((id) => findOwner(id, ['r1', 'r2', 'r4']))
  for (const [n, owner] of before.entries()) if (owner !== 'r3') expect(after[n]).toBe(owner)
})
