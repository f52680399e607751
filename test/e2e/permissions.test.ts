import type { Gateway } from '@platen/gateway/gateway.ts'
import { type Operation, operationsOf } from '@platen/gateway/operations.ts'
import { permissionFor, requestTo } from '@platen/gateway/tests/permissions.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'

const ADMIN = ['read', 'print', 'admin']

let system: System
let agent: LightAgent
let organizationId: string
/** What `:id` names. */
let ours: { printer: string; computer: string; printJob: string; event: string; webhook: string }
/** Of the endpoint. */
let deliveryId: string

/** With a computer, a printer, a job and a webhook endpoint of test mode. */
beforeAll(async () => {
  // Where nobody listens.
  const webhook = { url: 'http://127.0.0.1:9/', events: ['computer.online'] }
  system = await startSystem({ env: { PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const { key, credential } = await system.addOrganization()
  agent = await connectLightAgent(system.agentAddress, credential)
  const api = createApi(system.baseUrl, key)
  organizationId = await organizationOf(key)
  const { id: printer, computerId: computer } = await api.printer('Bench')
  const admin = createApi(system.baseUrl, await system.addKey(organizationId, 'test', ADMIN))
  const { id: printJob } = await api.createJob(job(printer))
  const [{ id: event }] = await waitFor(async () => {
    const { body } = await api.get('/v1/events?type=printjob.*')
    expect(body.data).not.toEqual([])
    return body.data
  })
  ours = { printer, computer, printJob, event, webhook: (await admin.post('/v1/webhooks', webhook)).body.id }
  deliveryId = (await admin.post(`/v1/webhooks/${ours.webhook}/test`, {})).body.id
  // From then on nothing changes that is looked at below.
  await waitFor(async () => {
    expect((await admin.get(`/v1/webhooks/${ours.webhook}`)).body.failingSince).not.toBeNull()
  })
})

afterAll(async () => {
  agent?.close()
  await system?.stop()
})

function job(printerId: string) {
  return { printerId, title: 'Hello', contentType: 'pdf_base64', content: makePdf('Hello').toString('base64') }
}

async function organizationOf(key: string): Promise<string> {
  return (await createApi(system.baseUrl, key).get('/v1/whoami')).body.organization.id
}

/** A key of its own for each test, so that none of them meets the limit of requests. */
async function apiOf(whose: 'ours' | 'theirs', mode: 'live' | 'test'): Promise<Api> {
  const owner = whose === 'ours' ? organizationId : await organizationOf((await system.addOrganization()).key)
  return createApi(system.baseUrl, await system.addKey(owner, mode, ADMIN))
}

const operations = operationsOf({} as Gateway)
const named = operations.filter((operation) => permissionFor(operation).names)
const titled = (some: Operation[]) => some.map((operation) => [operation.operationId, operation] as const)

function send(api: Api, operation: Operation) {
  const { names } = permissionFor(operation)
  const { method, path, init } = requestTo(operation, names ? ours[names] : '', deliveryId)
  return api.request(method, path, init)
}

const STRANGERS = [
  ['another organization', 'theirs', 'test'],
  ['the live mode of another organization', 'theirs', 'live'],
  ["the organization's other mode", 'ours', 'live'],
] as const

describe.each(STRANGERS)('for a key of %s', (_, whose, mode) => {
  test.each(titled(named))('%s of what is not its own is a 404, and changes nothing', async (_, operation) => {
    const owner = await apiOf('ours', 'test')
    const paths = [`/v1/printers/${ours.printer}`, `/v1/webhooks/${ours.webhook}`]
    const look = () => Promise.all(paths.map(async (path) => (await owner.get(path)).body))
    const before = await look()
    const answer = await send(await apiOf(whose, mode), operation)
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
    expect(await look()).toEqual(before)
    expect((await owner.get(`/v1/computers/${ours.computer}`)).status).toBe(200)
    expect((await owner.getJob(ours.printJob)).state).not.toBe('cancelled')
  })

  test.each(titled(operations.filter((operation) => operation.method === 'get' && !permissionFor(operation).names)))(
    '%s shows nothing of what is not its own',
    async (_, operation) => {
      const { status, body } = await send(await apiOf(whose, mode), operation)
      expect(status).toBe(200)
      for (const id of Object.values(ours)) expect(JSON.stringify(body)).not.toContain(id)
    },
  )

  test('createPrintJob finds no printer that is not its own', async () => {
    const { status, body } = await (await apiOf(whose, mode)).post('/v1/printjobs', job(ours.printer))
    // Of its own organization it is told more (decisions, "Identity and limits").
    expect([status, body.error.code]).toEqual(whose === 'ours' ? [422, 'mode_mismatch'] : [404, 'not_found'])
  })
})

/** So that each 404 above was the answer to an id that exists. What deletes comes last. */
const gentleFirst = named.toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))

test.each(titled(gentleFirst))('%s of what is its own is no 404', async (_, operation) => {
  const { status } = await send(await apiOf('ours', 'test'), operation)
  expect(status).not.toBe(404)
  expect(status).toBeLessThan(500)
})
