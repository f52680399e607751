import { expect, test } from 'vitest'
import { TokenBucket, TokenBuckets } from '../../token-bucket.ts'

test('a bucket has its burst at once, and then its rate; an idle time gives no more than the burst', () => {
  let now = 1_000
  const bucket = new TokenBucket({ perSecond: 1, burst: 3 }, () => now)
  const taken = (times: number) => Array.from({ length: times }, () => bucket.tryTake())
  expect(taken(4)).toEqual([true, true, true, false])
  now += 999
  expect(taken(1)).toEqual([false])
  now += 1
  expect(taken(2)).toEqual([true, false])
  now += 60_000
  expect(taken(4)).toEqual([true, true, true, false])
})

test('taking more than there is returns the time until it is paid', () => {
  let now = 0
  const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, () => now)
  expect(bucket.take(5)).toBe(0)
  expect(bucket.take(2)).toBe(200)
  now += 200
  expect(bucket.take(0)).toBe(0)
  expect(bucket.take(1)).toBe(100)
})

test('a token that is not paid in time is not taken', () => {
  let now = 0
  const bucket = new TokenBucket({ perSecond: 10, burst: 1 }, () => now)
  const taken = (times: number) => Array.from({ length: times }, () => bucket.takeWithin(200))
  expect(taken(5)).toEqual([0, 100, 200, undefined, undefined])
  now += 100
  expect(taken(2)).toEqual([200, undefined])
})

test('each key has a bucket of its own', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1 }, 10, () => 0)
  expect(['a', 'a', 'b'].map((key) => buckets.get(key).tryTake())).toEqual([true, false, true])
})
