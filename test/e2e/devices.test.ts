import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'

let system: System
let api: Api
let testApi: Api
const agents: LightAgent[] = []

beforeAll(async () => {
  system = await startSystem()
  const { organizationId, credential } = await system.addOrganization()
  api = createApi(system.baseUrl, await system.addKey(organizationId, 'live', ['admin']))
  testApi = createApi(system.baseUrl, await system.addKey(organizationId, 'test', ['admin']))
  agents.push(await connectLightAgent(system.agentAddress, credential))
})

afterAll(async () => {
  for (const agent of agents) agent.close()
  await system?.stop()
})

const patch = (path: string, body: unknown) =>
  api.request('PATCH', path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

async function enrollComputer() {
  const { status, body } = await api.post('/v1/enrollments', {})
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    token: expect.stringMatching(/^platen_enroll_/),
    expiresAt: expect.any(String),
    maxUses: 1,
  })
  expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(890_000)
  expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(900_000)
  const { computerId, credential } = await system.enroll(body.token)
  await expect(system.enroll(body.token)).rejects.toMatchObject({ code: 'unauthorized' })
  agents.push(await connectLightAgent(system.agentAddress, credential))
  return { computerId, credential }
}

const job = (printerId: string, facts = {}) => {
  const content = makePdf('Hello').toString('base64')
  return { printerId, title: 'Hello', contentType: 'pdf_base64', content, ...facts }
}

test('a computer is enrolled, its printer is edited, prints with its defaults, and all of it is deleted', async () => {
  const { computerId, credential } = await enrollComputer()
  const { status, body: list } = await api.get(`/v1/computers/${computerId}/printers`)
  expect([status, list.hasMore, list.data.length]).toEqual([200, false, 1])
  const [printer] = list.data
  expect(list.data).toEqual((await api.get('/v1/printers')).body.data)

  const path = `/v1/printers/${printer.id}`
  const changes = {
    displayName: 'Till',
    remarks: null,
    defaultOptions: { paper: 'Ticket', color: true },
    customPapers: [{ name: 'Ticket', width: 800, height: 1200 }],
  }
  const updated = await patch(path, changes)
  expect(updated).toMatchObject({ status: 200, body: { ...printer, ...changes, updatedAt: expect.any(String) } })
  expect(updated.body.updatedAt > printer.updatedAt).toBe(true)
  expect((await patch(path, {})).body).toEqual(updated.body)

  const created = await api.createJob(job(printer.id, { options: { copies: 2, pages: '1' } }))
  const warned = {
    options: { paper: 'Ticket', color: true, copies: 2, pages: '1' },
    stateMessage: 'Ignored options: color true (not offered by this printer); copies 2 (not offered by this printer).',
    stateReasons: ['option-ignored'],
  }
  expect(created).toMatchObject({ state: 'queued', ...warned })
  expect(await api.waitUntilFinal(created.id)).toMatchObject({ state: 'done', ...warned })

  expect(await patch(path, { enabled: false })).toMatchObject({ status: 200 })
  const refused = await api.post('/v1/printjobs', job(printer.id))
  expect([refused.status, refused.body.error.code]).toEqual([422, 'printer_disabled'])
  await patch(path, { enabled: true })

  const deleted = await api.request('DELETE', `/v1/computers/${computerId}`)
  expect([deleted.status, deleted.body]).toEqual([204, null])
  for (const gone of [`/v1/computers/${computerId}`, `/v1/computers/${computerId}/printers`, path])
    expect((await api.get(gone)).status).toBe(404)
  expect((await api.request('DELETE', `/v1/computers/${computerId}`)).status).toBe(404)
  expect((await api.get('/v1/computers')).body.data).toEqual([])
  expect(await api.getJob(created.id)).toMatchObject({ state: 'done', ...warned })
  expect((await api.eventStates(created.id)).at(-1)).toBe('done')
  await expect(connectLightAgent(system.agentAddress, credential)).rejects.toThrow()
})

test('a job for a printer whose computer is being deleted is refused, or ends as cancelled', async () => {
  const { computerId } = await enrollComputer()
  agents.at(-1)?.close()
  const [printer] = (await api.get(`/v1/computers/${computerId}/printers`)).body.data
  const creations = Array.from({ length: 10 }, () => api.post('/v1/printjobs', job(printer.id)))
  const deletion = api.request('DELETE', `/v1/computers/${computerId}`)
  expect((await deletion).status).toBe(204)
  const late = await api.post('/v1/printjobs', job(printer.id))
  for (const { status, body } of [...(await Promise.all(creations)), late]) {
    if (status === 404) continue
    expect(status).toBe(201)
    await waitFor(async () => expect((await api.getJob(body.id)).state).toMatch(/^(cancelled|done|error)$/))
  }
})

test('the virtual test computer cannot be deleted', async () => {
  const [computer] = (await testApi.get('/v1/computers')).body.data
  const { status, body } = await testApi.request('DELETE', `/v1/computers/${computer.id}`)
  expect([status, body.error.code]).toEqual([403, 'forbidden'])
  expect((await testApi.get(`/v1/computers/${computer.id}`)).status).toBe(200)
  expect((await api.request('DELETE', `/v1/computers/${computer.id}`)).status).toBe(404)
})
