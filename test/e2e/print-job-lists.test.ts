import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { createAtOnce } from '../harness/create-at-once.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { follow } from '../harness/write-out-of-order.ts'

const CONTENT = makePdf('Hello').toString('base64')

let system: System
/** Two replicas of the gateway. */
let apis: [Api, Api]
let agent: LightAgent | undefined
let credential: string
let printer: { id: string; computerId: string }

beforeAll(async () => {
  system = await startSystem({ replicas: 2 })
  const organization = await system.addOrganization()
  credential = organization.credential
  apis = system.baseUrls.map((url) => createApi(url, organization.key)) as [Api, Api]
  agent = await connectLightAgent(system.agentAddress, credential)
  printer = await apis[0].printer('Bench')
})

afterAll(async () => {
  agent?.close()
  await system?.stop()
})

const job = (changes: Record<string, unknown> = {}) => ({
  printerId: printer.id,
  title: 'Hello',
  contentType: 'pdf_base64',
  content: CONTENT,
  ...changes,
})

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

test('a poller that goes on from the last cursor sees each job once, at whichever gateway it asks, while 16 clients create', async () => {
  const [first, second] = apis
  const creating = createAtOnce(apis, job)
  let page = 0
  const seen = await follow<string>(creating, async (after) => {
    const api = page++ % 2 ? first : second
    const { status, body } = await api.get(`/v1/printjobs?dir=asc&limit=5${after ? `&after=${after}` : ''}`)
    expect(status).toBe(200)
    return { ids: idsOf(body), next: body.nextCursor ?? undefined }
  })
  expect(seen.toSorted()).toEqual((await creating).toSorted())
})

describe('jobs', () => {
  test('are listed with all their fields, newest first, in pages of 25 by default', async () => {
    const [api] = apis
    const created: string[] = []
    for (let n = 0; n < 26; n++) created.push((await api.createJob(job({ source: 'pages' }))).id)
    const { body } = await api.get('/v1/printjobs?source=pages')
    expect(idsOf(body)).toEqual(created.slice(1).toReversed())
    expect(body).toMatchObject({ hasMore: true, nextCursor: expect.any(String) })
    expect(Object.keys(body).toSorted()).toEqual(['data', 'hasMore', 'nextCursor'])
    const { body: last } = await api.get(`/v1/printjobs?source=pages&after=${body.nextCursor}`)
    expect(last).toMatchObject({ hasMore: false })
    expect(idsOf(last)).toEqual(created.slice(0, 1))
    await waitFor(async () => expect((await api.getJob(created[0] ?? '')).state).toBe('done'))
    // From the oldest on a list ends before what is younger than the oldest open transaction.
    await waitFor(async () => {
      const shown = (await api.get('/v1/printjobs?source=pages&dir=asc&limit=1')).body.data[0]
      expect(shown).toEqual(await api.getJob(created[0] ?? ''))
    })
  })

  test('of a printer are newest first, and paged', async () => {
    const [api] = apis
    const path = `/v1/printers/${printer.id}/printjobs`
    const newest = (await api.createJob(job())).id
    const { body } = await api.get(`${path}?limit=2`)
    expect([idsOf(body)[0], body.hasMore]).toEqual([newest, true])
    const { body: next } = await api.get(`${path}?limit=2&after=${body.nextCursor}`)
    const { body: all } = await api.get(`${path}?limit=4`)
    expect([...idsOf(body), ...idsOf(next)]).toEqual(idsOf(all))
  })

  test.each([
    'state=finished',
    'printerId=laser',
    'computerId=7',
    'source=',
    'createdAfter=yesterday',
    'createdBefore=2026-01-02',
    'colour=red',
  ])('with ?%s are a 400', async (query) => {
    const { status, body } = await apis[0].get(`/v1/printjobs?${query}`)
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    expect(body.error.message).toContain(query.split('=')[0])
  })

  test('are filtered by printer, computer, source, state and time, alone and together', async () => {
    const [api] = apis
    const before = (await api.createJob(job({ source: 'filters' }))).createdAt
    const { id, createdAt } = await waitFor(async () => {
      const created = await api.createJob(job({ source: 'filters' }))
      expect(created.createdAt > before).toBe(true)
      return created
    })
    await waitFor(async () => expect((await api.getJob(id)).state).toBe('done'))
    const find = async (query: string) => {
      const { status, body } = await api.get(`/v1/printjobs?limit=100&source=filters&${query}`)
      expect([query, status]).toEqual([query, 200])
      return idsOf(body).includes(id)
    }
    const other = '01890a5d-ac96-774b-bcce-b302099a8057'
    for (const query of [
      `printerId=${printer.id}`,
      `computerId=${printer.computerId}`,
      'state=done',
      'state=error&state=done',
      `createdAfter=${createdAt}`,
      `createdAfter=${before}&createdBefore=2090-01-01T00:00:00Z&state=done&printerId=${printer.id}`,
    ])
      expect([query, await find(query)]).toEqual([query, true])
    for (const query of [
      `printerId=${other}`,
      `computerId=${other}`,
      'state=error',
      'state=queued&state=sent',
      `createdBefore=${createdAt}`,
      `state=done&printerId=${other}`,
    ])
      expect([query, await find(query)]).toEqual([query, false])
    expect((await api.get('/v1/printjobs?source=Filters')).body.data).toEqual([])
  })
})

describe('a cancel', () => {
  const cancel = (id: string) => apis[1].request('POST', `/v1/printjobs/${id}/cancel`)

  test('of a job that no agent has received answers 200 with the job in cancelled, and then 409', async () => {
    const [api] = apis
    agent?.close()
    const { id } = await api.createJob(job())
    const { status, body } = await cancel(id)
    expect([status, body]).toEqual([200, await api.getJob(id)])
    expect(body).toMatchObject({ id, state: 'cancelled', finishedAt: expect.any(String), stateMessage: null })
    const events = (await api.get(`/v1/printjobs/${id}/events`)).body.data
    expect(events.at(-1)).toMatchObject({ state: 'cancelled', actor: 'api', message: null })
    const again = await cancel(id)
    expect([again.status, again.body.error.code]).toEqual([409, 'not_cancellable'])
    expect(again.body.error.message).toContain('`cancelled`')

    // It is not printed when its computer comes back.
    const printed: string[] = []
    agent = await connectLightAgent(system.agentAddress, credential, { onPrint: (jobId) => void printed.push(jobId) })
    const next = await api.createJob(job())
    await waitFor(async () => expect((await api.getJob(next.id)).state).toBe('done'))
    expect(printed).toContain(next.id)
    expect(printed).not.toContain(id)
    expect((await api.getJob(id)).state).toBe('cancelled')
    const late = await cancel(next.id)
    expect([late.status, late.body.error.code]).toEqual([409, 'not_cancellable'])
    expect(late.body.error.message).toContain('`done`')
  })

  test('of a job that does not exist is a 404', async () => {
    const { status, body } = await cancel('01890a5d-ac96-774b-bcce-b302099a8057')
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })
})
