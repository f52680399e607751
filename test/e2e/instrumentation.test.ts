/**
 * An instrumentation that is loaded too late, or whose hook is missing, patches nothing and says nothing. So here each service runs as it
 * is shipped, and each of its instrumentations must make its span: of the HTTP server, of calls, of SQL through both of its ways
 * (MikroORM and the pool), of events and of what goes to agents.
 */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { traceEnvironment } from '../harness/trace-environment.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Span, startTraceReceiver, type TraceReceiver } from '../traces/receiver.ts'

const HTTP = '@opentelemetry/instrumentation-http'
const PG = '@opentelemetry/instrumentation-pg'

let receiver: TraceReceiver
let system: System
let agent: LightAgent
let api: Api

beforeAll(async () => {
  receiver = await startTraceReceiver()
  system = await startSystem({ env: traceEnvironment(receiver) })
  const { key, credential } = await system.addOrganization()
  agent = await connectLightAgent(system.agentAddress, credential)
  api = createApi(system.baseUrl, key)
})

afterAll(async () => {
  agent?.close()
  await system?.stop()
  await receiver?.close()
})

/** Waits for a span of a service, and for what it must have above it in the same service: each as "tracer: kind name". */
async function waitForPath(service: string, path: unknown[]): Promise<void> {
  await waitFor(() => {
    const paths = receiver.traces().flatMap((trace) => {
      const own = trace.filter((span) => span.service === `platen-${service}`)
      return own.map((span) => pathIn(own, span))
    })
    expect(paths).toContainEqual(path)
  })
}

function pathIn(spans: Span[], span: Span): string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? pathIn(spans, parent) : []), `${span.tracer}: ${span.kind} ${span.name}`]
}

const called = (method: string) => `platen.rpc: server platen.${method}`
const calls = (method: string) => `platen.rpc: client platen.${method}`

async function createJob(by = api): Promise<string> {
  const { id: printerId } = await by.printer('Bench')
  const content = makePdf('Hello').toString('base64')
  const { id } = await by.createJob({ printerId, title: 'Hello', contentType: 'pdf_base64', content })
  return id
}

test('the gateway makes spans of its requests and of its calls', async () => {
  // A key that it has seen it would not look up.
  const { key } = await system.addOrganization()
  await createApi(system.baseUrl, key).get('/v1/whoami')
  const request = `${HTTP}: server GET /v1/whoami`
  await waitForPath('gateway', [request])
  await waitForPath('gateway', [request, calls('accounts.v1.AccountsService/VerifyApiKeys')])
})

test('accounts makes spans of calls to it and of its SQL', async () => {
  await system.addOrganization()
  const call = called('accounts.v1.AccountsService/CreateApiKey')
  await waitForPath('accounts', [call])
  await waitForPath('accounts', [call, `${PG}: client pg.query:INSERT platen`])
})

test('jobs makes spans of calls to it, of its SQL by pool and by entity, and of the events that it publishes', async () => {
  await api.getJob(await createJob())
  const creation = called('jobs.v1.JobsService/CreateJob')
  await waitForPath('jobs', [creation, `${PG}: client pg.query:create job platen`])
  await waitForPath('jobs', [creation, 'platen.outbox: producer send platen.jobs.test.queued'])
  await waitForPath('jobs', [called('jobs.v1.JobsService/GetJob'), `${PG}: client pg.query:SELECT platen`])
})

test('devices makes spans of calls to it, of its SQL by pool and by entity, of events, of agents and of its calls', async () => {
  await createJob()
  const resolution = called('devices.v1.DevicesService/ResolvePrinter')
  await waitForPath('devices', [resolution, `${PG}: client pg.query:resolve printer platen`])
  await waitForPath('devices', [
    called('devices.v1.DevicesService/ListPrinters'),
    `${PG}: client pg.query:SELECT platen`,
  ])
  await waitForPath('devices', ['platen.messaging: consumer process platen.jobs.*.queued'])
  const sent = 'platen.agent: producer send agent.print'
  await waitForPath('devices', [sent])
  const report = [sent, 'platen.agent: consumer process agent.report']
  await waitForPath('devices', [...report, calls('jobs.v1.JobsService/RecordAgentUpdates')])
})

test('usage makes spans of calls to it, of its SQL by pool and by entity, and of events', async () => {
  const { key, credential } = await system.addOrganization({ mode: 'live' })
  const liveAgent = await connectLightAgent(system.agentAddress, credential)
  onTestFinished(() => liveAgent.close())
  const live = createApi(system.baseUrl, key)
  await createJob(live)
  expect((await live.get('/v1/usage')).status).toBe(200)
  const report = called('usage.v1.UsageService/GetUsage')
  await waitForPath('usage', [report, `${PG}: client pg.query:get usage platen`])
  await waitForPath('usage', [called('usage.v1.UsageService/GetPlan'), `${PG}: client pg.query:SELECT platen`])
  const event = 'platen.messaging: consumer process platen.jobs.live.queued'
  await waitForPath('usage', [event, `${PG}: client pg.query:record prints platen`])
})
