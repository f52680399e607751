import { create } from '@bufbuild/protobuf'
import { ApiKeySchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { createConcurrencyLimit } from '../../rate-limit/concurrency-limit.ts'

const caller = (key: string, organization = 'one') => ({
  credential: { kind: 'key' as const, apiKey: create(ApiKeySchema, { id: key }) },
  organization: { id: organization },
})

/** Requests that end when `end` is called. */
function startLimit() {
  const limit = createConcurrencyLimit('uploads', { perKey: 2, perOrganization: 3 })
  const ends: (() => void)[] = []
  const begin = (key: string, organization?: string) =>
    limit(caller(key, organization), () => new Promise<void>((resolve) => ends.push(resolve)))
  return { limit, begin, ends }
}

test('a key has n requests of a kind at once, an organization has more, and others are not affected', async () => {
  proves('at-once.per-organization')
  const { begin } = startLimit()
  void begin('a')
  void begin('a')
  await expect(begin('a')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 1,
    message: expect.stringMatching(/^This key has 2 uploads at once/),
  })
  void begin('b')
  await expect(begin('b')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringMatching(/^This organization has 3 uploads at once/),
  })
  void begin('c', 'two')
})

test('a request counts until it ends or fails; a refused one does not count', async () => {
  proves('at-once.until-end')
  const { limit, begin, ends } = startLimit()
  const first = begin('a')
  void begin('a')
  await expect(begin('a')).rejects.toThrow()
  ends[0]?.()
  await first
  for (let n = 0; n < 5; n++)
    await expect(limit(caller('a'), () => Promise.reject(new Error('cut off')))).rejects.toThrow('cut off')
  void begin('a')
  await expect(begin('a')).rejects.toMatchObject({ code: 'rate_limited' })
})
