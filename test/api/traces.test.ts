/** The trace of a job in an installation that runs all services in one process. */
import { beforeAll, expect, inject, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import type { Span } from '../traces/receiver.ts'
import { newEndpoint } from './hooks.ts'
import { newJob, newOrganization } from './installation.ts'

/** A trace that the caller has not sampled. */
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'
const ADDRESS = '203.0.113.77'
const HEADERS = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-00`, 'x-forwarded-for': ADDRESS }

const readSpans = async (path: string) => await (await fetch(`${inject('installationUrl')}${path}`)).text()

const readTraces = async (): Promise<Span[][]> => JSON.parse(await readSpans('/traces'))

let traces: Span[][]
/** The trace of a job that is done. */
let trace: Span[]
const find = (searched: string) => trace.find(({ name }) => name === searched) as Span

beforeAll(async () => {
  const { testApi } = await newOrganization()
  await testApi.get('/readyz')
  const { answerBy } = await newEndpoint(testApi, ['printjob.done'])
  answerBy((_, earlier) => (earlier === 0 ? 500 : 204))
  const { id } = await testApi.createJob(newJob((await testApi.printer('Test A4 Laser')).id), HEADERS)
  await testApi.waitUntilFinal(id)
  await waitFor(async () => {
    traces = await readTraces()
    trace = traces.find((spans) => spans.some(({ attributes }) => attributes['print.job.id'] === id)) ?? []
    const names = trace.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['POST /v1/printjobs', 'process agent.print', 'process printjob.done', 'webhook attempt']),
    )
  })
})

test('one span shows the work of the agent, between the message to it and its last report', () => {
  const work = find('process agent.print')
  const end = ({ startMs, durationMs }: Span) => startMs + durationMs
  const reported = Math.max(
    ...trace.filter(({ name }) => name === 'process agent.report').map(({ startMs }) => startMs),
  )
  const [handedOver] = work.events.map(({ atMs }) => atMs)
  // A sum of milliseconds with fractions is not exact.
  const times = [work.startMs, Number(handedOver), end(work), reported].map(Math.round)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  // Times of a message have milliseconds.
  expect(work.startMs).toBeGreaterThanOrEqual(find('send agent.print').startMs - 1)
  expect(end(work) - Number(handedOver), 'the 60 ms of the virtual printer').toBeGreaterThan(50)
  expect(work.parentSpanId).toBe(find('POST /v1/printjobs').spanId)
})

test('the first attempt of a webhook is in the trace of its job, a retry is a trace of its own with a link to it', async () => {
  const [cause, first] = [find('POST /v1/printjobs'), find('webhook attempt')]
  const ids = {
    'print.job.id': find('process agent.print').attributes['print.job.id'],
    'messaging.message.id': find('process printjob.done').attributes['messaging.message.id'],
    'platen.webhook.event_type': 'printjob.done',
  }
  expect(first).toMatchObject({ parentSpanId: cause.spanId, attributes: { ...ids, 'http.response.status_code': 500 } })
  await waitFor(async () => {
    const retries = (await readTraces()).flat().filter(({ links }) => links.includes(cause.spanId))
    expect(retries).toEqual([
      expect.objectContaining({
        name: 'webhook attempt',
        parentSpanId: '',
        attributes: expect.objectContaining({ ...ids, 'http.response.status_code': 204 }),
      }),
    ])
  })
})

test('a request is the root of a new trace, with a link to the span of its caller', () => {
  const request = find('POST /v1/printjobs')
  expect(request).toMatchObject({ parentSpanId: '', links: [SPAN_ID] })
  expect(request.traceId).not.toBe(TRACE_ID)
})

test('each service has its own name', () => {
  const toNames = (spans: Span[]) => spans.map(({ service, kind, name }) => `${service}: ${kind} ${name}`)
  expect(toNames(trace)).toEqual(
    expect.arrayContaining([
      'platen-gateway: server POST /v1/printjobs',
      'platen-devices: producer send agent.print',
      'platen-devices: consumer process agent.print',
      'platen-webhooks: consumer process printjob.done',
    ]),
  )
  // A creation can share its call with jobs of other tests, and is then in the trace of one of these.
  const call = 'platen.jobs.v1.JobsService/CreateJobs'
  expect(toNames(traces.flat())).toEqual(
    expect.arrayContaining([
      `platen-gateway: client ${call}`,
      `platen-jobs: server ${call}`,
      'platen-jobs: client pg.query:create jobs platen',
    ]),
  )
  expect(trace.filter(({ service }) => service === 'platen')).toEqual([])
})

test('of requests that share a call, one has it as its child and the others have a link to it', async () => {
  const { testApi } = await newOrganization()
  const { id: printerId } = await testApi.printer('Test A4 Laser')
  const marked = { traceparent: `00-${TRACE_ID}-${'c'.repeat(16)}-00` }
  await Promise.all(Array.from({ length: 20 }, () => testApi.createJob(newJob(printerId), marked)))
  await waitFor(async () => {
    const spans = (await readTraces()).flat()
    const requests = spans.filter(({ links }) => links.includes('c'.repeat(16)))
    const calls = spans.filter(({ kind, name }) => kind === 'client' && name.endsWith('/CreateJobs'))
    const withCall = requests.filter(({ spanId, links }) =>
      calls.some((call) => call.parentSpanId === spanId || links.includes(call.spanId)),
    )
    expect([requests.length, withCall.length]).toEqual([20, 20])
  })
})

test('no span contains the address of a client', async () => {
  const spans = await readSpans('/spans')
  expect(spans).toContain(find('process agent.print').attributes['print.job.id'])
  for (const text of [ADDRESS, 'client.address', 'network.peer']) expect(spans).not.toContain(text)
})

test('a call of a timer, a follower or a stream makes no trace', () => {
  const roots = traces.flat().filter(({ parentSpanId }) => parentSpanId === '')
  expect(roots.filter(({ tracer }) => tracer === 'platen.rpc')).toEqual([])
})

test('a probe makes no span', async () => {
  const spans = await readSpans('/spans')
  for (const text of ['readyz', 'grpc.health']) expect(spans).not.toContain(text)
})
