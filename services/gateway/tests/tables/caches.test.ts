/** The caches of a gateway, with a clock that the test moves. */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { VerifyApiKeysResponseSchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import {
  CreateJobsResponseSchema,
  type CreationResultSchema,
  type JobCreationSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { GetPlanResponseSchema } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { hashApiKey, makeApiKey } from '@platen/resources/api-key.ts'
import { systemClock } from '@platen/runtime/clock.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ApiKeysOptions, createApiKeys } from '../../authentication/api-keys.ts'
import type { Gateway } from '../../gateway.ts'
import { createCreations } from '../../print-jobs/creations.ts'
import { createPrintsLimitLookUp } from '../../print-jobs/prints-limit.ts'

type Creation = MessageInitShape<typeof JobCreationSchema>

/** The clocks of the caches never show 0. */
const START = 1_000

describe('API keys', () => {
  function createKeys() {
    const clock = { now: 0 }
    const known = new Set<string>()
    let lookUps = 0
    const accounts: ApiKeysOptions['accounts'] = {
      async verifyApiKeys({ keySha256 = [] }) {
        lookUps++
        const verified = keySha256
          .filter((hash) => known.has(Buffer.from(hash).toString('hex')))
          .map((hash) => ({ keySha256: hash, organization: {}, apiKey: {} }))
        return create(VerifyApiKeysResponseSchema, { verified })
      },
    }
    const { find } = createApiKeys({ accounts, olderKeyPrefixes: [], clock: systemClock, now: () => START + clock.now })
    const isFound = async (key: string) =>
      await find(key).then(
        () => true,
        (error) => {
          expect(error).toMatchObject({ code: 'unauthorized' })
          return false
        },
      )
    const findAll = (keys: string[]) => Promise.all(keys.map(isFound))
    const add = () => {
      const key = makeApiKey('live')
      known.add(Buffer.from(hashApiKey(key)).toString('hex'))
      return key
    }
    return { clock, known, isFound, findAll, add, lookUps: () => lookUps }
  }
  const forge = (count: number) => Array.from({ length: count }, () => makeApiKey('live'))

  test('a valid key is kept for less than 5 s, and a forged one is looked up once in 5 s', async () => {
    const { clock, known, isFound, findAll, add, lookUps } = createKeys()
    const [key, forged] = [add(), ...forge(1)] as [string, string]
    await findAll([key, forged, key, forged])
    known.clear()
    clock.now = 2_499
    expect([await isFound(key), await isFound(forged), lookUps()]).toEqual([true, false, 1])
    clock.now = 4_999
    expect([await isFound(forged), lookUps()]).toEqual([false, 1])
    expect(await isFound(key)).toBe(true)
    clock.now = 5_000
    expect([await isFound(key), await isFound(forged)]).toEqual([false, false])
    expect(lookUps()).toBeGreaterThan(2)
  })

  test('500 forged keys at once are one look-up, and 501 are two', async () => {
    const { findAll, lookUps } = createKeys()
    await findAll(forge(500))
    expect(lookUps()).toBe(1)
    await findAll(forge(501))
    expect(lookUps()).toBe(3)
  })

  test('10,000 forged keys are cached separately from valid ones, and one more evicts the first', async () => {
    const { isFound, findAll, add, lookUps } = createKeys()
    const key = add()
    await isFound(key)
    const [first = '', ...others] = forge(10_001)
    await isFound(first)
    for (let n = 0; n < others.length; n += 500) await findAll(others.slice(n, n + 500))
    const before = lookUps()
    expect([await isFound(key), await isFound(others.at(-1) ?? ''), lookUps()]).toEqual([true, false, before])
    expect([await isFound(first), lookUps()]).toEqual([false, before + 1])
  })
})

describe('the limit of prints of a plan', () => {
  function createLimits() {
    const state = { now: 0, printsLimit: undefined as number | undefined, isUp: true, calls: 0 }
    const usage = {
      async getPlan() {
        state.calls++
        if (!state.isUp) throw new ApiError('service_unavailable', 'a test')
        return create(GetPlanResponseSchema, { plan: { name: 'custom', printsLimit: state.printsLimit } })
      },
    } as unknown as Gateway['usage']
    const logged: string[] = []
    const write = (line: string) => void logged.push(JSON.parse(line).msg)
    const find = createPrintsLimitLookUp(
      { usage, log: createLogger('test', 'info', { write }) },
      () => START + state.now,
    )
    return { state, logged, find: (organizationId = 'a', mode = 'live') => find({ organizationId, mode }) }
  }

  test('is kept for less than 5 s, and is looked up for live jobs alone', async () => {
    const { state, find } = createLimits()
    state.printsLimit = 1
    expect([await find('a', 'test'), state.calls]).toEqual([undefined, 0])
    expect(await find()).toBe(1)
    state.printsLimit = 2
    state.now = 2_499
    expect([await find(), state.calls]).toEqual([1, 1])
    state.now = 5_000
    expect([await find(), state.calls]).toEqual([2, 2])
  })

  test('that is not known now is the last known one, for as long as usage is away, which is logged once', async () => {
    const { state, logged, find } = createLimits()
    state.printsLimit = 1
    await find()
    state.isUp = false
    for (let n = 1; n <= 3; n++) {
      state.now = n * 5_000
      expect([await find(), await find('another')]).toEqual([1, undefined])
    }
    expect(logged).toEqual(['usage does not answer, the last known limits apply'])
    state.isUp = true
    state.printsLimit = undefined
    state.now = 20_000
    expect(await find()).toBeUndefined()
    expect(logged.slice(1)).toEqual(['usage answers again'])
    state.isUp = false
    state.now = 25_000
    expect(await find(), 'a limit that was lifted').toBeUndefined()
  })

  test('is known of 10,000 organizations at most, and the one that is asked for least recently is deleted', async () => {
    const { state, find } = createLimits()
    state.printsLimit = 1
    for (let n = 0; n <= 10_000; n++) await find(`${n}`)
    state.isUp = false
    state.now = 5_000
    expect([await find('0'), await find('1'), await find('10000')]).toEqual([undefined, 1, 1])
  })
})

describe('creations', () => {
  /** Jobs that keeps its calls until the test releases them. */
  function createHeld() {
    const calls: Creation[][] = []
    const held: (() => void)[] = []
    const createJobs = async ({ creations }: { creations: Creation[] }) => {
      calls.push(creations)
      await new Promise<void>((resolve) => held.push(resolve))
      return create(CreateJobsResponseSchema, { results: creations.map(createResult) })
    }
    function createResult({ jobId, title }: Creation): MessageInitShape<typeof CreationResultSchema> {
      if (title !== 'refused') return { result: { case: 'job', value: { id: jobId } }, replayed: title === 'replayed' }
      return { result: { case: 'refusal', value: { code: 'quota_exceeded', message: title, retryAfterSeconds: 7 } } }
    }
    const run = createCreations({ jobs: { createJobs } as unknown as Gateway['jobs'] })
    let made = 0
    const add = (facts: { title?: string; document?: Creation['document'] } = {}) =>
      run({ jobId: `job ${++made}`, organizationId: 'one', ...facts })
    async function finish(count: number) {
      while (calls.flat().length < count || held.length > 0) {
        for (const release of held.splice(0)) release()
        await new Promise(setImmediate)
      }
    }
    return { calls, held, add, finish }
  }
  const withDocument = (sizeBytes: number) => ({
    document: { case: 'stored' as const, value: { content: new Uint8Array(sizeBytes) } },
  })

  test.each([
    ['50 creations', 120, {}, [50, 50, 20]],
    ['512 KiB, in which each creation counts its document and 8 KiB', 12, withDocument(56 * 1024), [8, 4]],
    ['one creation if that is larger', 3, withDocument(505 * 1024), [1, 1, 1]],
  ])('go to jobs in calls of at most %s', async (_, count, facts, sizes) => {
    const { calls, add, finish } = createHeld()
    const all = Promise.all(Array.from({ length: count }, () => add(facts)))
    await finish(count)
    await all
    expect(calls.map(({ length }) => length)).toEqual(sizes)
  })

  test.each([
    [20_000, 'goes to jobs'],
    [20_001, 'service_unavailable'],
  ])('that waited for %i ms: %s', async (waitedMs, outcome) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { held, add } = createHeld()
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
    while (held.length < 8) {
      void add()
      await pass(10)
    }
    const waiting = add().then(
      () => 'goes to jobs',
      ({ code }) => code,
    )
    await pass(waitedMs)
    held.shift()?.()
    await pass(0)
    for (const release of held) release()
    expect(await waiting).toBe(outcome)
  })

  test('have each its own job or refusal', async () => {
    const { add, finish } = createHeld()
    const all = Promise.allSettled([add(), add({ title: 'refused' }), add({ title: 'replayed' })])
    await finish(3)
    expect(await all).toMatchObject([
      { value: { job: { id: 'job 1' }, replayed: false } },
      { reason: { code: 'quota_exceeded', message: 'refused', retryAfterSeconds: 7 } },
      { value: { job: { id: 'job 3' }, replayed: true } },
    ])
  })
})
