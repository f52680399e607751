/** Computers and printers of live mode: enrolment, changes, deletion and events. */
import { describe, expect, test } from 'vitest'
import { connectTestAgent, LASER } from '../../services/devices/tests/test-agent.ts'
import { readError } from '../harness/api.ts'
import { COMPUTER, enrollComputer } from '../harness/enroll-computer.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import { proves } from '../harness/rules.ts'
import { followFeed } from './follow-feed.ts'
import { agentAddress, ISO_TIME, newJob, newOrganization, UUID_V7 } from './installation.ts'

describe.concurrent('a computer', () => {
  test('is enrolled by a token that is good for one use and 15 minutes by default', async () => {
    proves(
      'endpoint.POST.enrollments',
      'enrollment.id',
      'enrollment.token',
      'enrollment.expiresAt',
      'enrollment.maxUses',
      'enrollment.default.uses',
      'enrollment.default.expiry',
      'endpoint.POST.agents.enroll',
    )
    const { api } = await newOrganization()
    const { status, body } = await api.post('/v1/enrollments', {})
    const token = expect.stringMatching(/^platen_enroll_/)
    expect([status, body]).toEqual([
      201,
      { id: UUID_V7, token, expiresAt: ISO_TIME, maxUses: 1, commands: expect.any(Object) },
    ])
    const secondsLeft = (Date.parse(body.expiresAt) - Date.now()) / 1000
    expect(secondsLeft).toBeGreaterThan(890)
    expect(secondsLeft).toBeLessThanOrEqual(900)
    const trade = () => api.post('/v1/agents/enroll', COMPUTER, { authorization: `Bearer ${body.token}` })
    expect((await trade()).status).toBe(201)
    expect(readError(await trade())).toEqual([401, 'unauthorized'])
  })

  test('is deleted with its printers; its jobs stay readable, and its agent is refused', async () => {
    proves('endpoint.DELETE.computers.id', 'computer.printers.404')
    const { api, connectAgent } = await newOrganization()
    const { computerId, printerId, credential } = await connectAgent()
    const { id } = await api.createJob(newJob(printerId))
    await api.waitUntilFinal(id)
    const path = `/v1/computers/${computerId}`
    const { status, body } = await api.delete(path)
    expect([status, body]).toEqual([204, null])
    for (const gone of [path, `${path}/printers`, `/v1/printers/${printerId}`])
      expect(readError(await api.get(gone))).toEqual([404, 'not_found'])
    expect(readError(await api.delete(path))).toEqual([404, 'not_found'])
    expect((await api.get('/v1/computers')).body.data).toEqual([])
    expect(await api.getJob(id)).toMatchObject({ state: 'done' })
    expect((await api.eventStates(id)).at(-1)).toBe('done')
    await expect(connectLightAgent(agentAddress, credential)).rejects.toThrow()
  })
})

describe.concurrent('a printer', () => {
  test('is changed, and its jobs take its defaults without what it does not offer', async () => {
    proves(
      'printer.patch.empty',
      'custom-paper.width',
      'custom-paper.height',
      'options.shown.merged',
      'options.value.warning',
    )
    const { api, connectAgent } = await newOrganization()
    const { computerId, printerId } = await connectAgent()
    const { body: list } = await api.get(`/v1/computers/${computerId}/printers`)
    expect(list).toMatchObject({ hasMore: false, data: [{ id: printerId }] })
    expect((await api.get('/v1/printers')).body.data).toEqual(list.data)
    const path = `/v1/printers/${printerId}`
    const changes = {
      displayName: 'Till',
      remarks: null,
      defaultOptions: { paper: 'Ticket', color: true },
      customPapers: [{ name: 'Ticket', width: 800, height: 1200 }],
    }
    const { status, body: updated } = await api.patch(path, changes)
    expect([status, updated]).toEqual([200, { ...list.data[0], ...changes, updatedAt: ISO_TIME }])
    expect(updated.updatedAt > list.data[0].updatedAt).toBe(true)
    expect((await api.patch(path, {})).body).toEqual(updated)

    const created = await api.createJob(newJob(printerId, { options: { copies: 2, pages: '1' } }))
    const warned = {
      options: { paper: 'Ticket', color: true, copies: 2, pages: '1' },
      stateMessage:
        'Ignored options: color true (not offered by this printer); copies 2 (this printer offers at most 1).',
      stateReasons: ['option-ignored'],
    }
    expect(created).toMatchObject({ state: 'queued', ...warned })
    expect(await api.waitUntilFinal(created.id)).toMatchObject({ state: 'done', ...warned })

    await api.patch(path, { enabled: false })
    expect(readError(await api.post('/v1/printjobs', newJob(printerId)))).toEqual([422, 'printer_disabled'])
  })

  test('with the same name on another computer is another printer', async () => {
    proves('printer.same.other-computer')
    const { api, connectAgent } = await newOrganization()
    const [one, other] = [await connectAgent(), await connectAgent()]
    const { body } = await api.get('/v1/printers?dir=asc')
    expect(body.data.map(({ id, name }: Record<string, string>) => [id, name])).toEqual([
      [one.printerId, 'Bench'],
      [other.printerId, 'Bench'],
    ])
  })
})

test('the feed has the events of a computer and its printer with the current resources, and the other mode has none', async () => {
  proves('payload.sequence.grows', 'payload.data.computer', 'payload.data.printer')
  const { api, testApi } = await newOrganization()
  const news = followFeed(api)
  const { computerId, credential } = await enrollComputer(api)
  const agent = connectTestAgent(agentAddress, credential)
  agent.hello()
  await agent.waitForMessages('welcome')
  const { body: computer } = await api.get(`/v1/computers/${computerId}`)
  const [{ capabilities: _, ...printer }] = (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  const first = { mode: 'live', sequence: 1 }
  expect(await news(2)).toMatchObject([
    { type: 'computer.online', ...first, data: { ...computer, lastSeenAt: ISO_TIME } },
    { type: 'printer.added', ...first, data: printer },
  ])

  const { body: edited } = await api.patch(`/v1/printers/${printer.id}`, { displayName: 'Till' })
  const [updated] = await news(1)
  expect(updated).toMatchObject({ type: 'printer.updated', sequence: 2 })
  expect({ ...updated?.data, capabilities: edited.capabilities }).toEqual(edited)

  agent.send({ case: 'printers', value: { printers: [{ ...LASER, state: 'offline' }] } })
  expect(await news(1)).toMatchObject([{ type: 'printer.offline', sequence: 3, data: { state: 'offline' } }])
  agent.drop()
  expect(await news(1)).toMatchObject([{ type: 'computer.offline', sequence: 2, data: { state: 'offline' } }])
  await api.delete(`/v1/computers/${computerId}`)
  expect(await news(1)).toMatchObject([
    { type: 'printer.removed', sequence: 4, data: { id: printer.id, state: 'unknown', displayName: 'Till' } },
  ])
  expect((await testApi.get('/v1/events')).body.data).toEqual([])
})
