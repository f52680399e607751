import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DeviceChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { EVENT_SCHEMAS } from '@platen/resources/event-schema.ts'
import { EVENT_TYPES, type EventType } from '@platen/resources/event-types.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { jobChanged } from '@platen/test/harness/job-changed.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { recordEvents } from '../events/record-events.ts'
import { addEndpoint } from './add-endpoint.ts'
import { newEvent, startEventWriter } from './event-writer.ts'
import { startTestWebhooks, type TestWebhooks } from './start-test-webhooks.ts'

const LIVE = { organizationId: uuidv7(), mode: 'live' }
const TEST = { ...LIVE, mode: 'test' }
const OTHER = { organizationId: uuidv7(), mode: 'live' }

test('a change of a job becomes an event with the id of the job event, and its body says what the job was', async () => {
  const webhooks = await startTestWebhooks()
  const changed = jobChanged(LIVE, { state: 'done', sequence: 5 })

  await webhooks.publish(changed)

  const [event] = await waitForEvents(webhooks, 1)
  expect(event).toMatchObject({ id: changed.eventId, organization_id: LIVE.organizationId, mode: 'live' })
  const body = JSON.parse(event?.body ?? '')
  expect(body).toEqual({
    id: changed.eventId,
    type: 'printjob.done',
    timestamp: '2026-01-02T03:04:05.678Z',
    mode: 'live',
    sequence: 5,
    data: changed.job && printJobToJson(changed.job),
  })
  expect(EVENT_SCHEMAS.get('printjob.done')?.parse(body)).toEqual(body)
})

test('changes of computers and printers become events, those of printers without capabilities', async () => {
  const webhooks = await startTestWebhooks()
  const ids = { id: uuidv7(), organizationId: LIVE.organizationId, mode: 'live' }
  const at = timestampFromDate(new Date('2026-01-02T03:04:05.678Z'))
  const facts = { ...LIVE, occurredAt: at, sequence: 3 }
  const computer = { ...ids, state: 'online', name: 'Office', createdAt: at, lastSeenAt: at }
  const printer = {
    ...ids,
    computerId: ids.id,
    state: 'online',
    capabilities: { copies: 9 },
    createdAt: at,
    updatedAt: at,
  }
  const ofComputer = { ...facts, eventId: uuidv7(), type: 'computer.online' }
  const ofPrinter = { ...facts, eventId: uuidv7(), type: 'printer.updated' }

  await webhooks.publishOfDevice(
    create(DeviceChangedSchema, { ...ofComputer, resource: { case: 'computer', value: computer } }),
  )
  await webhooks.publishOfDevice(
    create(DeviceChangedSchema, { ...ofPrinter, resource: { case: 'printer', value: printer } }),
  )

  const events = await waitForEvents(webhooks, 2)
  for (const { type, body } of events)
    expect(EVENT_SCHEMAS.get(type as EventType)?.parse(JSON.parse(body))).toEqual(JSON.parse(body))
  expect(events.map(({ body }) => JSON.parse(body))).toMatchObject([
    { id: ofComputer.eventId, type: 'computer.online', sequence: 3, data: { name: 'Office', state: 'online' } },
    { id: ofPrinter.eventId, type: 'printer.updated', sequence: 3, data: { state: 'online' } },
  ])
})

test('an endpoint gets a delivery of what it has subscribed to in its organization and mode, and of nothing else', async () => {
  const webhooks = await startTestWebhooks()
  const everything = await addEndpoint(webhooks, LIVE, { events: [...EVENT_TYPES] })
  const ends = await addEndpoint(webhooks, LIVE, { events: ['printjob.done', 'printjob.error'] })
  await addEndpoint(webhooks, LIVE, { events: ['printer.added'] })
  await addEndpoint(webhooks, TEST, { events: [...EVENT_TYPES] })
  await addEndpoint(webhooks, OTHER, { events: [...EVENT_TYPES] })
  const done = jobChanged(LIVE, { state: 'done' })
  const queued = jobChanged(LIVE, { state: 'queued' })

  await webhooks.publish(done)
  await webhooks.publish(queued)

  await waitForEvents(webhooks, 2)
  // Whether each was taken up already is of no matter here.
  const deliveries = await webhooks.query(
    `SELECT endpoint_id, event_id, event_type, trigger, status <> 'missed' AS was_due, created_at FROM webhooks.delivery`,
  )
  const due = { trigger: 'scheduled', was_due: true, created_at: webhooks.clock.now() }
  const expected = [
    { endpoint_id: everything, event_id: done.eventId, event_type: 'printjob.done', ...due },
    { endpoint_id: ends, event_id: done.eventId, event_type: 'printjob.done', ...due },
    { endpoint_id: everything, event_id: queued.eventId, event_type: 'printjob.queued', ...due },
  ]
  expect(deliveries).toHaveLength(expected.length)
  expect(deliveries).toEqual(expect.arrayContaining(expected))
})

test('what a disabled endpoint has subscribed to becomes a missed delivery, which is due never', async () => {
  const webhooks = await startTestWebhooks()
  const endpointId = await addEndpoint(webhooks, LIVE, { enabled: false })

  await webhooks.publish(jobChanged(LIVE))

  await waitForEvents(webhooks, 1)
  expect(await webhooks.query(`SELECT endpoint_id, status, next_attempt_at, due_at FROM webhooks.delivery`)).toEqual([
    { endpoint_id: endpointId, status: 'missed', next_attempt_at: null, due_at: null },
  ])
})

test('events that come again, in any company and to any replica, are recorded and delivered once', async () => {
  const webhooks = await startTestWebhooks()
  await addEndpoint(webhooks, LIVE)
  const service = await startEventWriter(webhooks)
  const events = Array.from({ length: 50 }, () => newEvent(LIVE))

  await Promise.all(
    Array.from({ length: 16 }, (_, n) => recordEvents(service, n % 2 ? events : events.toReversed().slice(n))),
  )

  expect(await webhooks.query(`SELECT count(*)::int AS events FROM webhooks.event`)).toEqual([{ events: 50 }])
  expect(
    await webhooks.query(`SELECT count(*)::int AS n, count(DISTINCT event_id)::int AS events FROM webhooks.delivery`),
  ).toEqual([{ n: 50, events: 50 }])
})

test('who waits for deliveries hears of them after their commit, and of none where there are none', async () => {
  const webhooks = await startTestWebhooks()
  const service = await startEventWriter(webhooks)

  await recordEvents(service, [newEvent(LIVE)])
  expect(service.timesDue()).toBe(0)
  await addEndpoint(webhooks, LIVE)
  await recordEvents(service, [newEvent(LIVE)])

  expect(service.timesDue()).toBe(1)
})

test('a change that an older release told of, without its job, is no event and holds up no other', async () => {
  const webhooks = await startTestWebhooks()
  const { job, ...old } = jobChanged(LIVE)
  const next = jobChanged(LIVE)

  await webhooks.publish(old)
  await webhooks.publish(next)

  const events = await waitForEvents(webhooks, 1)
  expect(events.map(({ id }) => id)).toEqual([next.eventId])
})

async function waitForEvents({ query }: TestWebhooks, count: number) {
  return await waitFor(async () => {
    const rows = await query<{ id: string; type: string; body: string }>(`SELECT * FROM webhooks.event ORDER BY id`)
    expect(rows).toHaveLength(count)
    return rows
  })
}
