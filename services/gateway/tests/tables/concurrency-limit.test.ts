import { EventEmitter } from 'node:events'
import { create } from '@bufbuild/protobuf'
import { ApiKeySchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { WORK_AT_ONCE } from '@platen/resources/limits.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConcurrencyLimit, type Limits } from '../../rate-limit/concurrency-limit.ts'

/** A request of a key, whose response is closed by `end`. */
function request(key: string, organization = 'one') {
  const closed = new EventEmitter()
  const res = { closed: false, once: (_: 'close', release: () => void) => closed.once('close', release) }
  const caller = {
    credential: { kind: 'key' as const, apiKey: create(ApiKeySchema, { id: key }) },
    organization: { id: organization },
  }
  const end = () => {
    res.closed = true
    closed.emit('close')
  }
  return { ctx: { state: { caller }, res }, end }
}

/** Requests whose work ends at once, and whose response is not sent. */
function startLimit(limits: Limits = { perKey: 2, perOrganization: 3 }) {
  const limit = createConcurrencyLimit('uploads', limits)
  return {
    limit,
    /** @returns the function that ends its response. */
    async begin(key: string, use?: { organization?: string; units?: number }) {
      const { organization, units } = use ?? {}
      const { ctx, end } = request(key, organization)
      await limit(ctx, async () => undefined, units)
      return end
    },
  }
}

test('a key has n requests of a kind at once, an organization has more, and others are not affected', async () => {
  proves('at-once.per-organization')
  const { begin } = startLimit()
  await begin('a')
  await begin('a')
  await expect(begin('a')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 1,
    message: expect.stringMatching(/^This key has 2 uploads at once/),
  })
  await begin('b')
  await expect(begin('b')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^This organization has 3 uploads at once/),
  })
  await begin('c', { organization: 'two' })
})

test('a request counts until its response is sent or its connection is closed; a refused one does not count', async () => {
  proves('at-once.until-end')
  const { limit, begin } = startLimit()
  const end = await begin('a')
  await begin('a')
  await expect(begin('a')).rejects.toThrow()
  end()
  const { ctx, end: close } = request('a')
  await expect(limit(ctx, () => Promise.reject(new Error('cut off')))).rejects.toThrow('cut off')
  await expect(begin('a')).rejects.toMatchObject({ code: 'rate_limited' })
  close()
  // The connection was closed before its work ended.
  const gone = request('a')
  gone.end()
  await limit(gone.ctx, async () => undefined)
  await begin('a')
})

test('a request that needs more units than are free waits for them, in the order of its organization', async () => {
  proves('work.waits')
  const { begin } = startLimit({ perOrganization: 10, waitMs: 60_000 })
  const end = await begin('a', { units: 8 })
  const order: string[] = []
  const large = begin('a', { units: 4 }).then(() => order.push('large'))
  const small = begin('b').then(() => order.push('small'))
  await begin('c', { organization: 'two', units: 10 })
  expect(order).toEqual([])
  end()
  await Promise.all([large, small])
  expect(order).toEqual(['large', 'small'])
})

test('a request that waits too long is refused; one of more units than there are has them all', async () => {
  const { begin } = startLimit({ perOrganization: 10, waitMs: 1 })
  const end = await begin('a', { units: 50 })
  await expect(begin('a')).rejects.toMatchObject({ code: 'rate_limited' })
  end()
  await begin('a', { units: 10 })
})

test('long requests run one after the other, with pauses of twice their time while others send requests', async () => {
  proves('work.pause')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { limit, begin } = startLimit({ perOrganization: 40, longFrom: 4 })
  const work = (key: string) => limit(request(key).ctx, async () => vi.advanceTimersByTime(300), 4)
  const refused = { code: 'rate_limited', message: expect.stringMatching(/^This organization sends more lists/) }

  // Alone.
  await work('a')
  await work('b')
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const running = limit(request('a').ctx, () => isOver, 4)
  await expect(work('b')).rejects.toMatchObject(refused)
  end()
  await running

  await begin('c', { organization: 'two', units: 0 })
  await work('a')
  vi.advanceTimersByTime(599)
  await expect(work('b')).rejects.toMatchObject(refused)
  await begin('b', { units: 3 })
  vi.advanceTimersByTime(1)
  await work('b')

  // The others have sent nothing for a second.
  vi.advanceTimersByTime(1_000)
  await work('a')
  await work('b')
})

test('a long request waits for its turn', async () => {
  proves('work.turn')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { limit, begin } = startLimit(WORK_AT_ONCE)
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const running = limit(request('a').ctx, () => isOver, 4)
  const late = expect(begin('b', { units: 4 })).rejects.toMatchObject({ code: 'rate_limited' })
  await vi.advanceTimersByTimeAsync(5_000)
  const next = begin('c', { units: 4 })
  await vi.advanceTimersByTimeAsync(5_000)
  await late
  end()
  await Promise.all([running, next])
})

test('a request that waits behind a larger one is admitted when that one is refused', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { begin } = startLimit({ perOrganization: 10, waitMs: 1_000 })
  await begin('a', { units: 8 })
  const large = expect(begin('a', { units: 4 })).rejects.toMatchObject({ code: 'rate_limited' })
  await vi.advanceTimersByTimeAsync(500)
  const small = begin('b')
  await vi.advanceTimersByTimeAsync(500)
  await large
  await small
})
