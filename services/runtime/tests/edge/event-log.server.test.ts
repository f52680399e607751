/** An event log and the cursors of its followers. */
import { create } from '@bufbuild/protobuf'
import { EventBatchSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { writeOutOfOrder } from '@platen/test/harness/write-out-of-order.ts'
import { expect, test } from 'vitest'
import { CHANGE, startShop } from '../event-shop.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test('two followers of one cursor apply each event once and in the order of the changes, of 16 writers that change the same items and commit late', async () => {
  const { databaseUrl, pool, addItem, follower, readApplied } = await startShop()
  const items = await Promise.all(Array.from({ length: 4 }, () => addItem()))
  let turn = 0
  let isWriting = true
  const writing = writeOutOfOrder(databaseUrl, async (client) => {
    // The number of the transaction is older than its wait for the item.
    await client.query('SELECT pg_current_xact_id()')
    return (await client.query<{ id: string }>(CHANGE, [items[turn++ % 4]])).rows[0]?.id ?? ''
  }).finally(() => {
    isWriting = false
  })
  const followers = [follower(), follower()].map(async (one) => {
    while (isWriting) await one.step()
  })
  await Promise.all([writing, ...followers])
  await untilVisible(pool)
  await follower().catchUp()
  const { rows } = await pool.query(
    'SELECT FROM shop.event_log AS a JOIN shop.event_log AS b ON a.commit_seq = b.commit_seq AND a.number < b.number',
  )
  expect(rows.length, 'some transaction changed an item after a younger one').toBeGreaterThan(0)
  for (const item of items) expect(await readApplied(item)).toEqual(upTo(48).map((change) => ({ change, times: 1 })))
})

test('an event waits for older transactions; of two transactions that change an item, the event of the later change comes later', async () => {
  const { pool, addItem, begin, follower, readChanges } = await startShop()
  const item = await addItem()
  await untilVisible(pool)
  const { catchUp } = follower()
  await catchUp()
  const older = await begin()
  await pool.query(CHANGE, [item])
  await catchUp()
  await older.query(CHANGE, [item])
  expect(await readChanges(item)).toEqual([])
  await older.query('COMMIT')
  await untilVisible(pool)
  await catchUp()
  expect(await readChanges(item)).toEqual([1, 2])
})

test('a batch that fails before or after its commit is neither lost nor applied again', async () => {
  const { pool, addItem, follower, apply, readApplied } = await startShop()
  const item = await addItem(2)
  await untilVisible(pool)
  const failures = ['before', 'after']
  const { step, catchUp } = follower({
    async apply(events, move) {
      const failure = failures.shift()
      if (failure === 'before') throw new Error('before')
      const isOurs = await apply(events, move)
      if (failure === 'after') throw new Error('after')
      return isOurs
    },
  })
  await expect(step()).rejects.toThrow('before')
  expect(await readApplied(item)).toEqual([])
  await expect(step()).rejects.toThrow('after')
  await catchUp()
  expect(await readApplied(item)).toEqual(upTo(2).map((change) => ({ change, times: 1 })))
})

test('an event that its consumer can never store is skipped and logged, and the others of its batch are applied; a locked table skips no event', async () => {
  const { pool, addItem, begin, follower, readChanges, logs } = await startShop()
  const item = await addItem(3, { before: 9997 })
  await untilVisible(pool)
  const other = await begin()
  await other.query('LOCK TABLE reader.applied')
  const { step, catchUp } = follower()
  await expect(step()).rejects.toThrow('lock timeout')
  await other.query('COMMIT')
  await untilVisible(pool)
  expect(logs).toEqual([])
  await catchUp()
  expect(await readChanges(item)).toEqual([9998, 10_000])
  const { rows } = await pool.query(`SELECT id FROM shop.event_log WHERE body = '9999'`)
  expect(logs.map((line) => JSON.parse(line))).toMatchObject([{ event_id: rows[0].id, log: 'shop' }])
  expect(logs[0]).toMatch(/"level":("error"|50)/)
})

test('events of which a statement can apply only few before its timeout are applied in smaller and smaller batches, which grow again', async () => {
  const { pool, addItem, changeOften, follower, apply, readApplied } = await startShop()
  const item = await addItem()
  await changeOften(item, { count: 500, bytes: 3 })
  await untilVisible(pool)
  let most = 100
  const sizes: number[] = []
  const { step, catchUp } = follower({
    async apply(events, move) {
      sizes.push(events.length)
      if (events.length > most) throw new Error('timeout')
      return await apply(events, move)
    },
  })
  for (const size of [500, 250, 125]) {
    await expect(step()).rejects.toThrow('timeout')
    expect(sizes.at(-1)).toBe(size)
  }
  most = 500
  await catchUp()
  expect(sizes.slice(3)).toEqual([63, 79, 99, 124, 135])
  expect(await readApplied(item)).toEqual(upTo(500).map((change) => ({ change, times: 1 })))
})

test('a response has at most 500 events and 512 KiB of bodies, and no event is lost between two; a filter skips other events', async () => {
  const { pool, addItem, changeOften, follower, followed, readChanges } = await startShop()
  const [item, big, other] = [await addItem(), await addItem(), await addItem()]
  await changeOften(item, { count: 1_101, bytes: 4 })
  await changeOften(big, { count: 12, bytes: 200_000 })
  await changeOften(other, { count: 600, bytes: 3, type: 'item.sold' })
  await untilVisible(pool)
  const { read } = followed()
  const answers: string[][] = []
  const { catchUp } = follower({
    types: ['item.added', 'item.changed'],
    async read(request) {
      const answer = await read(request)
      answers.push(answer.events.map(({ body }) => body))
      return answer
    },
  })
  await catchUp()
  expect(await readChanges(item)).toEqual(upTo(1_101))
  expect(await readChanges(big)).toEqual(upTo(12))
  expect(await readChanges(other)).toEqual([])
  expect(Math.max(...answers.map(({ length }) => length))).toBe(500)
  expect(Math.max(...answers.map((bodies) => bodies.join('').length))).toBeLessThanOrEqual(512 * 1024)
  const behind = await pool.query(
    'SELECT FROM shop.event_log, reader.log_cursor AS at WHERE commit_seq > last_commit_seq',
  )
  expect(behind.rowCount).toBe(0)
})

test('a batch of the stream is applied from the cursor on: what was applied before is skipped, and what is missing is reported', async () => {
  const { pool, addItem, changeOften, follower, followed, readApplied } = await startShop()
  const item = await addItem()
  await changeOften(item, { count: 6 })
  await untilVisible(pool)
  const { events } = await followed().read({ after: { commitSeq: 0n, number: 0n }, types: [] })
  const positions = events.map(({ position }) => position ?? expect.fail())
  const batch = (first: number, last: number) =>
    create(EventBatchSchema, {
      from: first === 1 ? { commitSeq: 0n, number: 0n } : positions[first - 2],
      events: events.slice(first - 1, last),
      end: positions[last - 1],
    })
  const { accept } = follower()
  expect(await accept(batch(3, 4))).toBe('gap')
  expect(await accept(batch(1, 3))).toBe('done')
  expect(await accept(batch(1, 3))).toBe('done')
  expect(await accept(batch(2, 5))).toBe('done')
  expect(await follower().accept(batch(5, 6))).toBe('done')
  expect(await accept(batch(6, 6)), 'the other follower has moved the cursor').toBe('lost')
  expect(await readApplied(item)).toEqual(upTo(6).map((change) => ({ change, times: 1 })))
})
