/** Calls every operation with three foreign keys: resources of an organization and mode do not exist for other ones. */
import type { Operation, ResourceName } from '@platen/gateway/operation/operation.ts'
import { OPERATIONS } from '@platen/gateway/operations.ts'
import { requestTo } from '@platen/gateway/tests/request-to.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, readError } from '../harness/api.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { newEndpoint } from './hooks.ts'
import { newJob, newOrganization, type Organization } from './installation.ts'

let ours: Organization
let theirs: Organization
/** Resources of `ours` in test mode, for `:id` in paths. */
let ids: Partial<Record<ResourceName, string>>

beforeAll(async () => {
  ;[ours, theirs] = await Promise.all([newOrganization(), newOrganization()])
  await Promise.all([theirs.testApi.get('/v1/printers'), theirs.connectAgent()])
  const { testApi } = ours
  const { id: printer, computerId: computer } = await testApi.printer('Test A4 Laser')
  const { id: printJob } = await testApi.createJob(newJob(printer))
  await testApi.waitUntilFinal(printJob)
  const { id: destination } = (await testApi.post('/v1/destinations', { name: 'kitchen', printers: [printer] })).body
  const { id: webhook, path } = await newEndpoint(testApi, ['computer.online'])
  const { body: delivery } = await testApi.post(`${path}/test`, {})
  ids = await waitFor(async () => {
    const { body } = await testApi.get('/v1/events?type=printjob.done')
    expect((await testApi.get(`${path}/deliveries/${delivery.id}`)).body.status).toBe('succeeded')
    return {
      ...{ printer, computer, destination, 'print job': printJob, event: body.data[0].id },
      ...{ 'webhook endpoint': webhook, delivery: delivery.id },
    }
  })
})

/** Enrollment tokens belong to no mode, and are tested by `services/gateway/tests/world/enrollment.test.ts`. */
const named = OPERATIONS.filter(({ ids }) => ids && ids.id !== 'enrolment token')
const lists = OPERATIONS.filter(({ method, ids }) => method === 'get' && !ids)

function send(api: Api, operation: Operation) {
  const { method, path, init } = requestTo(operation, ids)
  return api.request(method, path, init)
}

/** Rules that the 404 of an operation proves, for a stranger of another organization and of the other mode. */
const RULES: Record<string, string> = {
  getPrinter: 'printer',
  getComputer: 'computer',
  getPrintJob: 'print-job',
  listPrintJobEvents: 'print-job-events',
  getWebhook: 'webhook',
}
const OTHER_MODE = 'tenant.other-mode'
const STRANGERS: [who: string, prefix: string, api: () => Api][] = [
  ['another organization', 'tenant.other-organization', () => theirs.testApi],
  ['the live mode of another organization', 'tenant.other-organization', () => theirs.api],
  ["the organization's other mode", OTHER_MODE, () => ours.api],
]

/** State that foreign operations could change. */
const readState = async () => {
  const paths = [
    `/v1/printers/${ids.printer}`,
    `/v1/webhooks/${ids['webhook endpoint']}`,
    `/v1/destinations/${ids.destination}`,
    `/v1/printjobs/${ids['print job']}`,
  ]
  return await Promise.all(paths.map(async (path) => (await ours.testApi.get(path)).body))
}

for (const [who, prefix, api] of STRANGERS)
  describe.concurrent(`for a key of ${who}`, () => {
    for (const operation of named) {
      const { operationId } = operation
      test(`${operationId} of what is not its own is a 404, and changes nothing`, async () => {
        if (RULES[operationId]) proves(`${prefix}.${RULES[operationId]}`)
        const before = await readState()
        expect(readError(await send(api(), operation))).toEqual([404, 'not_found'])
        expect(await readState()).toEqual(before)
        expect((await ours.testApi.get(`/v1/computers/${ids.computer}`)).status).toBe(200)
      })
    }

    for (const operation of lists)
      test(`${operation.operationId} shows nothing of what is not its own`, async () => {
        proves('tenant.lists', 'auth.test-key.data')
        const { status, body } = await send(api(), operation)
        expect(status).toBe(200)
        for (const id of Object.values(ids)) expect(JSON.stringify(body)).not.toContain(id)
      })
  })

test.each(['/v1/printers', '/v1/computers', '/v1/printjobs', '/v1/webhooks', '/v1/events'])(
  'a cursor of %s of another organization is a 400',
  async (path) => {
    const { nextCursor } = (await ours.testApi.get(path)).body
    expect((await ours.testApi.get(`${path}?after=${nextCursor}`)).status).toBe(200)
    expect(readError(await theirs.testApi.get(`${path}?after=${nextCursor}`))).toEqual([400, 'invalid_request'])
  },
)

test('a filter by a printer or computer of another organization finds nothing', async () => {
  for (const query of [`printerId=${ids.printer}`, `computerId=${ids.computer}`]) {
    expect((await ours.testApi.get(`/v1/printjobs?${query}`)).body.data).toHaveLength(1)
    expect((await theirs.testApi.get(`/v1/printjobs?${query}`)).body.data).toEqual([])
  }
})

test('the owner may read the resources that are a 404 for strangers', async () => {
  for (const operation of named.filter(({ method }) => method === 'get'))
    expect([operation.operationId, (await send(ours.testApi, operation)).status]).toEqual([operation.operationId, 200])
})
