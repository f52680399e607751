/**
 * Two replicas of each service as separate processes, as on a cluster. An instrumentation that is loaded too late, or
 * whose hook is missing, creates neither spans nor errors, so this test requires spans of every service.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSecrets } from '@platen/deploy/launcher/secrets.ts'
import { DiagnosticsService } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import { createRpcClient } from '@platen/runtime/rpc/client.ts'
import { createOperatorTransport } from '@platen/runtime/rpc/operator-transport.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTestAgent } from '../../services/devices/tests/test-agent.ts'
import { type Api, createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { peakRssBytes } from '../harness/peak-rss.ts'
import { ALL_SERVICES } from '../harness/separate-services.ts'
import { type System, startSystem } from '../harness/system.ts'
import { traceEnvironment } from '../harness/trace-environment.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Span, startTraceReceiver, type TraceReceiver } from '../traces/receiver.ts'

/** Two are enough: a gateway looks up the key of an organization once, at the next replica each time. */
const ROUNDS_MAX = 10

const MB = 1024 * 1024
const UPLOADS = 4

let receiver: TraceReceiver
let system: System
const agents: LightAgent[] = []
/** Keys, credentials and their stored hashes. */
const secrets: string[] = []

beforeAll(async () => {
  receiver = await startTraceReceiver()
  const env = { ...traceEnvironment(receiver), PLATEN_OFFLINE_GRACE_SECONDS: '10', PLATEN_VIRTUAL_PRINT_MS: '60' }
  system = await startSystem({ replicas: 2, testComputers: true, env })
})

afterAll(async () => {
  for (const agent of agents) agent.close()
  await system?.stop()
  await receiver?.close()
})

/**
 * An organization whose computer is connected to the second replica of devices; only the first gateway has looked up
 * its key.
 */
async function addCustomer() {
  const key = await system.addKey(await system.createOrganization(), 'live', ['read', 'print', 'admin'])
  const [first, second] = system.baseUrls.map((url) => createApi(url, key)) as [Api, Api]
  const { body } = await first.post('/v1/enrollments', {})
  const { credential } = await system.enroll(body.token)
  agents.push(await connectLightAgent(system.agentAddresses[1] ?? '', credential))
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  secrets.push(key, sha256(key), body.token, sha256(body.token), credential, sha256(credential))
  return { first, second, printerId: (await first.printer('Bench')).id }
}

/** @returns the id of a job that is done. */
async function print(api: Api, printerId: string): Promise<string> {
  const content = makePdf('Hello').toString('base64')
  const { id } = await api.createJob({ printerId, title: 'Hello', contentType: 'pdf_base64', content })
  await api.waitUntilFinal(id)
  return id
}

/** The one trace that begins with the creation of the job. */
function findTrace(jobId: string): Span[] {
  const traces = receiver.traces().filter((spans) => {
    const isOfJob = ({ attributes }: Span) => attributes['print.job.id'] === jobId
    return spans.some(isOfJob) && spans.some(({ name }) => name === 'POST /v1/printjobs')
  })
  expect(traces).toHaveLength(1)
  return traces[0] ?? []
}

/** The spans from the root of the trace to this one. */
function pathTo(trace: Span[], span: Span): string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathTo(trace, parent) : []), `${span.service.replace('platen-', '')}: ${span.kind} ${span.name}`]
}

const rpc = (from: string, to: string, method: string) => [
  `${from}: client platen.${to}.v1.${method}`,
  `${to}: server platen.${to}.v1.${method}`,
]

describe('with two replicas', { shuffle: false }, () => {
  test('each process reports to an operator on its operations port, and does not know the secret', async () => {
    const { operatorSecret: secret } = await openSecrets(join(system.directory, 'secrets.json'))
    const services = await Promise.all(
      ALL_SERVICES.map(async (name) => {
        const transport = createOperatorTransport({ url: system.getOpsUrl(name), secret })
        const { reports } = await createRpcClient(DiagnosticsService, transport).diagnose({})
        return reports.map(({ service }) => service)
      }),
    )
    expect(services).toEqual(ALL_SERVICES.map((name) => [name]))
    if (process.platform !== 'linux') return
    const processes = system.processes.filter(({ name }) => ALL_SERVICES.some((service) => name.startsWith(service)))
    for (const { pid } of processes) expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain(secret)
    expect(processes).toHaveLength(2 * ALL_SERVICES.length - 1)
  })

  test('a print job is one trace, each span under its cause, from the request over every service and the agent', async () => {
    const organizationId = await system.createOrganization()
    const key = await system.addKey(organizationId, 'test', ['read', 'print'])
    const api = createApi(system.baseUrls[1] ?? '', key)
    const jobId = await print(api, (await api.printer('Test A4 Laser')).id)
    const sql = (service: string) => expect.stringMatching(`^${service}: client pg\\.query`)
    const request = 'gateway: server POST /v1/printjobs'
    const created = [request, ...rpc('gateway', 'jobs', 'JobsService/CreateJobs')]
    // One call creates the jobs of many requests, so later spans belong to the request, not to the call.
    const expected = [
      [request, ...rpc('gateway', 'devices', 'DevicesService/ResolvePrinter'), sql('devices')],
      [...created, sql('jobs')],
      [request, 'devices: producer send agent.print'],
      [request, 'devices: consumer process agent.received'],
      [request, 'devices: consumer process agent.print'],
      [request, 'devices: consumer process agent.report'],
      [request, 'webhooks: consumer process printjob.queued'],
      [request, 'webhooks: consumer process printjob.received'],
      [request, 'webhooks: consumer process printjob.done'],
    ]
    await waitFor(() => {
      const trace = findTrace(jobId)
      const paths = trace.map((span) => pathTo(trace, span))
      for (const path of expected) expect(paths).toContainEqual(path)
      const known = new Set(trace.map(({ spanId }) => spanId))
      expect(trace.filter(({ parentSpanId }) => !known.has(parentSpanId)).map(({ name }) => name)).toEqual([
        'POST /v1/printjobs',
      ])
    })
  })

  test('every replica of every service takes part in traces of print jobs', async () => {
    const missing = new Set(['accounts', 'jobs', 'devices', 'gateway'].flatMap((name) => [`${name} 0`, `${name} 1`]))
    for (let round = 0; round < ROUNDS_MAX && missing.size > 0; round++) {
      const { first, second, printerId } = await addCustomer()
      for (const api of [second, first]) {
        const jobId = await print(api, printerId)
        const trace = await waitFor(() => {
          const spans = findTrace(jobId)
          expect(spans.map(({ name }) => name)).toContain('process printjob.done')
          return spans
        })
        for (const { service, instance } of trace) missing.delete(`${service.replace('platen-', '')} ${instance}`)
      }
    }
    expect([...missing]).toEqual([])
  })

  describe('a span is made', () => {
    beforeAll(async () => {
      const { first, printerId } = await addCustomer()
      await print(first, printerId)
      expect((await first.get('/v1/usage')).status).toBe(200)
    })

    const PG = '@opentelemetry/instrumentation-pg'
    test.each([
      ['gateway', 'platen.gateway', 'server', 'GET /v1/usage'],
      ['gateway', 'platen.rpc', 'client', 'platen.accounts.v1.AccountsService/VerifyApiKeys'],
      ['accounts', 'platen.rpc', 'server', 'platen.accounts.v1.AccountsService/VerifyApiKeys'],
      ['accounts', PG, 'client', 'pg.query:find keys platen'],
      ['jobs', 'platen.rpc', 'server', 'platen.jobs.v1.JobsService/CreateJobs'],
      ['jobs', PG, 'client', 'pg.query:create jobs platen'],
      ['jobs', PG, 'client', 'pg.query:SELECT platen'],
      ['devices', PG, 'client', 'pg.query:resolve printer platen'],
      ['devices', PG, 'client', 'pg.query:SELECT platen'],
      ['devices', 'platen.agent', 'producer', 'send agent.print'],
      ['devices', 'platen.agent', 'consumer', 'process agent.report'],
      ['devices', 'platen.rpc', 'server', 'platen.devices.v1.DevicesService/ResolvePrinter'],
      ['usage', 'platen.rpc', 'server', 'platen.usage.v1.UsageService/GetUsage'],
      ['usage', PG, 'client', 'pg.query:SELECT platen'],
      ['usage', 'platen.event-log', 'consumer', 'process printjob.queued'],
      ['webhooks', 'platen.event-log', 'consumer', 'process printjob.queued'],
    ])('by %s with %s: %s %s', async (service, tracer, kind, name) => {
      const expected = expect.objectContaining({ service: `platen-${service}`, tracer, kind, name })
      await waitFor(() => expect(receiver.traces().flat()).toContainEqual(expected))
    })
  })

  test('no span contains a key, a credential or a hash of one', () => {
    const dump = JSON.stringify(receiver.traces())
    expect(dump, 'statements are in spans').toContain('insert into')
    expect(secrets.filter((secret) => dump.includes(secret))).toEqual([])
  })

  test.skipIf(process.platform !== 'linux')(
    `${UPLOADS} uploads of 25 MB at once leave a gateway under 300 MB`,
    async () => {
      const { first, printerId } = await addCustomer()
      const content = makePdf('Large', 25 * MB).toString('base64')
      const body = JSON.stringify({ printerId, title: 'Large', contentType: 'pdf_base64', content })
      const answers = await Promise.all(Array.from({ length: UPLOADS }, () => first.post('/v1/printjobs', body)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
      expect(await peakRssBytes(system.pids.gateway ?? Number.NaN)).toBeLessThan(300 * MB)
    },
  )

  test('a killed devices process is no event of the computers whose agents connect to another one', async () => {
    const organizationId = await system.createOrganization()
    const api = createApi(system.baseUrl, await system.addKey(organizationId, 'live', ['admin']))
    const [address = '', other = ''] = system.agentAddresses
    const { body } = await api.post('/v1/enrollments', { maxUses: 5 })
    const enrolled = await Promise.all(Array.from({ length: 5 }, () => system.enroll(body.token)))
    const connectAll = (to: string) =>
      Promise.all(
        enrolled.map(async ({ credential }) => {
          const agent = connectTestAgent(to, credential)
          agent.hello()
          await agent.waitForMessages('welcome')
          return agent
        }),
      )
    const connected = await connectAll(address)
    const events = async () => (await api.get('/v1/events?dir=asc&limit=100')).body.data
    await waitFor(async () => expect(await events()).toHaveLength(10))
    process.kill(system.pids.devices ?? Number.NaN, 'SIGKILL')
    await Promise.all(connected.map((agent) => agent.ending()))
    await connectAll(other)
    // The feed is in the order of commits, so it would show an event of a computer before this one.
    const [printer] = await waitFor(async () => {
      const { status, body } = await api.get('/v1/printers')
      expect(status, 'the gateway has noticed which replica is gone').toBe(200)
      return body.data
    })
    await api.patch(`/v1/printers/${printer.id}`, { displayName: 'Till' })
    const last = await waitFor(async () => {
      const shown = await events()
      expect(shown.length).toBeGreaterThan(10)
      return shown.slice(10)
    })
    expect(last).toMatchObject([{ type: 'printer.updated', data: { displayName: 'Till' } }])
    for (const { computerId } of enrolled)
      expect((await api.get(`/v1/computers/${computerId}`)).body).toMatchObject({ state: 'online' })
  })
})
