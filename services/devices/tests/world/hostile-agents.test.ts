/** Agents in hostile hands: what they send neither reaches the database unbounded nor delays others. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { printJob } from '@platen/test/harness/organization.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { receive, startTestDevices } from '../start-test-devices.ts'
import { LASER } from '../test-agent.ts'

/** Its largest body: `runtime/event-log/table.ts`. */
const BODY_MAX_BYTES = 256 * 1024

async function startReceived() {
  const started = await startTestDevices()
  const connected = await started.connect()
  const jobId = await connected.createJob()
  await receive(connected.agent, jobId)
  return { ...started, ...connected, jobId }
}

test('invalid trace contexts and control characters of one agent reach no event, and events of others continue', async () => {
  const { agent, jobId, job, query, createJob, world } = await startReceived()
  const other = await startReceived()
  const traceparent = 'x\ny'
  const reasons = Array.from({ length: 50 }, () => '\u0001'.repeat(4_096))
  const report = (state: ReportedState, reportId: string) =>
    agent.send({ case: 'report', value: { jobId, attempt: 1, state, reportId, message: '\0a', reasons } }, traceparent)
  report(ReportedState.PRINTING, 'r1')
  agent.send({ case: 'printers', value: { printers: [{ ...LASER, stateReasons: reasons }] } }, 'x'.repeat(4_096))
  await agent.waitForMessages('reportConfirmed')
  report(ReportedState.ERROR, 'r2')
  await agent.waitForMessages('reportConfirmed', 2)
  await createJob()
  expect(await job(jobId)).toMatchObject({ state: 'error', stateMessage: ' a', stateReasons: [] })
  const logged = await query('SELECT DISTINCT traceparent FROM jobs.event_log WHERE organization_id = $1')
  expect(logged).toEqual([{ traceparent: '' }])
  other.agent.report(other.jobId, ReportedState.DONE, 'r1')
  await waitFor(async () => {
    const { events } = await world.events.listEvents({ ...other.tenant, types: ['printjob.done'], page: { limit: 1 } })
    expect(events).toHaveLength(1)
  })
})

test('messages with an invalid job id do not prevent reports of the same batch from being recorded', async () => {
  const { agent, jobId, getState } = await startReceived()
  const times = 20
  for (let n = 0; n < times; n++) {
    agent.received('\0')
    agent.report('\0', ReportedState.DONE, 'r')
    agent.report(jobId, ReportedState.PRINTING, 'r')
  }
  await agent.waitForMessages('reportConfirmed', times)
  expect(await getState(jobId)).toBe('printing')
})

test('a body over 256 KiB, and an invalid trace context, do not fit into an event log', async () => {
  const { query } = await startReceived()
  const insert = (bytes: number, traceparent = '') =>
    query(
      `INSERT INTO devices.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent)
       SELECT uuidv7(), 0, $1, 'live', 'computer.online', now(), repeat('x', $2), $3`,
      bytes,
      traceparent,
    )
  await expect(insert(BODY_MAX_BYTES + 1)).rejects.toThrow('event_log_body_check')
  await expect(insert(1, 'x\ny')).rejects.toThrow('event_log_traceparent_check')
  await query('DELETE FROM devices.event_log WHERE organization_id = $1')
  await insert(BODY_MAX_BYTES)
  await query('DELETE FROM devices.event_log WHERE organization_id = $1')
})

test('the largest events of jobs and printers that the API and agents can cause are far smaller than the largest body', async () => {
  const { agent, organization, printer, query, events } = await startReceived()
  const quotes = (count: number) => '"'.repeat(count)
  const controls = (count: number) => '\u0001'.repeat(count)
  const options = { paper: controls(10_000) }
  const texts = { title: controls(255), source: controls(255) }
  const { id } = await organization.api.createJob(printJob(printer.id, { ...texts, options }))
  await receive(agent, id)
  agent.report(id, ReportedState.ERROR, 'r', {
    message: quotes(1_000),
    reasons: Array.from({ length: 20 }, () => 'x'.repeat(64)),
    warnings: Array.from({ length: 20 }, (_, n) => `${n}${quotes(498)}`),
  })
  await agent.waitForMessages('reportConfirmed')
  const path = `/v1/printers/${printer.id}`
  const customPapers = Array.from({ length: 50 }, (_, n) => ({ name: `${n}${controls(62)}`, width: 1, height: 1 }))
  const edited = { displayName: controls(255), remarks: controls(2_000), customPapers }
  expect(await organization.api.patch(path, edited)).toMatchObject({ status: 200 })
  expect(await organization.api.patch(path, { defaultOptions: options })).toMatchObject({ status: 200 })
  expect((await events('printer')).at(-1)?.data).toMatchObject({ ...edited, defaultOptions: options })
  const [job, ofPrinter] = await query<{ bytes: number }>(
    `SELECT max(octet_length(body)) AS bytes FROM jobs.event_log WHERE organization_id = $1
     UNION ALL SELECT max(octet_length(body)) FROM devices.event_log WHERE organization_id = $1`,
  )
  for (const bytes of [job?.bytes, ofPrinter?.bytes]) {
    expect(bytes).toBeGreaterThan(60_000)
    expect(bytes).toBeLessThan(BODY_MAX_BYTES / 2)
  }
})
