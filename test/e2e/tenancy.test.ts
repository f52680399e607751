import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'

interface Organization {
  api: Api
  key: string
  credential: string
  printer: { id: string; computerId: string }
  jobId: string
  webhookId: string
}

let system: System
let ours: Organization
let theirs: Organization
const agents: LightAgent[] = []

beforeAll(async () => {
  system = await startSystem({ env: { PLATEN_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  ours = await addOrganization()
  theirs = await addOrganization()
})

afterAll(async () => {
  for (const agent of agents) agent.close()
  await system?.stop()
})

const job = (printerId: string) => {
  const content = makePdf('Hello').toString('base64')
  return { printerId, title: 'Hello', contentType: 'pdf_base64', content }
}

/** With a computer, a printer, a job and a webhook endpoint, where nobody listens. */
async function addOrganization(): Promise<Organization> {
  const { organizationId, credential } = await system.addOrganization()
  const key = await system.addKey(organizationId, 'test', ['read', 'print', 'admin'])
  agents.push(await connectLightAgent(system.agentAddress, credential))
  const api = createApi(system.baseUrl, key)
  const printer = await api.printer('Bench')
  const { id } = await api.createJob(job(printer.id))
  const webhook = await api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['computer.online'] })
  return { api, key, credential, printer, jobId: id, webhookId: webhook.body.id }
}

const looks = ({ printer, jobId, webhookId }: Organization) => [
  `/v1/printers/${printer.id}`,
  `/v1/printers/${printer.id}/printjobs`,
  `/v1/computers/${printer.computerId}`,
  `/v1/printjobs/${jobId}`,
  `/v1/printjobs/${jobId}/events`,
  `/v1/webhooks/${webhookId}`,
]

async function statuses(api: Api, paths: string[]): Promise<number[]> {
  const answers = await Promise.all(paths.map((path) => api.get(path)))
  return answers.map(({ status }) => status)
}

test('printers, computers, jobs, events and webhook endpoints of another organization are a 404', async () => {
  expect(await statuses(ours.api, looks(ours))).toEqual(Array(6).fill(200))
  expect(await statuses(theirs.api, looks(theirs))).toEqual(Array(6).fill(200))
  expect(await statuses(ours.api, looks(theirs))).toEqual(Array(6).fill(404))
  expect(await statuses(theirs.api, looks(ours))).toEqual(Array(6).fill(404))
})

test('lists hold nothing of another organization, where the same name is another printer', async () => {
  for (const { api, printer, jobId, webhookId } of [ours, theirs]) {
    const ids = async (path: string) => (await api.get(path)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids('/v1/printers')).toEqual([printer.id])
    expect(await ids('/v1/computers')).toEqual([printer.computerId])
    expect(await ids('/v1/printjobs')).toEqual([jobId])
    expect(await ids('/v1/webhooks')).toEqual([webhookId])
    expect(await ids(`/v1/printers/${printer.id}/printjobs`)).toEqual([jobId])
  }
  expect(ours.printer.id).not.toBe(theirs.printer.id)
  expect(ours.printer.computerId).not.toBe(theirs.printer.computerId)
  for (const filter of [`printerId=${theirs.printer.id}`, `computerId=${theirs.printer.computerId}`])
    expect((await ours.api.get(`/v1/printjobs?${filter}`)).body.data).toEqual([])
})

test('a job of another organization cannot be cancelled: it is a 404', async () => {
  const { status, body } = await ours.api.request('POST', `/v1/printjobs/${theirs.jobId}/cancel`)
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test.each(['/v1/printers', '/v1/computers', '/v1/printjobs', '/v1/webhooks'])(
  'a cursor of %s of another organization is a 400',
  async (path) => {
    const { nextCursor } = (await theirs.api.get(path)).body
    expect((await theirs.api.get(`${path}?after=${nextCursor}`)).status).toBe(200)
    const { status, body } = await ours.api.get(`${path}?after=${nextCursor}`)
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  },
)

test('a job for a printer of another organization is a 404', async () => {
  const { status, body } = await ours.api.post('/v1/printjobs', job(theirs.printer.id))
  expect([status, body.error.code]).toEqual([404, 'not_found'])
})

test('of a key and of a credential the database holds the SHA-256 alone', async () => {
  const client = new Client({ connectionString: system.databaseUrl })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('accounts', 'jobs', 'devices', 'usage', 'webhooks')`,
  )
  let stored = ''
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`)
    stored += rows.map(({ row }) => row).join('\n')
  }
  await client.end()
  for (const secret of [ours.key, ours.credential]) {
    expect(stored).not.toContain(secret)
    // Nor as bytes.
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
    expect(stored).toContain(createHash('sha256').update(secret).digest('hex'))
  }
})
