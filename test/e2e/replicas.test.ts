import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Span, startTraceReceiver, type TraceReceiver } from '../traces/receiver.ts'
import { spanPath } from '../traces/span-path.ts'

const JOBS = 8

/** The second replicas live there. */
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

let receiver: TraceReceiver
let system: System
let agent: LightAgent

beforeAll(async () => {
  if (!hasIpv6) return
  receiver = await startTraceReceiver()
  system = await startSystem({
    replicas: 2,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.port}`,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
})

afterAll(async () => {
  agent?.close()
  await system?.stop()
  await receiver?.close()
})

test.runIf(hasIpv6)(
  'with two replicas of each service every job is one trace, and every replica has its part',
  async () => {
    const { key, credential } = await system.addOrganization()
    agent = await connectLightAgent(system.agentAddress, credential)
    const apis = system.baseUrls.map((baseUrl) => createApi(baseUrl, key))
    const content = makePdf('Hello').toString('base64')
    for (let n = 0; n < JOBS; n++) {
      const api = apis[n % apis.length] as (typeof apis)[0]
      const { id: printerId } = await api.printer('Bench')
      const { id } = await api.createJob({ printerId, title: `Job ${n}`, contentType: 'pdf_base64', content })
      expect((await api.waitUntilFinal(id)).state).toBe('done')
    }

    const createJob = 'platen.jobs.v1.JobsService/CreateJob'
    const created = ['platen-gateway: POST /v1/printjobs', `platen-gateway: ${createJob}`, `platen-jobs: ${createJob}`]
    const sent = [...created, 'platen-devices: send agent.print']
    await waitFor(() => {
      const complete = receiver.traces().filter((trace) => reports(trace).length === 2)
      expect(complete).toHaveLength(JOBS)
      for (const trace of complete) {
        const paths = trace.map((span) => spanPath(trace, span))
        expect(paths).toContainEqual([...created, expect.stringMatching(/^platen-jobs: pg\.query/)])
        const published = [...created, 'platen-jobs: send platen.jobs.queued']
        expect(paths).toContainEqual([...published, 'platen-devices: process platen.jobs.queued'])
        expect(paths).toContainEqual([...sent, 'platen-devices: process agent.received'])
        for (const span of reports(trace))
          expect(spanPath(trace, span)).toEqual([...sent, 'platen-devices: process agent.report'])
      }
    })
    // Calls alternate between the replicas; which of them a creation meets, and not the look at its state, is chance.
    const instancesOf = (service: string) =>
      new Set(
        receiver
          .traces()
          .flatMap((trace) => trace.filter((span) => span.service === service).map(({ instance }) => instance)),
      )
    for (const service of ['platen-gateway', 'platen-jobs', 'platen-devices'])
      await waitFor(() => expect([service, instancesOf(service)]).toEqual([service, new Set(['0', '1'])]))
  },
)

const reports = (trace: Span[]) => trace.filter(({ name }) => name === 'process agent.report')
