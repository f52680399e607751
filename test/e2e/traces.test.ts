import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startTraceReceiver, type TraceReceiver } from '../traces/receiver.ts'
import { spanPath } from '../traces/span-path.ts'

let platen: Platen
let receiver: TraceReceiver

beforeAll(async () => {
  receiver = await startTraceReceiver()
  platen = await startPlaten({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.port}`,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
  })
})

afterAll(async () => {
  await platen.stop()
  await removeDataDir(platen.dataDir)
  await receiver.close()
})

test('one print job is one trace, from the request over every service and the agent to the last report', async () => {
  const printer = await platen.api.printer('Test A4 Laser')
  const canary = 'canary-5c1e'
  const content = makePdf(canary).toString('base64')
  const job = await platen.api.createJob({ printerId: printer.id, title: canary, contentType: 'pdf_base64', content })
  await platen.api.waitUntilFinal(job.id)

  const create = 'platen.jobs.v1.JobsService/CreateJob'
  const request = 'platen-gateway: server POST /v1/printjobs'
  const print = [request, `platen-gateway: client ${create}`, `platen-jobs: server ${create}`]
  const published = [...print, 'platen-jobs: producer send platen.jobs.test.queued']
  const delivered = [...print, 'platen-devices: producer send agent.print']
  const printed = [...delivered, 'platen-test-computers: consumer process agent.print']
  const reported = [...printed, 'platen-devices: consumer process agent.report']
  await waitFor(() => {
    const trace = receiver.traces().find((spans) => spans.some(({ name }) => name === 'POST /v1/printjobs'))
    expect(trace).toBeDefined()
    const paths = (trace ?? []).map((span) => spanPath(trace ?? [], span))
    expect(paths).toContainEqual([request])
    expect(paths).toContainEqual([...print, expect.stringMatching(/^platen-jobs: client pg\.query/)])
    expect(paths).toContainEqual([...published, 'platen-devices: consumer process platen.jobs.*.queued'])
    expect(paths).toContainEqual([...printed, 'platen-devices: consumer process agent.received'])
    // One or two reports: a busy agent may not have seen the job print.
    expect(paths).toContainEqual([...reported, 'platen-jobs: producer send platen.jobs.test.done'])
    const reports = paths.filter((path) => path.at(-1) === reported.at(-1))
    expect(reports).toEqual(reports.map(() => reported))
  })
  for (const secret of [canary, content.slice(0, 40), platen.credentials.testKey])
    expect(receiver.dump()).not.toContain(secret)
})
