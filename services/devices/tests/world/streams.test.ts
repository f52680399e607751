/** Messages about jobs on agent streams, and which stream of a computer is the current one. */
import { hash, randomBytes } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Code, ConnectError } from '@connectrpc/connect'
import { status } from '@grpc/grpc-js'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { startDocumentServer } from '@platen/test/harness/document-server.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { receive, startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent, LASER } from '../test-agent.ts'

const WINDOW = 8

async function startConnected() {
  const started = await startTestDevices()
  return { ...started, ...(await started.connect()) }
}

test('a job is pushed, downloaded, granted, reported and done', async () => {
  proves('expiry.seconds-left')
  const { agent, createJob, getState } = await startConnected()
  const jobId = await createJob({}, '%PDF-1.7 hello')
  const [print] = await agent.waitForMessages('print')
  const facts = { jobId, attempt: 1, printerOsName: 'laser', title: 'Invoice', qty: 1, fileSizeBytes: 14n }
  expect(print).toMatchObject(facts)
  expect(print?.secondsUntilExpiry).toBe(3_600)
  for (const offset of [-1n, 0n, 14n, 15n]) expect(await agent.download(jobId, offset)).toBe('%PDF-1.7 hello')
  for (const offset of [1n, 13n])
    expect(await agent.download(jobId, offset)).toBe('%PDF-1.7 hello'.slice(Number(offset)))
  expect(await getState(jobId)).toBe('sent')
  agent.received(jobId)
  expect(await agent.waitForMessages('granted')).toMatchObject([{ jobId, attempt: 1 }])
  expect(await getState(jobId)).toBe('received')
  agent.report(jobId, ReportedState.PRINTING, 'r1')
  await agent.waitForMessages('reportConfirmed')
  expect(await getState(jobId)).toBe('printing')
  agent.report(jobId, ReportedState.DONE, 'r2')
  expect(await agent.waitForMessages('reportConfirmed', 2)).toMatchObject([{ reportId: 'r1' }, { reportId: 'r2' }])
  expect(await getState(jobId)).toBe('done')
})

test('a claim that fails is not repeated once the stream is over', async () => {
  const { world, connect, createJob, isDisconnected, hasClaimed, getState } = await startTestDevices()
  const { agent, computerId, printer } = await connect()
  await hasClaimed(computerId)
  const dispatch = world.contexts.devices.connections.get(computerId)?.dispatch
  world.intercept(JobsService.method.claimJobs, async () => {
    throw new ConnectError('no answer', Code.Unavailable)
  })
  const jobId = await createJob(printer)
  await waitFor(() => expect(dispatch?.waitingMs).toBeGreaterThan(0))
  agent.drop()
  await isDisconnected()
  // The timer of the repetition does the same.
  dispatch?.wake()
  expect(dispatch?.waitingMs).toBe(0)
  expect(await getState(jobId)).toBe('queued')
})

test.each([
  ['pdf_uri', '%PDF-1.7 from a URL'],
  ['raw_uri', '^XA^XZ'],
])('a job of %s is pushed once its document is fetched, and downloaded as any other', async (contentType, content) => {
  proves(`content.${contentType}`)
  const { agent, createJob, world } = await startConnected()
  const { port } = await startDocumentServer(content)
  world.addHost('documents.example.com', ['93.184.216.34'], port)
  const value = { url: 'http://documents.example.com/document' }
  const jobId = await createJob({ contentType, document: { case: 'fetch', value } })
  await world.contexts.jobs.fetchesAdded()
  const [print] = await agent.waitForMessages('print')
  expect(print).toMatchObject({ jobId, attempt: 1, contentType, fileSizeBytes: BigInt(content.length) })
  expect(await agent.download(jobId)).toBe(content)
})

test('at most 8 jobs are pushed without acknowledgement, in the order of acceptance; one that is acknowledged, cancelled or expired makes room for the next, and its acknowledgement is refused', async () => {
  proves('fifo.accepted', 'edge.sent.cancel.cancelled')
  const { agent, createJob, getState, jobs, tenant, world, query } = await startConnected()
  const ids: string[] = []
  for (let n = 0; n < WINDOW + 4; n++) ids.push(await createJob())
  const [first = '', second = '', third = '', fourth = ''] = ids
  const pushes = async (count: number, queued = WINDOW + 4 - count) => {
    await agent.waitForMessages('print', count)
    expect(agent.prints()).toEqual(ids.slice(0, count))
    expect(await Promise.all(ids.slice(count).map(getState))).toEqual(Array(queued).fill('queued'))
  }
  await pushes(WINDOW)
  agent.received(first)
  await pushes(WINDOW + 1)
  await jobs.cancelJob({ ...tenant, jobId: second, actor: 'api' })
  await pushes(WINDOW + 2)
  agent.received(second)
  expect(await agent.waitForMessages('refused')).toMatchObject([{ jobId: second, state: 'cancelled' }])
  await query('UPDATE jobs.job SET expires_at = $3 WHERE organization_id = $1 AND id = $2', third, world.clock.now())
  await world.sweep('jobs', 'expired')
  await world.sweep('jobs', 'announce waiting')
  await pushes(WINDOW + 3)
  // The newer attempt still waits for its acknowledgement.
  await query('UPDATE jobs.job SET attempt = 2 WHERE organization_id = $1 AND id = $2', fourth)
  agent.received(fourth)
  expect((await agent.waitForMessages('refused', 2))[1]).toMatchObject({ jobId: fourth, state: 'sent' })
  expect(await agent.waitForMessages('granted')).toMatchObject([{ jobId: first }])
  await pushes(WINDOW + 3)
})

test('while its computer is offline a job in `sent` stays `sent` until its resends are used up, and a new one waits; both go out at the hello', async () => {
  proves('offline.sent', 'create.printer-unknown')
  const { agent, createJob, eventStates, computerBecomes, advance, world, connect, credential } = await startConnected()
  const sent = await createJob()
  await agent.waitForMessages('print')
  agent.shutDown()
  await computerBecomes({ state: 'offline' })
  const waiting = await createJob()
  const all = ['queued', 'sent', 'resend 1/3', 'resend 2/3', 'resend 3/3', 'queued']
  for (let count = 2; count <= all.length; count++) {
    expect(await eventStates(sent)).toEqual(all.slice(0, count))
    advance(60)
    await world.sweep('jobs', 'unacknowledged')
  }
  expect(await eventStates(waiting)).toEqual(['queued'])
  const second = await connect({ credential })
  expect(await second.agent.waitForMessages('print', 2)).toMatchObject([{ jobId: sent }, { jobId: waiting }])
})

test('a pushed job goes on when its printer is disabled, also when it is resent; waiting jobs are held', async () => {
  proves('disabled.pushed')
  const { agent, createJob, connect, credential, devices, printerIds, getState, hasClaimed, computerId } =
    await startConnected()
  await hasClaimed(computerId)
  const jobId = await createJob()
  await agent.waitForMessages('print')
  await devices.updatePrinter({ ...printerIds, enabled: false })
  const held = await createJob()
  agent.drop()
  const second = await connect({ credential })
  expect(await second.agent.waitForMessages('print')).toMatchObject([{ jobId, attempt: 2 }])
  second.agent.received(jobId, 2)
  expect(await second.agent.waitForMessages('granted')).toMatchObject([{ jobId }])
  second.agent.report(jobId, ReportedState.DONE, 'r1')
  expect(await second.agent.waitForMessages('reportConfirmed')).toMatchObject([{ reportId: 'r1', state: 'done' }])
  expect(await getState(held)).toBe('queued')
})

test.each([
  ['another agent, which gets `superseded`', 'a', ['superseded']],
  ['the same agent, which gets no message', 'b', []],
])('a hello that a newer one overtakes does not end the newer stream: %s', async (_title, runId, expected) => {
  const { agent, credential, world, lockPrinters, waitsForLock, createJob } = await startConnected()
  agent.shutDown()
  await agent.ending()
  const unlock = await lockPrinters()
  const late = connectTestAgent(world.agentAddress, credential)
  late.hello([{ ...LASER, description: 'Changed, so that its row is written' }], [], runId)
  // Its report waits, so that it completes last.
  await waitsForLock(1)
  const newer = connectTestAgent(world.agentAddress, credential)
  newer.hello([LASER], [], 'b')
  await newer.waitForMessages('welcome')
  await unlock()
  await late.ending()
  expect(late.messages.map((message) => message.case)).toEqual(expected)
  await createJob()
  await newer.waitForMessages('print')
})

/** A computer whose newest stream is the third of run `a`, and which holds a job. */
async function holdJob() {
  const started = await startTestDevices()
  const { enroll, world, createJob, printers, query } = started
  const { credential } = await enroll()
  const hello = (runId: string, streamNumber: number, heldJobIds: string[] = [], printers = [LASER]) => {
    const agent = connectTestAgent(world.agentAddress, credential)
    agent.hello(printers, heldJobIds, runId, streamNumber)
    return agent
  }
  const agent = hello('a', 3)
  await agent.waitForMessages('welcome')
  const [printer = { id: '', computerId: '' }] = await printers()
  const jobId = await createJob(printer)
  await receive(agent, jobId)
  const epoch = async () => (await query('SELECT epoch FROM devices.computer WHERE organization_id = $1'))[0]
  return { ...started, hello, agent, jobId, epoch, createNext: () => createJob(printer) }
}

test.each([2, 3])('a hello of stream %i of a run is ended and ignored after stream 3', async (n) => {
  const { hello, agent, jobId, epoch, printers, getState } = await holdJob()
  const late = hello('a', n, [], [])
  expect(await late.ending()).toBe('ended')
  expect(late.messages).toEqual([])
  expect(await epoch()).toEqual({ epoch: '1' })
  expect(await printers()).toHaveLength(1)
  agent.report(jobId, ReportedState.PRINTING, 'r1')
  await agent.waitForMessages('reportConfirmed')
  expect(await getState(jobId)).toBe('printing')
})

test.each([
  ['the next stream of its run', 'a', 4, ['welcome', 'print', 'granted']],
  ['the first one of another run', 'b', 1, ['welcome', 'print', 'granted', 'superseded']],
  ['one without a number', 'a', 0, ['welcome', 'print', 'granted']],
])('a hello replaces an older one: %s', async (_title, runId, n, expected) => {
  proves('agent.superseded.told')
  const { hello, agent, jobId, epoch, createNext, computer } = await holdJob()
  const newer = hello(runId, n, [jobId])
  await newer.waitForMessages('welcome')
  agent.shutDown()
  await agent.ending()
  const next = await createNext()
  expect(await newer.waitForMessages('print')).toMatchObject([{ jobId: next }])
  expect(await computer()).toMatchObject({ state: 'online' })
  expect(await epoch()).toEqual({ epoch: '2' })
  expect(agent.messages.map((message) => message.case)).toEqual(expected)
})

test('an agent that another one supersedes gets its host name, is granted nothing more and reports its jobs until a third one supersedes that one; what it has not reported ends at the next hello of the newest', async () => {
  proves('agent.superseded.told', 'agent.superseded.finish')
  const { hello, agent, jobId, createNext, getState, becomes, world } = await holdJob()
  const [lost, pushed] = [await createNext(), await createNext()]
  await receive(agent, lost)
  await agent.waitForMessages('print', 3)
  const second = hello('b', 1)
  expect(await agent.waitForMessages('superseded')).toEqual([expect.objectContaining({ hostname: 'test-host' })])
  // The older one was seen before.
  await world.sweep('devices', 'presence')
  expect(await second.waitForMessages('print')).toMatchObject([{ jobId: pushed, attempt: 2 }])
  agent.received(pushed)
  expect(await agent.waitForMessages('refused')).toMatchObject([{ jobId: pushed, state: 'sent' }])
  agent.report(jobId, ReportedState.DONE, 'r1')
  expect(await agent.waitForMessages('reportConfirmed')).toMatchObject([{ reportId: 'r1', state: 'done' }])
  expect([await getState(lost), agent.isOver()]).toEqual(['received', false])
  const third = hello('c', 1)
  await third.waitForMessages('welcome')
  expect(await agent.ending()).toBe('ended')
  expect([await getState(lost), second.isOver()]).toEqual(['received', false])
  hello('c', 2)
  await becomes(lost, { state: 'error', stateReasons: ['unconfirmed'] })
})

test('the jobs that the agent before an enrolment had received end at once, although its stream is still open', async () => {
  const { enroll, world, printers, createJob, becomes } = await startTestDevices({ mode: 'test' })
  const connect = async (runId: string) => {
    const agent = connectTestAgent(world.agentAddress, (await enroll()).credential)
    agent.hello([LASER], [], runId)
    await agent.waitForMessages('welcome')
    return agent
  }
  const older = await connect('a')
  const jobId = await createJob((await printers())[0] ?? expect.fail('no printer'))
  await receive(older, jobId)
  await connect('b')
  await becomes(jobId, { state: 'error', stateReasons: ['unconfirmed'] })
})

test('the jobs that an agent had received end at the hello of its next run, which does not hold them', async () => {
  const { hello, agent, jobId, isDisconnected, becomes } = await holdJob()
  agent.drop()
  await isDisconnected()
  await hello('b', 1).waitForMessages('welcome')
  await becomes(jobId, { state: 'error', stateReasons: ['unconfirmed'] })
})

test('a stream that does not begin with Hello, and one with a replaced credential, are refused', async () => {
  const { enroll, world } = await startTestDevices({ mode: 'test' })
  const [first, second] = [await enroll(), await enroll()]
  expect(second.computerId).toBe(first.computerId)
  const replaced = connectTestAgent(world.agentAddress, first.credential)
  replaced.hello()
  expect(await replaced.ending()).toMatchObject({ code: status.UNAUTHENTICATED })
  const agent = connectTestAgent(world.agentAddress, second.credential)
  agent.heartbeat()
  expect(await agent.ending()).toMatchObject({ code: status.INVALID_ARGUMENT })
})

test('a computer downloads only documents of jobs that were sent to it', async () => {
  const { agent, createJob, ...started } = await startConnected()
  const foreign = await started.connect()
  const foreignId = await foreign.createJob()
  await foreign.agent.waitForMessages('print')
  await expect(agent.download(foreignId)).rejects.toMatchObject({ code: status.NOT_FOUND })
  await expect(agent.download('../../secrets')).rejects.toMatchObject({ code: expect.any(Number) })
  const own = await createJob()
  await agent.waitForMessages('print')
  expect(await agent.download(own)).toMatch(/^%PDF-1.7\n.*%%EOF\n$/s)
})

test('a document arrives in chunks of 16 KiB, so an agent on a slow line keeps what arrives before a cut', async () => {
  proves('agent.download.chunks')
  const { agent, createJob, world } = await startConnected()
  const [content, storageKey] = [randomBytes(100_000), uuidv7()]
  await world.files.write(storageKey, Readable.from([content]))
  const value = { storageKey, sizeBytes: BigInt(content.length), sha256: hash('sha256', content) }
  const jobId = await createJob({ document: { case: 'stored', value } })
  await agent.waitForMessages('print')
  const chunks = await agent.downloadChunks(jobId)
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
  expect(Math.max(...chunks.map(({ length }) => length))).toBe(16_384)
})

test('a download that tests the connection returns up to 64 KiB that it sends, and no document', async () => {
  proves('agent.bounds.echo')
  const { agent, createJob } = await startConnected()
  const jobId = await createJob()
  await agent.waitForMessages('print')
  const echo = randomBytes(65_536)
  expect(Buffer.concat(await agent.downloadChunks(jobId, 0n, echo)).equals(echo)).toBe(true)
  const longer = agent.downloadChunks(jobId, 0n, randomBytes(65_537))
  await expect(longer).rejects.toMatchObject({ code: status.INVALID_ARGUMENT })
})

test.each([
  ['missing', 'document-missing', '', 0, 0n],
  ['damaged', 'document-damaged', '%PDF-1.7 other', 14, 0n],
  ['damaged', 'document-damaged', '%PDF-1.7 short', 15, 14n],
])('a job whose stored document is %s ends in error with the reason', async (title, reason, content, size, offset) => {
  const { agent, createJob, job, jobs, tenant, world } = await startConnected()
  const storageKey = uuidv7()
  if (content) await world.files.write(storageKey, Readable.from([Buffer.from(content)]))
  const value = { storageKey, sizeBytes: BigInt(size), sha256: 'ab'.repeat(32) }
  const jobId = await createJob({ document: { case: 'stored', value } })
  await agent.waitForMessages('print')
  await expect(agent.download(jobId, offset)).rejects.toMatchObject({ code: status.NOT_FOUND })
  expect(await job(jobId)).toMatchObject({
    state: 'error',
    stateReasons: [reason],
    stateMessage: `The stored document is ${title}. Create the job again.`,
  })
  const { events } = await jobs.listJobEvents({ ...tenant, jobId })
  expect(events.at(-1)).toMatchObject({ state: 'error', actor: 'system' })
})

test('a download while the file store is away fails for now, and the job stays sent', async () => {
  const { agent, createJob, getState, world } = await startConnected()
  const content = `%PDF-${'x'.repeat(400_000)}`
  const jobId = await createJob({}, content)
  await agent.waitForMessages('print')
  const directory = fileURLToPath(world.fileStoreUrl)
  await rename(directory, `${directory}-aside`)
  await writeFile(directory, '')
  try {
    await expect(agent.download(jobId)).rejects.toMatchObject({ code: status.UNAVAILABLE })
    expect(await getState(jobId)).toBe('sent')
  } finally {
    await rm(directory)
    await rename(`${directory}-aside`, directory)
  }
  expect(await agent.download(jobId)).toBe(content)
})
