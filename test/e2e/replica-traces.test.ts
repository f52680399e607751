import { createHash } from 'node:crypto'
import { makeApiKey } from '@platen/accounts/api-key.ts'
import { makeCredential } from '@platen/devices/agents/credential.ts'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { traceEnvironment } from '../harness/trace-environment.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Span, startTraceReceiver, type TraceReceiver } from '../traces/receiver.ts'
import { spanPath } from '../traces/span-path.ts'

/** Two rounds are enough: an organization's key is looked up once by each gateway, and each look-up is the next replica's turn. */
const ROUNDS_MAX = 10
const CANARY = 'canary-7d20'
const CONTENT = makePdf(CANARY).toString('base64')

let receiver: TraceReceiver
let system: System
let stopSystem: () => Promise<void>
const agents: LightAgent[] = []
/** What no span may hold, by what it is. */
const secrets = new Map([
  ['title, and content as it is printed', CANARY],
  ['content as it is sent', CONTENT.slice(0, 40)],
])

/** Also the hashes that are stored and looked up by: nobody needs them in a trace. */
function keepSecret({ key, credential }: { key: string; credential: string }): void {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  secrets.set(`key ${key}`, key).set(`hash of key ${key}`, sha256(key))
  secrets.set(`credential ${credential}`, credential).set(`hash of credential ${credential}`, sha256(credential))
}

beforeAll(async () => {
  receiver = await startTraceReceiver()
  system = await startSystem({ replicas: 2, env: traceEnvironment(receiver) })
  let stopped: Promise<void> | undefined
  stopSystem = () => {
    for (const agent of agents) agent.close()
    stopped ??= system.stop()
    return stopped
  }
})

afterAll(async () => {
  await stopSystem?.()
  await receiver?.close()
})

interface Customer {
  /** At each replica of the gateway. */
  apis: [Api, Api]
  printerId: string
  /** Jobs whose last report was confirmed. */
  done: Set<string>
}

/** An organization whose computer is connected to the second replica of devices, and whose key the second gateway has not seen. */
async function addCustomer(): Promise<Customer> {
  const { key, credential } = await system.addOrganization()
  keepSecret({ key, credential })
  const done = new Set<string>()
  agents.push(
    await connectLightAgent(system.agentAddresses[1] ?? '', credential, { onDone: (jobId) => done.add(jobId) }),
  )
  const [first = '', second = ''] = system.baseUrls
  const apis: Customer['apis'] = [createApi(first, key), createApi(second, key)]
  const { id: printerId } = await apis[0].printer('Bench')
  return { apis, printerId, done }
}

/** @returns the id of a job once the agent has heard that its last report is recorded. Nobody reads it in between. */
async function print({ printerId, done }: Customer, api: Api): Promise<string> {
  const { id } = await api.createJob({ printerId, title: CANARY, contentType: 'pdf_base64', content: CONTENT })
  await waitFor(() => expect([...done]).toContain(id))
  return id
}

const isOf = (jobId: string) => (span: Span) => span.attributes['print.job.id'] === jobId
const reports = (trace: Span[]) => trace.filter(({ name }) => name === 'process agent.report')

/** @returns the trace of a job that is done, with all its spans. */
async function traceOf(jobId: string): Promise<Span[]> {
  return await waitFor(() => {
    const traces = receiver.traces().filter((spans) => spans.some(isOf(jobId)))
    expect(traces).toHaveLength(1)
    const [trace = []] = traces
    expect(reports(trace)).toHaveLength(2)
    const sends = trace.filter(({ name }) => name.startsWith('send platen.jobs.')).map(({ name }) => name.split('.')[3])
    expect(new Set(sends)).toEqual(new Set(['queued', 'sent', 'received', 'printing', 'done']))
    const known = new Set(trace.map(({ spanId }) => spanId))
    const roots = trace.filter(({ parentSpanId }) => !known.has(parentSpanId))
    expect(roots.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([['POST /v1/printjobs', '']])
    return trace
  })
}

test('with two replicas of each service one print job is one trace, each span under what caused it', async () => {
  const customer = await addCustomer()
  const jobId = await print(customer, customer.apis[1])
  const rpc = (from: string, to: string, method: string) => [
    `platen-${from}: client platen.${to}.v1.${method}`,
    `platen-${to}: server platen.${to}.v1.${method}`,
  ]
  const sql = (service: string) => expect.stringMatching(`^platen-${service}: client pg\\.query`)
  const request = 'platen-gateway: server POST /v1/printjobs'
  const verified = [request, ...rpc('gateway', 'accounts', 'AccountsService/VerifyApiKeys')]
  const resolved = [request, ...rpc('gateway', 'devices', 'DevicesService/ResolvePrinter')]
  const created = [request, ...rpc('gateway', 'jobs', 'JobsService/CreateJob')]
  const published = [...created, 'platen-jobs: producer send platen.jobs.test.queued']
  const delivered = [...created, 'platen-devices: producer send agent.print']
  const received = [...delivered, 'platen-devices: consumer process agent.received']
  const reported = [...delivered, 'platen-devices: consumer process agent.report']
  const recorded = rpc('devices', 'jobs', 'JobsService/RecordAgentUpdates')

  const expected = [
    [...verified, sql('accounts')],
    [...resolved, sql('devices')],
    [...created, sql('jobs')],
    [...published, 'platen-devices: consumer process platen.jobs.*.queued'],
    [...received, ...recorded, sql('jobs')],
    [...received, 'platen-jobs: producer send platen.jobs.test.received'],
    [...reported, ...recorded, sql('jobs')],
    [...reported, 'platen-jobs: producer send platen.jobs.test.printing'],
    [...reported, 'platen-jobs: producer send platen.jobs.test.done'],
  ]
  const trace = await waitFor(async () => {
    const spans = await traceOf(jobId)
    const paths = spans.map((span) => spanPath(spans, span))
    for (const path of expected) expect(paths).toContainEqual(path)
    return spans
  })
  for (const report of reports(trace)) {
    expect(spanPath(trace, report)).toEqual(reported)
    const call = trace.find(({ parentSpanId, kind }) => parentSpanId === report.spanId && kind === 'client')
    expect(call?.name).toBe('platen.jobs.v1.JobsService/RecordAgentUpdates')
  }
  // The creation went to the second gateway, and the agent is connected to the second replica of devices.
  const instanceOf = (name: string) => new Set(trace.filter((span) => span.name === name).map((span) => span.instance))
  for (const name of ['POST /v1/printjobs', 'send agent.print', 'process agent.received', 'process agent.report'])
    expect([name, instanceOf(name)]).toEqual([name, new Set(['1'])])
})

test('every replica of every service takes part in the traces of print jobs', async () => {
  const missing = new Set(['accounts', 'jobs', 'devices', 'gateway'].flatMap((name) => [`${name} 0`, `${name} 1`]))
  for (let round = 0; round < ROUNDS_MAX && missing.size > 0; round++) {
    const customer = await addCustomer()
    for (const api of customer.apis) {
      const trace = await traceOf(await print(customer, api))
      for (const { service, instance } of trace) missing.delete(`${service.replace('platen-', '')} ${instance}`)
    }
  }
  expect([...missing]).toEqual([])
})

test('no span holds a key, a credential, a title or content, also where something failed', async () => {
  const { apis, printerId, done } = await addCustomer()
  const [api] = apis
  const title = CANARY
  const unknown = { key: makeApiKey('test'), credential: makeCredential(), id: uuidv7() }
  keepSecret(unknown)
  const refused = [
    await api.post('/v1/printjobs', { printerId: unknown.id, title, contentType: 'pdf_base64', content: CONTENT }),
    await api.post('/v1/printjobs', { printerId, title, contentType: 'pdf_base64', content: `${CONTENT}!` }),
    await api.post('/v1/printjobs', { printerId, title, contentType: CANARY, content: CONTENT }),
    await api.get(`/v1/printjobs/${unknown.id}`),
    await createApi(system.baseUrl, unknown.key).get('/v1/whoami'),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 422, 400, 404, 401])
  await expect(connectLightAgent(system.agentAddress, unknown.credential)).rejects.toThrow('UNAUTHENTICATED')
  expect(done.size).toBe(0)

  // What a process has not yet sent it sends when it stops.
  await stopSystem()
  const dump = receiver.dump()
  for (const failure of ['There is no printer with this id.', 'There is no print job with this id.'])
    expect(dump).toContain(failure)
  expect([...secrets].filter(([, secret]) => dump.includes(secret)).map(([what]) => what)).toEqual([])
})
