import { expect, onTestFinished, test } from 'vitest'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startWebhookReceiver, verify } from '../harness/webhook-receiver.ts'
import { expectNothingLostOrDoubled, killPart, printThrough, wipeNats } from './print-through.ts'

/** An attempt that was lost with NATS is made again when its lease is over, which is 30 s here. */
const ALL_DELIVERED_WITHIN_MS = 90_000

/** What each job has events of, whatever else. */
const PRINTED = ['queued', 'sent', 'received', 'printing', 'done'].map((state) => `printjob.${state}`)

test('NATS wiped, webhooks killed, PostgreSQL restarted while 200 jobs run: the endpoint gets each event at least once, signed', async () => {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.stop())
  const platen = await startPlaten({
    env: {
      PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8',
      PLATEN_WEBHOOK_RETRY_GAPS: '1,1,2,2,4,4,4',
      PLATEN_WEBHOOK_LEASE_SECONDS: '30',
    },
  })
  onTestFinished(async () => {
    await platen.stop()
    await removeDataDir(platen.dataDir)
  })
  const { body: endpoint } = await platen.api.post('/v1/webhooks', {
    url: `${receiver.url}/hook`,
    events: ['queued', 'sent', 'received', 'printing', 'done', 'error', 'expired', 'cancelled'].map(
      (s) => `printjob.${s}`,
    ),
  })
  const faults = [() => wipeNats(platen), () => killPart(platen, 'webhooks'), () => restart(platen, 'postgres')]
  const accepted = await printThrough(platen, async () => await faults.shift()?.())
  await expectNothingLostOrDoubled(platen, accepted)

  const listed = await waitFor(async () => {
    const events = await readFeed(platen)
    // What NATS lost of one job may come into the feed behind its `done`.
    const told = accepted.flatMap((id) => PRINTED.map((type) => `${id} ${type}`))
    const found = new Set(events.map(({ type, data }) => `${data.id} ${type}`))
    expect(told.filter((event) => !found.has(event))).toEqual([])
    return events
  }, ALL_DELIVERED_WITHIN_MS)
  expect(listed.map(({ id }) => id).length).toBe(new Set(listed.map(({ id }) => id)).size)
  const delivered = await waitFor(() => {
    const came = new Set(receiver.at('/hook').map(({ headers }) => headers['webhook-id']))
    expect(listed.filter(({ id }) => !came.has(id)).map(({ type, id }) => `${type} ${id}`)).toEqual([])
    return receiver.at('/hook')
  }, ALL_DELIVERED_WITHIN_MS)
  // Meanwhile more may have come, of a job whose creation was not answered.
  const bodies = await waitFor(async () => {
    const feed = new Map((await readFeed(platen)).map((event) => [event.id, JSON.stringify(event)]))
    expect(delivered.filter(({ headers }) => !feed.has(headers['webhook-id'] ?? ''))).toEqual([])
    return feed
  }, ALL_DELIVERED_WITHIN_MS)
  for (const each of delivered) {
    const { id } = verify(each, endpoint.secret)
    expect(each.headers['webhook-id']).toBe(id)
    expect(each.body).toBe(bodies.get(id))
  }
})

interface Event {
  id: string
  type: string
  data: { id: string }
}

async function readFeed(platen: Platen): Promise<Event[]> {
  const events: Event[] = []
  for (let after = ''; ; ) {
    const { body } = await platen.api.get(`/v1/events?dir=asc&limit=100&type=printjob.*${after}`)
    events.push(...body.data)
    if (!body.hasMore) return events
    after = `&after=${body.nextCursor}`
  }
}

/** The way an operator does it: fast shutdown; the launcher starts it again. */
async function restart(platen: Platen, name: string): Promise<void> {
  const pid = await platen.pidOf(name)
  process.kill(pid, 'SIGINT')
  await waitFor(async () => expect(await platen.pidOf(name)).not.toBe(pid), 30_000)
}
