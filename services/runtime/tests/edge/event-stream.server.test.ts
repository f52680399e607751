/** An event log that travels on JetStream: publishers, consumers, and what they do without the stream. */
import { fromBinary } from '@bufbuild/protobuf'
import { JetStreamApiError } from '@nats-io/jetstream'
import { EventBatchSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { EVENTS_STREAM } from '@platen/proto/subjects.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { QueryConfig } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startFollowing } from '../../event-log/consume.ts'
import type { FollowedLog } from '../../event-log/follow.ts'
import { startPublishing } from '../../event-log/publish.ts'
import { createLogger } from '../../log.ts'
import { connectNats } from '../../messaging/nats.ts'
import { parseNatsUrl } from '../../messaging/settings.ts'
import { CHANGE, startShop } from '../event-shop.ts'

/** Longer than the pause between two reads of the log. */
const READ_MAX_MS = 20_000

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

async function startStream() {
  const shop = await startShop()
  const settings = parseNatsUrl((await startTestNats()).url)
  const lines: string[] = []
  const log = createLogger('shop', 'warn', { write: (line: string) => void lines.push(line) })
  async function start() {
    const service = createTestProcess('shop', { log })
    onTestFinished(() => service.stop())
    return { service, nats: await connectNats(service, settings) }
  }
  const { manager } = (await start()).nats
  return {
    ...shop,
    manager,
    /** Warnings of publishers and followers. */
    lines,
    /** @param refusals of the server, before it accepts a batch. */
    async startPublisher(refusals: Error[] = []) {
      const { service, nats } = await start()
      const { publish } = nats.jetstream
      nats.jetstream.publish = (...args) => {
        const refusal = refusals.shift()
        return refusal ? Promise.reject(refusal) : publish.apply(nats.jetstream, args)
      }
      return startPublishing(service, nats, { schema: 'shop', pool: shop.pool })
    },
    /** @returns how often it has stored its cursor, and its stop. */
    async startCountedPublisher() {
      const { service, nats } = await start()
      let stored = 0
      const query = async (statement: QueryConfig | string, values?: unknown[]) => {
        if (typeof statement === 'object' && statement.name === 'move cursor of shop') stored++
        return await shop.pool.query(statement, values)
      }
      const pool: typeof shop.pool = Object.assign(Object.create(shop.pool), { query })
      const announce = startPublishing(service, nats, { schema: 'shop', pool })
      return { announce, countStored: () => stored, stop: () => service.stop() }
    },
    async startFollower(facts?: Partial<FollowedLog>) {
      const { service, nats } = await start()
      startFollowing(service, nats, [shop.followed(facts)])
    },
    /** A service does the same: it writes events, then announces them. */
    async change(item: string, announce: () => void) {
      await shop.pool.query(CHANGE, [item])
      announce()
    },
  }
}

test('the stream carries the events: they are applied although the log cannot be read', async () => {
  const { addItem, change, startPublisher, startFollower, readChanges, manager } = await startStream()
  const announce = await startPublisher()
  await startFollower({ read: () => Promise.reject(new Error('the service is away')) })
  const item = await addItem()
  for (const n of upTo(3)) {
    await change(item, announce)
    await waitFor(async () => expect(await readChanges(item)).toEqual(upTo(n)))
  }
  const { config, state } = await manager.streams.info(EVENTS_STREAM.name)
  expect(config).toMatchObject({ retention: 'limits', storage: 'file', max_age: 3_600e9, max_bytes: 1024 ** 3 })
  const stored = await manager.streams.getMessage(EVENTS_STREAM.name, { seq: state.last_seq })
  const { events } = fromBinary(EventBatchSchema, stored?.data ?? expect.fail())
  expect(stored?.subject).toBe('platen.events.shop')
  expect(events.at(-1)).toMatchObject({ organizationId: item, body: '3', type: 'item.changed' })
})

test('a batch that cannot be applied is redelivered after 1 s, 5 s, 30 s, 2 min and 5 min', async () => {
  const { addItem, change, startPublisher, startFollower, readApplied, apply, manager } = await startStream()
  const failures = [new Error('the database is away')]
  await startFollower({
    read: () => Promise.reject(new Error('the service is away')),
    async apply(events, move) {
      const failure = failures.shift()
      if (failure) throw failure
      return await apply(events, move)
    },
  })
  const announce = await startPublisher()
  const item = await addItem()
  await change(item, announce)
  await waitFor(async () => expect(await readApplied(item)).toEqual([{ change: 1, times: 1 }]))
  const { config } = await manager.consumers.info(EVENTS_STREAM.name, 'reader')
  expect(config.backoff?.map((ns) => ns / 1e9)).toEqual([1, 5, 30, 120, 300])
  expect(config).toMatchObject({ max_ack_pending: 1, ack_policy: 'explicit' })
})

test('the cursor of published events is stored at most once a second, and when the service stops', async () => {
  const { addItem, change, startCountedPublisher, startFollower, readChanges, pool } = await startStream()
  const { announce, countStored, stop } = await startCountedPublisher()
  await startFollower({ read: () => Promise.reject(new Error('the service is away')) })
  const item = await addItem()
  const startedAt = performance.now()
  for (const n of upTo(20)) {
    await change(item, announce)
    await waitFor(async () => expect(await readChanges(item)).toEqual(upTo(n)))
  }
  expect(countStored()).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1_000)
  await stop()
  const { rows } = await pool.query(
    `SELECT FROM shop.event_log, shop.log_cursor AS at
     WHERE (commit_seq, event_log.number) > (last_commit_seq, at.number)`,
  )
  expect(rows).toEqual([])
})

test('an event that the stream has lost is read from the log, without a further event', async () => {
  const { addItem, change, startPublisher, startFollower, readChanges, manager, pool } = await startStream()
  const announce = await startPublisher()
  const item = await addItem()
  await change(item, announce)
  await waitFor(async () =>
    expect((await pool.query('SELECT FROM shop.log_cursor WHERE last_commit_seq > 0')).rowCount).toBe(1),
  )
  await manager.streams.delete(EVENTS_STREAM.name)
  await startFollower()
  await waitFor(async () => expect(await readChanges(item)).toEqual([1]), READ_MAX_MS)
})

test('a batch that another replica publishes at the same time is no failure, and is published in any case', async () => {
  const { addItem, change, startPublisher, startFollower, readChanges, lines } = await startStream()
  await startFollower({ read: () => Promise.reject(new Error('the service is away')) })
  const description = 'duplicate message id is in process'
  const refusals = [new JetStreamApiError({ code: 409, err_code: 10158, description })]
  const announce = await startPublisher(refusals)
  const item = await addItem()
  await change(item, announce)
  await waitFor(async () => expect(await readChanges(item)).toEqual([1]))
  expect(refusals).toEqual([])
  expect(lines.filter((line) => line.includes('publishing events failed'))).toEqual([])
})

test('two publishers and two followers lose and double no event while the stream is deleted again and again', async () => {
  const { addItem, change, startPublisher, startFollower, readApplied, manager } = await startStream()
  const announces = [await startPublisher(), await startPublisher()]
  await Promise.all([startFollower(), startFollower()])
  const items = await Promise.all(upTo(4).map(() => addItem()))
  const changes = 60
  const writing = items.map(async (item, n) => {
    for (let change_ = 0; change_ < changes; change_++)
      await change(item, announces[(n + change_) % 2] ?? expect.fail())
  })
  let isWriting = true
  const deleting = (async () => {
    for (let deleted = 0; isWriting || deleted === 0; )
      if (await manager.streams.delete(EVENTS_STREAM.name).catch(() => false)) deleted++
  })()
  await Promise.all(writing)
  isWriting = false
  await deleting
  const expected = upTo(changes).map((change) => ({ change, times: 1 }))
  for (const item of items) await waitFor(async () => expect(await readApplied(item)).toEqual(expected), READ_MAX_MS)
})
