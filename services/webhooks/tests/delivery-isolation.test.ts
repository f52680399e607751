import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { addDelivery, addEndpoint, readAttempts, readDelivery } from './delivery-rows.ts'
import { startDelivering } from './start-delivering.ts'

const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))

test('an endpoint gets at most 8 deliveries at a time, and all of them in the end, each once', async () => {
  let underWay = 0
  let most = 0
  const { webhooks, endpoint, received } = await startDelivering({
    script: () => {
      underWay++
      most = Math.max(most, underWay)
      setTimeout(() => underWay--, 200)
      return { status: 204, delayMs: 200 }
    },
  })
  const deliveries = await many(60, () => addDelivery(webhooks, endpoint))
  await waitFor(async () => {
    // What was put off comes by the clock. In small steps: no lease may end while its attempt is under way.
    webhooks.clock.advanceSeconds(0.1)
    const rows = await webhooks.query(`SELECT FROM webhooks.delivery WHERE status = 'succeeded' AND attempts = 1`)
    expect(rows).toHaveLength(deliveries.length)
  })
  expect(most).toBe(8)
  expect(received).toHaveLength(deliveries.length)
})

test('an endpoint that cannot be reached rests: what waits for it uses no attempt and comes when it is there again', async () => {
  const { webhooks, endpoint, receiver, received } = await startDelivering({ script: () => 'close' })
  const { clock } = webhooks
  const failed = await many(5, () => addDelivery(webhooks, endpoint))
  for (const { id } of failed)
    await waitFor(async () =>
      expect(await readDelivery(webhooks, id)).toMatchObject({ attempts: 1, last_error: 'connect' }),
    )
  const since = clock.now().getTime()

  const waiting = await many(3, () => addDelivery(webhooks, endpoint))
  for (const { id } of waiting)
    await waitFor(async () => {
      const row = await readDelivery(webhooks, id)
      expect(row).toMatchObject({ status: 'pending', attempts: 0 })
      expect(row.next_attempt_at?.getTime()).toBeGreaterThanOrEqual(since + 30_000)
    })
  expect(received).toHaveLength(5)

  receiver.answerBy(() => 204)
  clock.advanceSeconds(30)
  await waitFor(async () => {
    // Never so far that they would come by themselves, which is after 50 s: they are called back.
    if (clock.now().getTime() < since + 48_000) clock.advanceSeconds(0.1)
    for (const { id } of waiting)
      expect(await readDelivery(webhooks, id)).toMatchObject({ status: 'succeeded', attempts: 1 })
  })
})

test('an endpoint that never answers holds up no other', async () => {
  const { webhooks, endpoint, receiver } = await startDelivering({
    script: ({ path }) => (path === '/well' ? 204 : 'never'),
    // Longer than the test waits: all the time none of the attempts at this endpoint ends.
    settings: { webhookTimeoutMs: 60_000 },
  })
  const well = await addEndpoint(webhooks, { url: `${receiver.url}/well` })
  await many(300, () => addDelivery(webhooks, endpoint))
  await waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(8))
  const deliveries = await many(40, () => addDelivery(webhooks, well))
  await waitFor(() => {
    // A stalled process puts some of them off.
    webhooks.clock.advanceSeconds(0.1)
    expect(receiver.at('/well')).toHaveLength(40)
  })
  for (const { id } of deliveries)
    await waitFor(async () => expect(await readAttempts(webhooks, id)).toMatchObject([{ error_class: null }]))
})
