/** The event feed through REST alone, behind two replicas of everything. */
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { createAtOnce } from '../harness/create-at-once.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { follow } from '../harness/write-out-of-order.ts'

interface Event {
  id: string
  type: string
  timestamp: string
  mode: string
  sequence: number
  data: Record<string, unknown>
}

const CONTENT = makePdf('Hello').toString('base64')

let system: System
let database: Client

beforeAll(async () => {
  system = await startSystem({ replicas: 2, env: { PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  database = new Client({ connectionString: system.databaseUrl })
  await database.connect()
})

afterAll(async () => {
  await database?.end()
  await system?.stop()
})

async function addOrganization() {
  const { key, credential } = await system.addOrganization()
  const agent = await connectLightAgent(system.agentAddress, credential)
  const apis = system.baseUrls.map((url) => createApi(url, key)) as [Api, Api]
  const [api] = apis
  const { id: printerId } = await api.printer('Bench')
  const job = (changes: object = {}) => ({
    printerId,
    title: 'Hello',
    contentType: 'pdf_base64',
    content: CONTENT,
    ...changes,
  })
  return { api, apis, agent, key, credential, job }
}

/** All events of a job in the order in which they happened, once it has come into its last state. Two replicas write them in any order. */
async function eventsOf(api: Api, jobId: string): Promise<Event[]> {
  return await waitFor(async () => {
    const { status, body } = await api.get('/v1/events?dir=asc&limit=100&type=printjob.*')
    expect(status).toBe(200)
    const ofJob: Event[] = body.data.filter(({ data }: Event) => data.id === jobId)
    const inOrder = ofJob.toSorted((one, other) => one.sequence - other.sequence)
    expect(['done', 'error', 'cancelled', 'expired']).toContain(inOrder.at(-1)?.data.state)
    expect(inOrder.map(({ sequence }) => sequence)).toEqual(inOrder.map((_, at) => at + 1))
    return inOrder
  })
}

/** Each has the id of its job event, and all of them the form of a payload. */
async function expectEventsOfJob(api: Api, jobId: string, states: string[]): Promise<Event[]> {
  const events = await eventsOf(api, jobId)
  const { body } = await api.get(`/v1/printjobs/${jobId}/events`)
  const told = body.data.map(({ id, state, createdAt }: Record<string, string>) => ({
    id,
    type: `printjob.${state}`,
    timestamp: createdAt,
    mode: 'test',
    data: expect.objectContaining({ id: jobId, state }),
  }))
  expect(events).toEqual(told.map((event: object, at: number) => ({ ...event, sequence: at + 1 })))
  expect(events.map(({ data }) => data.state)).toEqual(states)
  expect(events.at(-1)?.data).toEqual(await api.getJob(jobId))
  for (const event of events) expect((await api.get(`/v1/events/${event.id}`)).body).toEqual(event)
  return events
}

test('each state on the way to done is an event with the id of the job event, and shows the job as it was then', async () => {
  const { api, agent, job } = await addOrganization()
  const created = await api.createJob(job({ options: { copies: 1 }, qty: 2 }))
  const done = await api.waitUntilFinal(created.id)
  agent.close()

  const events = await expectEventsOfJob(api, created.id, ['queued', 'sent', 'received', 'printing', 'done'])

  expect(events[0]?.data).toEqual(created)
  const notYet = { sentAt: null, receivedAt: null, printingAt: null, finishedAt: null }
  const { sentAt, receivedAt, printingAt } = done
  expect(events.map(({ data }) => data)).toEqual([
    created,
    { ...done, state: 'sent', ...notYet, sentAt },
    { ...done, state: 'received', ...notYet, sentAt, receivedAt },
    { ...done, state: 'printing', ...notYet, sentAt, receivedAt, printingAt },
    done,
  ])
})

test('a cancel, an error and an expiry are events that show the job as it ended', async () => {
  const { api, agent, job } = await addOrganization()
  agent.close()
  // So that the first job waits, and the others behind it.
  const cancelled = await api.createJob(job())
  await waitFor(async () => {
    const { status } = await api.request('POST', `/v1/printjobs/${cancelled.id}/cancel`)
    expect(status).toBe(200)
  })
  const failed = await api.createJob(job({ contentType: 'pdf_uri', content: 'http://127.0.0.1/nothing.pdf' }))
  const expired = await api.createJob(job())
  await database.query('UPDATE jobs.job SET expires_at = now() WHERE id = $1', [expired.id])

  await Promise.all([cancelled, failed, expired].map(({ id }) => api.waitUntilFinal(id)))

  const lastStates = async (id: string) => (await eventsOf(api, id)).map(({ data }) => String(data.state))
  await expectEventsOfJob(api, cancelled.id, await lastStates(cancelled.id))
  const [first, last] = await expectEventsOfJob(api, failed.id, ['queued', 'error'])
  expect(first?.data).toEqual(failed)
  expect(last?.data.stateReasons).toEqual(['fetch-failed'])
  const endOfExpired = await eventsOf(api, expired.id)
  expect(endOfExpired.at(-1)).toMatchObject({ type: 'printjob.expired', data: { state: 'expired' } })
  expect((await eventsOf(api, cancelled.id)).at(-1)?.type).toBe('printjob.cancelled')
})

test('every event is confirmed to the outbox, which forgets it', async () => {
  await waitFor(async () => {
    const { rows } = await database.query('SELECT subject, awaiting FROM jobs.outbox')
    expect(rows).toEqual([])
    // A confirmation that got lost is asked for again after 30 s.
  }, 60_000)
})

test('who follows the feed by long polls, at whichever gateway, hears of every job of 16 clients once', async () => {
  const { api, apis, agent, job } = await addOrganization()
  agent.close()
  const creating = createAtOnce(apis, job)
  let page = 0

  const seen = await follow<string>(creating, async (after) => {
    const asked = `/v1/events?wait=2&type=printjob.queued&limit=7${after ? `&after=${after}` : ''}`
    const { status, body } = await apis[page++ % 2 ? 1 : 0].get(asked)
    expect(status).toBe(200)
    return { ids: body.data.map(({ data }: Event) => data.id), next: body.nextCursor ?? undefined }
  })

  // A job that is given back is queued once more.
  expect([...new Set(seen)].toSorted()).toEqual((await creating).toSorted())
  const { body } = await api.get('/v1/events?limit=1')
  expect(body.nextCursor).toEqual(expect.any(String))
})

test('a poll that waits is answered within a second of what it waits for, and sees nothing of others', async () => {
  const [ours, theirs] = [await addOrganization(), await addOrganization()]
  const { api, apis, job } = ours
  let latest = await api.createJob(job())
  const tookMs: number[] = []
  for (let n = 0; n < 5; n++) {
    await eventsOf(api, latest.id)
    const { nextCursor } = (await api.get('/v1/events?dir=asc&limit=100&type=printjob.*')).body
    const waiting = apis[1].get(`/v1/events?wait=30&type=printjob.*&after=${nextCursor}`)
    await theirs.api.waitUntilFinal((await theirs.api.createJob(theirs.job())).id)
    const startedAt = performance.now()

    latest = await api.createJob(job())
    const { body } = await waiting

    tookMs.push(performance.now() - startedAt)
    expect(new Set(body.data.map(({ data }: Event) => data.id))).toEqual(new Set([latest.id]))
  }
  // The machine that runs this may hold up one or another of them.
  expect(Math.min(...tookMs)).toBeLessThan(1_000)
  ours.agent.close()
  theirs.agent.close()
})
