import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { startLiveVirtualAgent } from './live-virtual-agent.ts'

const ORGANIZATIONS = 200
/** Of clients that set something up; the jobs themselves are created all at once. */
const AT_ONCE = 16

let system: System

beforeAll(async () => {
  system = await startSystem({ testComputers: true })
})

afterAll(async () => {
  await system?.stop()
})

async function newOrganization(): Promise<Api> {
  const key = await system.addKey(await system.createOrganization(), 'test', ['read', 'print', 'admin'])
  return createApi(system.baseUrl, key)
}

const job = (printerId: string, title: string) => {
  const content = makePdf(title).toString('base64')
  return { printerId, title, contentType: 'pdf_base64', content }
}

test('the very first request of test mode shows the four virtual printers, online, each as what it behaves like', async () => {
  const api = await newOrganization()
  const { status, body } = await api.get('/v1/printers')
  expect(status).toBe(200)
  expect(body.data.map(({ state, enabled }: Record<string, unknown>) => [state, enabled])).toEqual(
    Array(4).fill(['online', true]),
  )
  const capabilities = (name: string) =>
    body.data.find((printer: { name: string }) => printer.name === name)?.capabilities
  expect(capabilities('Test A4 Laser')).toMatchObject({ papers: { A4: [2100, 2970] }, duplex: true, color: false })
  expect(capabilities('Test Letter Color')).toMatchObject({
    papers: { Letter: [2159, 2794] },
    duplex: true,
    color: true,
  })
  expect(capabilities('Test Receipt 80mm')).toMatchObject({ papers: { 'Roll 80mm': [800, null] }, duplex: false })
  // 4 and 6 inches in tenths of a millimetre.
  expect(capabilities('Test Label 4x6')).toMatchObject({ papers: { '4x6': [1016, 1524] }, duplex: false, color: false })
  const computers = (await api.get('/v1/computers')).body.data
  expect(computers).toMatchObject([{ state: 'online', mode: 'test' }])
  expect((await api.request('DELETE', `/v1/computers/${computers[0].id}`)).status).toBe(403)
})

test('200 organizations use test mode at once: all jobs end as their titles ask, each seen by its own alone', async () => {
  const left = Array.from({ length: ORGANIZATIONS }, (_, n) => n)
  const organizations: { api: Api; printers: { id: string; computerId: string }[] }[] = []
  const setUp = async () => {
    while (left.pop() !== undefined) {
      const api = await newOrganization()
      const { status, body } = await api.get('/v1/printers')
      expect([status, body.data?.length]).toEqual([200, 4])
      organizations.push({ api, printers: body.data })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, setUp))
  const printers = organizations.flatMap((organization) => organization.printers)
  expect(new Set(printers.map(({ id }) => id)).size).toBe(4 * ORGANIZATIONS)
  expect(new Set(printers.map(({ computerId }) => computerId)).size).toBe(ORGANIZATIONS)

  const created = await Promise.all(
    organizations.map(async ({ api, printers }, n) => {
      const printerId = printers[n % 4]?.id ?? ''
      const titles = [`Invoice ${n}`, n % 10 === 0 ? `Invoice ${n} [fail]` : `Receipt ${n}`]
      return await Promise.all(titles.map((title) => api.createJob(job(printerId, title))))
    }),
  )
  for (const [n, jobs] of created.entries()) {
    const { api } = organizations[n] as (typeof organizations)[number]
    for (const { id, title } of jobs) {
      const { state } = await api.waitUntilFinal(id, 120_000)
      expect([title, state]).toEqual([title, title.includes('[fail]') ? 'error' : 'done'])
    }
    const { body } = await api.get('/v1/printjobs')
    expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(jobs.map(({ id }) => id).toSorted())
  }
})

test('in live mode [fail] in a title means nothing, not even to a virtual printer', async () => {
  const organizationId = await system.createOrganization()
  const api = createApi(system.baseUrl, await system.addKey(organizationId, 'live', ['admin']))
  const { token } = (await api.post('/v1/enrollments', {})).body
  await startLiveVirtualAgent(system, (await system.enroll(token)).credential)
  const printer = await api.printer('Test A4 Laser')
  const { id } = await api.createJob(job(printer.id, 'Invoice [fail]'))
  expect(await api.waitUntilFinal(id)).toMatchObject({ state: 'done', mode: 'live', stateReasons: [] })
})
