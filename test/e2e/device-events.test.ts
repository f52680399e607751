/** Events of computers and printers, through all services to the feed. Their conditions are tested in `services/devices`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTestAgent, LASER } from '../../services/devices/tests/test-agent.ts'
import { type Api, createApi } from '../harness/api.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Long enough for agents to come back on a stalled machine. */
const GRACE_SECONDS = 10

let system: System

beforeAll(async () => {
  system = await startSystem({
    replicas: 2,
    testComputers: true,
    env: { PLATEN_PRINTER_STATE_SECONDS: '1', PLATEN_OFFLINE_GRACE_SECONDS: String(GRACE_SECONDS) },
  })
})

afterAll(async () => {
  await system?.stop()
})

interface Told {
  type: string
  timestamp: string
  sequence: number
  mode: string
  data: Record<string, unknown>
}

/** @returns the next call for what is new in the feed, once there are so many. */
function follow(api: Api) {
  let after = ''
  const events: Told[] = []
  return async (count: number): Promise<Told[]> => {
    await waitFor(async () => {
      const { status, body } = await api.get(`/v1/events?dir=asc&wait=1${after && `&after=${after}`}`)
      expect(status).toBe(200)
      after = body.nextCursor ?? after
      events.push(...body.data)
      const told = events.map(({ type, data }) => `${type} ${data.id}`)
      expect(told, told.join('\n')).toHaveLength(count)
    }, 40_000)
    // What happens at once is in the feed in any order.
    return events.splice(0).toSorted((one, other) => one.type.localeCompare(other.type))
  }
}

const patch = (api: Api, path: string, body: unknown) =>
  api.request('PATCH', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

test('what happens to a computer and its printer is in the feed as it is read, and in no other mode', async () => {
  const { organizationId } = await system.addOrganization({ mode: 'live' })
  const api = createApi(system.baseUrl, await system.addKey(organizationId, 'live', ['admin']))
  const testApi = createApi(system.baseUrl, await system.addKey(organizationId, 'test', ['admin']))
  const news = follow(api)
  const { token } = (await api.post('/v1/enrollments', {})).body
  const { computerId, credential } = await system.enroll(token)
  const agent = connectTestAgent(system.agentAddress, credential)
  agent.hello()
  await agent.hears('welcome')

  const { body: computer } = await api.get(`/v1/computers/${computerId}`)
  const [{ capabilities: _, ...printer }] = (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  const first = { mode: 'live', sequence: 1 }
  expect(await news(2)).toMatchObject([
    { type: 'computer.online', ...first, data: { ...computer, lastSeenAt: expect.any(String) } },
    { type: 'printer.added', ...first, data: printer },
  ])

  const { body: edited } = await patch(api, `/v1/printers/${printer.id}`, { displayName: 'Till' })
  const [updated] = await news(1)
  expect(updated).toMatchObject({ type: 'printer.updated', sequence: 2 })
  expect({ ...updated?.data, capabilities: edited.capabilities }).toEqual(edited)

  agent.say({ case: 'printers', value: { printers: [{ ...LASER, state: 'offline' }] } })
  expect(await news(1)).toMatchObject([{ type: 'printer.offline', sequence: 3, data: { state: 'offline' } }])
  const droppedAt = Date.now()
  agent.drop()
  const [gone] = await news(1)
  expect(gone).toMatchObject({ type: 'computer.offline', sequence: 2, data: { state: 'offline' } })
  expect(Date.parse(gone?.timestamp ?? '') - droppedAt).toBeGreaterThanOrEqual(GRACE_SECONDS * 1000)
  expect((await api.request('DELETE', `/v1/computers/${computerId}`)).status).toBe(204)
  expect(await news(1)).toMatchObject([
    { type: 'printer.removed', sequence: 4, data: { id: printer.id, state: 'unknown', displayName: 'Till' } },
  ])

  expect((await testApi.get('/v1/events')).body.data).toEqual([])
})

test('the first use of test mode is the events of its computer and four printers', async () => {
  const organizationId = await system.createOrganization()
  const api = createApi(system.baseUrl, await system.addKey(organizationId, 'test', ['admin']))
  const { body } = await api.get('/v1/printers')
  expect(body.data).toHaveLength(4)
  const events = await follow(api)(5)
  expect(events.map(({ type, mode, sequence }) => [type, mode, sequence])).toEqual([
    ['computer.online', 'test', 1],
    ...Array.from({ length: 4 }, () => ['printer.added', 'test', 1]),
  ])
})

test('a devices process that is killed is no event of the computers whose agents come back to another one', async () => {
  const { organizationId } = await system.addOrganization({ mode: 'live' })
  const api = createApi(system.baseUrl, await system.addKey(organizationId, 'live', ['admin']))
  const [address = '', other = ''] = system.agentAddresses
  const enrolled = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { token } = (await api.post('/v1/enrollments', {})).body
      return await system.enroll(token)
    }),
  )
  const connectAll = (to: string) =>
    Promise.all(
      enrolled.map(async ({ credential }) => {
        const agent = connectTestAgent(to, credential)
        agent.hello()
        await agent.hears('welcome')
        return agent
      }),
    )
  const agents = await connectAll(address)
  const news = follow(api)
  expect(await news(10)).toHaveLength(10)
  process.kill(system.pids.devices ?? Number.NaN, 'SIGKILL')
  await Promise.all(agents.map((agent) => agent.ending()))
  await connectAll(other)
  // The feed is in the order of commits, so an event before this one would be shown before it.
  const [printer] = (await api.get('/v1/printers')).body.data
  await patch(api, `/v1/printers/${printer.id}`, { displayName: 'Till' })
  expect(await news(1)).toMatchObject([{ type: 'printer.updated', data: { displayName: 'Till' } }])
  for (const { computerId } of enrolled)
    expect((await api.get(`/v1/computers/${computerId}`)).body).toMatchObject({ state: 'online' })
})
