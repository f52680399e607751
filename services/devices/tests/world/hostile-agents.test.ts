/** Agents in hostile hands: what they send neither reaches the database unbounded nor delays others. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { AgentTrigger, JobsService, type RecordAgentUpdatesRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { HELLO_LIMITS, STREAM_LIMITS, WAITING_MESSAGES_MAX } from '@platen/resources/limits.ts'
import { printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashCredential } from '../../agents/credential.ts'
import { receive, startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent, LASER } from '../test-agent.ts'

/** Its largest body: `runtime/event-log/table.ts`. */
const BODY_MAX_BYTES = 256 * 1024

async function startReceived() {
  const started = await startTestDevices()
  const connected = await started.connect()
  const jobId = await connected.createJob()
  await receive(connected.agent, jobId)
  return { ...started, ...connected, jobId }
}

test('control characters of one agent reach no event, and events of others continue', async () => {
  const { agent, jobId, job, createJob, world } = await startReceived()
  const other = await startReceived()
  const reasons = Array.from({ length: 50 }, () => '\u0001'.repeat(4_096))
  const report = (state: ReportedState, reportId: string) =>
    agent.send({ case: 'report', value: { jobId, attempt: 1, state, reportId, message: '\0a', reasons } })
  report(ReportedState.PRINTING, 'r1')
  agent.send({ case: 'printers', value: { printers: [{ ...LASER, stateReasons: reasons }] } })
  await agent.waitForMessages('reportConfirmed')
  report(ReportedState.ERROR, 'r2')
  await agent.waitForMessages('reportConfirmed', 2)
  await createJob()
  expect(await job(jobId)).toMatchObject({ state: 'error', stateMessage: ' a', stateReasons: [] })
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

/**
 * Holds all updates of agents back.
 *
 * @returns the jobs of the updates that were sent, and the call that lets them pass.
 */
function holdUpdates({ world }: Awaited<ReturnType<typeof startReceived>>) {
  const jobIds: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  world.intercept(JobsService.method.recordAgentUpdates, async (request, next) => {
    jobIds.push(...(request.message as RecordAgentUpdatesRequest).updates.map(({ jobId }) => jobId))
    await promise
    return await next(request)
  })
  return { jobIds, release: resolve }
}

test('of one stream 32 messages are in progress; the others are not read, and other streams are served', async () => {
  proves('agent.limits.in-progress')
  const flood = await startReceived()
  const other = await startReceived()
  const { jobIds, release } = holdUpdates(flood)
  const sent = Array.from({ length: STREAM_LIMITS.inProgressMax + 100 }, () => uuidv7())
  for (const jobId of sent) flood.agent.report(jobId, ReportedState.PRINTING, jobId)
  await waitFor(() => expect(jobIds).toHaveLength(STREAM_LIMITS.inProgressMax))
  other.agent.report(other.jobId, ReportedState.DONE, 'r')
  await waitFor(() => expect(jobIds).toContain(other.jobId))
  expect(jobIds.filter((jobId) => jobId !== other.jobId)).toEqual(sent.slice(0, STREAM_LIMITS.inProgressMax))
  release()
  await other.agent.waitForMessages('reportConfirmed')
  const confirmed = await flood.agent.waitForMessages('reportConfirmed', sent.length)
  expect(new Set(confirmed.map(({ reportId }) => reportId))).toEqual(new Set(sent))
})

test('when 1,000 messages of an organization wait its next message ends the stream, and other organizations are served', async () => {
  proves('agent.limits.waiting')
  const flood = await startReceived()
  const other = await startReceived()
  const { jobIds, release } = holdUpdates(flood)
  const { updates } = flood.world.contexts.devices
  const { organizationId, computerId } = flood
  const record = () =>
    updates
      .record({ organizationId, computerId, jobId: uuidv7(), trigger: AgentTrigger.COMPLETE })
      .catch((error: Error) => error)
  // Eight batches of 100 are in progress.
  const running = Array.from({ length: 800 }, record)
  await waitFor(() => expect(jobIds).toHaveLength(800))
  const waiting = Array.from({ length: WAITING_MESSAGES_MAX.owner }, record)
  flood.agent.report(flood.jobId, ReportedState.DONE, 'r')
  expect(await flood.agent.ending()).toMatchObject({ code: status.RESOURCE_EXHAUSTED })
  other.agent.report(other.jobId, ReportedState.DONE, 'r')
  release()
  await other.agent.waitForMessages('reportConfirmed')
  expect((await Promise.all([...running, ...waiting])).filter((result) => result instanceof Error)).toEqual([])
})

test('the stream of an agent that does not read 1 MiB of answers ends', async () => {
  proves('agent.limits.unread')
  const { agent, computerId, world } = await startReceived()
  const { connections } = world.contexts.devices
  const send = (count: number) => {
    for (let n = 0; n < count; n++) connections.get(computerId)?.send({ case: 'remove', value: { jobId: uuidv7() } })
  }
  const before = agent.messages.length
  for (let n = 0; n < 5; n++) {
    send(1_000)
    await waitFor(() => expect(agent.messages).toHaveLength(before + (n + 1) * 1_000))
  }
  agent.pause()
  send(10_000)
  await waitFor(() => expect(connections.get(computerId)).toBeUndefined())
})

test('of many hellos of one credential most are refused, and another computer is served', async () => {
  proves('agent.limits.hellos')
  const { enroll, world, connect } = await startTestDevices()
  const { credential } = await enroll()
  const agents = Array.from({ length: 40 }, () => connectTestAgent(world.agentAddress, credential))
  for (const agent of agents) agent.hello()
  await connect()
  const refused = () => agents.filter((agent) => agent.refusal()?.code === status.RESOURCE_EXHAUSTED)
  // A slow machine needs some seconds for them.
  await waitFor(() => expect(refused().length).toBeGreaterThan(agents.length - HELLO_LIMITS.burst - 5))
})

/** Publishers of events pass positions. */
const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

test('a credential with a wrong checksum costs no look-up, and an unknown one a single one in 5 s', async () => {
  proves('agent.credential.checksum')
  const { enroll, world } = await startTestDevices()
  const { credential } = await enroll()
  const { pool } = world.contexts.devices
  const query = vi.spyOn(pool, 'query')
  onTestFinished(() => query.mockRestore())
  // Agents of other tests are looked up as well.
  const countLookUps = (wrong: string) => {
    const hash = JSON.stringify(hashCredential(wrong))
    return query.mock.calls.filter((call) => JSON.stringify(call, toText).includes(hash)).length
  }
  const refuse = async (wrong: string) =>
    expect(await connectTestAgent(world.agentAddress, wrong).ending()).toMatchObject({ code: status.UNAUTHENTICATED })
  const mistyped = credential.slice(0, -1) + (credential.endsWith('A') ? 'B' : 'A')
  await refuse(mistyped)
  expect(countLookUps(mistyped)).toBe(0)
  const withoutChecksum = `platen_agent_${randomBytes(32).toString('base64url')}`
  await refuse(withoutChecksum)
  await refuse(withoutChecksum)
  expect(countLookUps(withoutChecksum)).toBe(1)
})

/** A call without a credential. */
async function callUnauthenticated(method: string, headers: Record<string, string>) {
  const { world } = await startTestDevices()
  const session = connectHttp2(`http://${world.agentAddress}`)
  onTestFinished(() => session.destroy())
  return session.request({
    ':method': 'POST',
    ':path': `/platen.agent.v1.AgentService/${method}`,
    'content-type': 'application/grpc',
    ...headers,
    te: 'trailers',
  })
}

test.each(['Connect', 'DownloadDocument'])(
  'a refused credential has a trailer that proves the service: %s',
  async (method) => {
    proves('agent.refused.trailer')
    const stream = await callUnauthenticated(method, {})
    stream.end(Buffer.alloc(5))
    const [headers] = await once(stream, 'response')
    expect(headers).toMatchObject({ 'grpc-status': String(status.UNAUTHENTICATED), 'platen-refusal': 'credential' })
  },
)

test('a compressed message is refused before it is read', async () => {
  proves('agent.limits.compression')
  const stream = await callUnauthenticated('DownloadDocument', { 'grpc-encoding': 'gzip' })
  const bomb = gzipSync(Buffer.alloc(1024 * 1024))
  const head = Buffer.from([1, 0, 0, 0, 0])
  head.writeUInt32BE(bomb.length, 1)
  stream.end(Buffer.concat([head, bomb]))
  const [headers] = await once(stream, 'response')
  expect(headers['grpc-status']).toBe(String(status.UNIMPLEMENTED))
})

test('what a client sends after the end of a call is not read, and the call is reset', async () => {
  proves('agent.limits.ended')
  const stream = await callUnauthenticated('Connect', {})
  stream.resume()
  const sent = Buffer.alloc(4 * 1024 * 1024)
  const onWritten = vi.fn()
  stream.write(sent, onWritten)
  await once(stream, 'close')
  expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR)
  expect(onWritten).not.toHaveBeenCalledWith()
})

test('a forged announcement of a deletion does not end the stream', async () => {
  const { agent, computerId, world, createJob } = await startReceived()
  world.nats.connection.publish('platen.devices.deleted', computerId)
  await world.nats.connection.flush()
  await createJob()
  await agent.waitForMessages('print', 2)
  expect(agent.messages.map((message) => message.case)).not.toContain('computerDeleted')
})
