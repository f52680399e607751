import { startTestNats } from '@platen/test/harness/nats.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createAnnouncedCache } from '../../cache.ts'
import { connectNatsWhenThere } from '../../messaging/nats.ts'
import { parseNatsUrl } from '../../messaging/settings.ts'

const SUBJECT = 'announced'

async function start() {
  const server = await startTestNats()
  const service = createTestProcess('caching')
  onTestFinished(() => service.stop())
  const announcer = createTestProcess('announcing')
  onTestFinished(() => announcer.stop())
  const cache = createAnnouncedCache<number>(
    {
      nats: connectNatsWhenThere(service, parseNatsUrl(server.url)),
      subject: SUBJECT,
      toKeys: (text) => text.split(' '),
    },
    { ttlMs: 60_000, max: 10 },
  )
  let lookUps = 0
  const get = (key: string) => cache.get(key, async () => ++lookUps)
  /** Whether the second of two calls uses the cached result of the first. */
  async function isCached(key: string): Promise<boolean> {
    const first = await get(key)
    return first === (await get(key))
  }
  return {
    server,
    get,
    isCached,
    becomesCached: (key: string) => waitFor(async () => expect(await isCached(key)).toBe(true)),
    async announce(text: string) {
      const connection = await connectNatsWhenThere(announcer, parseNatsUrl(server.url))
      connection?.publish(SUBJECT, text)
      await connection?.flush()
    },
  }
}

test('an entry is cached until an announcement names its key', async () => {
  const { becomesCached, get, announce } = await start()
  for (const key of ['a', 'b', 'c']) await becomesCached(key)
  const before = [await get('a'), await get('b'), await get('c')]
  await announce('a c')
  await waitFor(async () => expect(await get('c')).not.toBe(before[2]))
  expect([(await get('a')) === before[0], (await get('b')) === before[1]]).toEqual([false, true])
})

test('without NATS nothing is cached, and earlier entries are looked up again', async () => {
  const { server, becomesCached, isCached, get } = await start()
  await becomesCached('a')
  const before = await get('a')
  await server.kill()
  await waitFor(async () => expect(await isCached('a')).toBe(false))
  await server.start()
  await becomesCached('a')
  expect(await get('a')).not.toBe(before)
})
