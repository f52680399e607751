import { status } from '@grpc/grpc-js'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { startDocumentServer } from '@platen/test/harness/document-server.ts'
import { startTestFileStore } from '@platen/test/harness/file-stores.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent, LASER } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

async function connect(world: World, { replica = 0, heldJobIds = [] as string[], printers = [LASER] } = {}) {
  const { credential } = await world.enroll()
  return await connectWith(world, credential, { replica, heldJobIds, printers })
}

async function connectWith(
  world: World,
  credential: string,
  { replica = 0, heldJobIds = [] as string[], printers = [LASER] } = {},
) {
  const agent = connectTestAgent(world.agentAddresses[replica] ?? '', credential)
  agent.hello(printers, heldJobIds)
  await agent.hears('welcome')
  const [printer] = await world.printers()
  if (!printer) throw new Error('the hello reported no printer')
  return { agent, printer, credential }
}

test('a job is pushed, downloaded, granted, reported and done', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const jobId = await world.createJob(printer, '%PDF-1.7 hello')
  const [print] = await agent.hears('print')
  expect(print).toMatchObject({
    jobId,
    attempt: 1,
    printerOsName: 'laser',
    title: 'Invoice',
    qty: 1,
    fileSizeBytes: 14n,
  })
  expect(print?.secondsUntilExpiry).toBeGreaterThan(3_590)
  expect(await agent.download(jobId)).toBe('%PDF-1.7 hello')
  expect(await world.stateOf(jobId)).toBe('sent')
  agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  expect(await agent.hears('granted')).toMatchObject([{ jobId, attempt: 1 }])
  expect(await world.stateOf(jobId)).toBe('received')
  agent.report(jobId, ReportedState.PRINTING, 'r1')
  await agent.hears('reportConfirmed')
  expect(await world.stateOf(jobId)).toBe('printing')
  agent.report(jobId, ReportedState.DONE, 'r2')
  expect(await agent.hears('reportConfirmed', 2)).toMatchObject([{ reportId: 'r1' }, { reportId: 'r2' }])
  expect(await world.stateOf(jobId)).toBe('done')
})

test.each([
  ['pdf_uri', '%PDF-1.7 from a URL'],
  ['raw_uri', '^XA^XZ'],
])('a job of %s is pushed once its document is fetched, and downloaded as any other', async (contentType, content) => {
  const { network } = await startDocumentServer(content)
  const world = await startTestDevices({ network })
  const { agent, printer } = await connect(world)
  const fetch = { url: 'http://files.example.com/document' }
  const jobId = await world.createJob(printer, content, { contentType, storageKey: '', fetch })
  const [print] = await agent.hears('print')
  expect(print).toMatchObject({ jobId, attempt: 1, contentType, fileSizeBytes: BigInt(content.length) })
  expect(await agent.download(jobId)).toBe(content)
})

test('at most 8 jobs are on their way that the agent has not acknowledged, and the next follow as it does', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const jobIds: string[] = []
  for (let n = 0; n < 10; n++) jobIds.push(await world.createJob(printer))
  const pushed = await agent.hears('print', 8)
  expect(pushed.map(({ jobId }) => jobId)).toEqual(jobIds.slice(0, 8))
  expect(await Promise.all(jobIds.slice(8).map(world.stateOf))).toEqual(['queued', 'queued'])
  agent.say({ case: 'received', value: { jobId: jobIds[0] ?? '', attempt: 1 } })
  expect((await agent.hears('print', 9))[8]?.jobId).toBe(jobIds[8])
})

test('jobs that are over without an answer leave their places to others', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  for (let n = 0; n < 8; n++) await world.createJob(printer)
  const dropped = await agent.hears('print', 8)
  const jobId = await world.createJob(printer)
  await world.query(`UPDATE jobs.job SET expires_at = now() WHERE state = 'sent'`)
  expect((await agent.hears('print', 9))[8]?.jobId).toBe(jobId)
  for (const { jobId } of dropped) expect(await world.stateOf(jobId)).toBe('expired')
})

test('over a reconnect too, at most 8 jobs are on their way, and those that were lost go first', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { agent, printer, credential } = await connect(world)
  const jobIds: string[] = []
  for (let n = 0; n < 12; n++) jobIds.push(await world.createJob(printer))
  await agent.hears('print', 8)
  agent.drop()
  const second = await connectWith(world, credential, { replica: 1 })
  await second.agent.hears('print', 8)
  // The next one shows that the 9th was not only late.
  second.agent.say({ case: 'received', value: { jobId: jobIds[0] ?? '', attempt: 2 } })
  await second.agent.hears('granted')
  await second.agent.hears('print', 9)
  expect(second.agent.prints()).toEqual(jobIds.slice(0, 9))
  expect(await Promise.all(jobIds.slice(8).map(world.stateOf))).toEqual(['sent', 'queued', 'queued', 'queued'])
})

test('jobs of one printer keep their order over resends, however often its agent loses them and wherever it comes back', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { credential, printer, ...first } = await connect(world)
  let { agent } = first
  const jobIds: string[] = []
  for (let n = 0; n < 6; n++) jobIds.push(await world.createJob(printer))
  // 1 + 3 resends, given back, and around again.
  for (let round = 1; round <= 6; round++) {
    await agent.hears('print', 6)
    expect(agent.prints(), `round ${round}`).toEqual(jobIds)
    agent.drop()
    agent = (await connectWith(world, credential, { replica: round % 2 })).agent
  }
  await agent.hears('print', 6)
  for (const { jobId, attempt } of await agent.hears('print', 6))
    agent.say({ case: 'received', value: { jobId, attempt } })
  await agent.hears('granted', 6)
})

test('a job that nobody acknowledges stays sent while its computer is offline, until its resends are used up', async () => {
  const jobsClock = createTestClock(new Date())
  const world = await startTestDevices({ jobsClock })
  const { agent, printer } = await connect(world)
  const jobId = await world.createJob(printer)
  await agent.hears('print')
  agent.shutDown()
  await waitFor(async () => expect((await world.computer())?.state).toBe('offline'))
  expect(await world.stateOf(jobId)).toBe('sent')
  const told = async () => {
    const { events } = await world.jobs.listJobEvents({ jobId, organizationId: world.organizationId, mode: 'test' })
    return events.map(({ state, message }) => message ?? state)
  }
  const all = ['queued', 'sent', 'resend 1/3', 'resend 2/3', 'resend 3/3', 'queued']
  for (let count = 3; count <= all.length; count++) {
    jobsClock.advanceSeconds(60)
    await waitFor(async () => expect(await told()).toEqual(all.slice(0, count)))
  }
  expect(await world.stateOf(jobId)).toBe('queued')
})

test('an acknowledgement of an older sending frees no place, since the newer one still awaits its answer', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const jobIds: string[] = []
  for (let n = 0; n < 10; n++) jobIds.push(await world.createJob(printer))
  await agent.hears('print', 8)
  await world.query(`UPDATE jobs.job SET attempt = 2 WHERE id = '${jobIds[0]}'`)
  agent.say({ case: 'received', value: { jobId: jobIds[0] ?? '', attempt: 1 } })
  expect(await agent.hears('refused')).toMatchObject([{ state: 'sent' }])
  agent.say({ case: 'received', value: { jobId: jobIds[1] ?? '', attempt: 1 } })
  await agent.hears('print', 9)
  expect(await world.stateOf(jobIds[9] ?? '')).toBe('queued')
})

test('a job that was pushed before its printer was disabled goes on, also when it is sent again', async () => {
  const world = await startTestDevices()
  const { agent, printer, credential } = await connect(world)
  const jobId = await world.createJob(printer)
  await agent.hears('print')
  const { organizationId } = world
  await world.devices.updatePrinter({ organizationId, mode: 'test', printerId: printer.id, enabled: false })
  const held = await world.createJob(printer)
  agent.drop()
  const second = await connectWith(world, credential)
  expect(await second.agent.hears('print')).toMatchObject([{ jobId, attempt: 2 }])
  second.agent.say({ case: 'received', value: { jobId, attempt: 2 } })
  expect(await second.agent.hears('granted')).toMatchObject([{ jobId }])
  second.agent.report(jobId, ReportedState.DONE, 'r1')
  expect(await second.agent.hears('reportConfirmed')).toMatchObject([{ reportId: 'r1', state: 'done' }])
  expect(await world.stateOf(held)).toBe('queued')
})

test('a job that waits for its computer goes out at the hello', async () => {
  const world = await startTestDevices()
  const first = await connect(world)
  first.agent.shutDown()
  await first.agent.ending()
  const jobId = await world.createJob(first.printer)
  const second = await connectWith(world, first.credential)
  expect(await second.agent.hears('print')).toMatchObject([{ jobId }])
})

test('what was lost with a stream is sent again at the next hello, on any replica', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { agent, printer, credential } = await connect(world)
  const jobId = await world.createJob(printer)
  await agent.hears('print')
  agent.drop()
  const second = await connectWith(world, credential, { replica: 1 })
  expect(await second.agent.hears('print')).toMatchObject([{ jobId, attempt: 2 }])
})

test('a job reaches the replica that holds the stream, whichever hears of it', async () => {
  const world = await startTestDevices({ replicas: 3 })
  const { agent, printer } = await connect(world, { replica: 2 })
  for (let n = 1; n <= 8; n++) {
    await world.createJob(printer)
    await agent.hears('print', n)
  }
})

test.each([0, 1])(
  'the newest stream of a computer wins, and the older one hears that it is superseded (replica %i)',
  async (replica) => {
    const world = await startTestDevices({ replicas: 2 })
    const { agent, printer, credential } = await connect(world)
    const newer = await connectWith(world, credential, { replica })
    await agent.hears('superseded')
    await agent.ending()
    const jobId = await world.createJob(printer)
    expect(await newer.agent.hears('print')).toMatchObject([{ jobId }])
    expect((await world.computer())?.state).toBe('online')
  },
)

/** A stream whose hello got its epoch first and comes to its end behind that of a newer one. */
async function overtake(runIds: [string, string]) {
  const world = await startTestDevices()
  const { agent, credential } = await connect(world)
  agent.shutDown()
  await agent.ending()
  const unlock = await world.lockPrinters()
  const late = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  late.hello([{ ...LASER, description: 'Changed, so that its row is written' }], [], runIds[0])
  // Its report waits, so that its end comes last.
  await world.waitsForLock(1)
  expect(await world.epoch()).toBe(2)
  const newer = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  newer.hello([LASER], [], runIds[1])
  await newer.hears('welcome')
  await unlock()
  return { world, late, newer }
}

test.each([
  ['of another agent: it hears that it is superseded', ['a', 'b'], ['superseded']],
  ['of the same agent: it ends quietly', ['a', 'a'], []],
] as [string, [string, string], string[]][])(
  'a hello that is overtaken leaves the newer stream alone: %s',
  async (_title, runIds, heard) => {
    const { world, late, newer } = await overtake(runIds)
    await late.ending()
    expect(late.heard.map((message) => message.case)).toEqual(heard)
    const [printer] = await world.printers()
    if (!printer) throw new Error('there is no printer')
    await world.createJob(printer)
    await newer.hears('print')
  },
)

/** A computer whose newest stream is the third of run `a`, and which holds a job. */
async function holdJob() {
  const world = await startTestDevices()
  const { credential } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello([LASER], [], 'a', 3)
  await agent.hears('welcome')
  const [printer] = await world.printers()
  const jobId = await world.createJob({ id: printer?.id ?? '', computerId: printer?.computerId ?? '' })
  await agent.hears('print')
  agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  await agent.hears('granted')
  return { world, agent, credential, jobId }
}

test.each([2, 3])(
  'a hello that its agent gave up before it said another is ended, and settles nothing (%i)',
  async (n) => {
    const { world, agent, credential, jobId } = await holdJob()
    const late = connectTestAgent(world.agentAddresses[0] ?? '', credential)
    late.hello([], [], 'a', n)
    expect(await late.ending()).toBe('ended')
    expect(late.heard).toEqual([])
    expect(await world.epoch()).toBe(1)
    expect(await world.printers()).toHaveLength(1)
    agent.report(jobId, ReportedState.PRINTING, 'r1')
    await agent.hears('reportConfirmed')
    expect(await world.stateOf(jobId)).toBe('printing')
  },
)

test.each([
  ['the next stream of its run', 'a', 4],
  ['the first one of another run', 'b', 1],
  ['one that does not say which it is', 'a', 0],
])('a hello takes the place of an older one: %s', async (_title, runId, n) => {
  const { world, agent, credential, jobId } = await holdJob()
  const newer = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  newer.hello([LASER], [jobId], runId, n)
  await newer.hears('welcome')
  await agent.ending()
  expect(await world.epoch()).toBe(2)
})

test('an agent that comes back takes the place of its older stream, and is not told to stay away', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { credential } = await world.enroll()
  const streams = world.agentAddresses.map((address) => connectTestAgent(address, credential))
  for (const stream of streams) {
    stream.hello([LASER], [], 'one run')
    await stream.hears('welcome')
  }
  expect(await streams[0]?.ending()).toBe('ended')
  expect(streams[0]?.heard.map((message) => message.case)).toEqual(['welcome'])
})

test('a report that says nothing new changes no printer', async () => {
  const world = await startTestDevices()
  const { agent, printer, credential } = await connect(world)
  agent.shutDown()
  await agent.ending()
  await connectWith(world, credential)
  expect(await world.printers()).toEqual([printer])
})

test('a stream that was overtaken and not told is ended when it is next heard', async () => {
  const world = await startTestDevices()
  const { agent } = await connect(world)
  await world.query('UPDATE devices.computer SET epoch = epoch + 1')
  agent.say({ case: 'heartbeat', value: {} })
  expect(await agent.ending()).toBe('ended')
})

test('a replica that stops asks its agents to come back, and no computer goes offline by it', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { agent } = await connect(world, { replica: 1 })
  await world.stopReplica(1)
  await agent.hears('reconnect')
  expect((await world.computer())?.state).toBe('online')
})

test('a wrong credential is refused', async () => {
  const world = await startTestDevices()
  for (const credential of ['', 'x', `platen_agent_${'A'.repeat(43)}`]) {
    const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
    agent.hello()
    expect(await agent.ending()).toMatchObject({ code: status.UNAUTHENTICATED })
    await expect(agent.download(uuidv7())).rejects.toMatchObject({ code: status.UNAUTHENTICATED })
  }
})

test('the credential of an earlier enrolment stops working, and the computer keeps its id', async () => {
  const world = await startTestDevices()
  const first = await world.enroll()
  const second = await world.enroll()
  expect(second.computerId).toBe(first.computerId)
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', first.credential)
  agent.hello()
  expect(await agent.ending()).toMatchObject({ code: status.UNAUTHENTICATED })
})

test('an agent that does not begin with Hello is refused', async () => {
  const world = await startTestDevices()
  const { credential } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.say({ case: 'heartbeat', value: {} })
  expect(await agent.ending()).toMatchObject({ code: status.INVALID_ARGUMENT })
})

test("nobody downloads another computer's document, or one that was not sent", async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const foreign = await world.createJob({ id: uuidv7(), computerId: uuidv7() })
  await expect(agent.download(foreign)).rejects.toMatchObject({ code: status.NOT_FOUND })
  await expect(agent.download('../../secrets')).rejects.toMatchObject({ code: expect.any(Number) })
  const own = await world.createJob(printer)
  await agent.hears('print')
  expect(await agent.download(own)).toBe('%PDF-1.7')
})

test('a job whose document is gone from the store ends in error, with the reason', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const jobId = await world.createJob(printer)
  await agent.hears('print')
  await world.removeDocuments()
  await expect(agent.download(jobId)).rejects.toMatchObject({ code: status.NOT_FOUND })
  const { job } = await world.jobs.getJob({ jobId, organizationId: world.organizationId, mode: 'test' })
  expect(job).toMatchObject({ state: 'error', stateReasons: ['document-missing'] })
  const { events } = await world.jobs.listJobEvents({ jobId, organizationId: world.organizationId, mode: 'test' })
  expect(events.at(-1)).toMatchObject({ state: 'error', actor: 'system' })
})

test.each(['nats', 's3'] as const)('a document in a store of the kind %s is downloaded as any other', async (kind) => {
  const fileStore = await startTestFileStore(kind)
  const world = await startTestDevices({ fileStore })
  const { agent, printer } = await connect(world)
  const content = `%PDF-${'x'.repeat(400_000)}`
  const jobId = await world.createJob(printer, content)
  await agent.hears('print')
  expect(await agent.download(jobId)).toBe(content)
  await fileStore.cut()
  await expect(agent.download(jobId)).rejects.toMatchObject({ code: status.UNAVAILABLE })
  expect(await world.stateOf(jobId)).toBe('sent')
  await fileStore.heal()
  await waitFor(async () => expect(await agent.download(jobId)).toBe(content))
})

test('a job whose document is damaged in the store ends in error, with the reason, and is not sent as if it were whole', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const jobId = await world.createJob(printer)
  await agent.hears('print')
  await world.damageDocuments()
  await expect(agent.download(jobId)).rejects.toMatchObject({ code: status.NOT_FOUND })
  expect(await world.job(jobId)).toMatchObject({
    state: 'error',
    stateReasons: ['document-damaged'],
    stateMessage: 'The stored document is damaged. Send the job again.',
  })
})

test('a clean shutdown is offline at once and leaves the printers unknown', async () => {
  const world = await startTestDevices()
  const { agent } = await connect(world)
  expect((await world.printers())[0]?.state).toBe('online')
  agent.shutDown()
  await waitFor(async () => expect((await world.computer())?.state).toBe('offline'))
  expect((await world.printers())[0]?.state).toBe('unknown')
})

test('a drop is offline after 30 s and not before, and one that heals changes nothing', async () => {
  const world = await startTestDevices()
  const { agent, credential } = await connect(world)
  agent.drop()
  await waitFor(async () => expect(await disconnectedAt(world)).not.toBeNull())
  world.clock.advanceSeconds(29)
  const healed = await connectWith(world, credential)
  world.clock.advanceSeconds(2)
  expect((await world.computer())?.state).toBe('online')
  healed.agent.drop()
  await waitFor(async () => expect(await disconnectedAt(world)).not.toBeNull())
  world.clock.advanceSeconds(30)
  await waitFor(async () => expect((await world.computer())?.state).toBe('offline'))
})

test('a drop of 29 s leaves the computer online, and one of 30 s makes it offline', async () => {
  const world = await startTestDevices()
  const { agent } = await connect(world)
  agent.drop()
  await waitFor(async () => expect(await disconnectedAt(world)).not.toBeNull())
  world.clock.advanceSeconds(29)
  await world.sweepPresence()
  expect((await world.computer())?.state).toBe('online')
  world.clock.advanceSeconds(1)
  await world.sweepPresence()
  expect((await world.computer())?.state).toBe('offline')
})

test('a stream that is open and silent for 59 s leaves the computer online, for 60 s makes it offline', async () => {
  const world = await startTestDevices()
  await connect(world)
  world.clock.advanceSeconds(59)
  await world.sweepPresence()
  expect((await world.computer())?.state).toBe('online')
  world.clock.advanceSeconds(1)
  await world.sweepPresence()
  expect((await world.computer())?.state).toBe('offline')
})

test('a computer that was taken for gone is online again when its stream speaks again', async () => {
  const world = await startTestDevices()
  const { agent } = await connect(world)
  world.clock.advanceSeconds(60)
  await world.sweepPresence()
  expect((await world.computer())?.state).toBe('offline')
  agent.say({ case: 'heartbeat', value: {} })
  await waitFor(async () => expect((await world.computer())?.state).toBe('online'))
})

test('a heartbeat that is written after a clean shutdown leaves the computer offline', async () => {
  const world = await startTestDevices()
  await connect(world)
  const { rows } = await world.query<{ id: string; epoch: string }>('SELECT id, epoch FROM devices.computer')
  const connection = { computerId: rows[0]?.id ?? '', epoch: BigInt(rows[0]?.epoch ?? 0), end: () => undefined }
  const presence = world.createPresence()
  presence.heard(connection)
  await presence.disconnected(connection, true)
  await presence.flush()
  expect((await world.computer())?.state).toBe('offline')
})

async function disconnectedAt(world: World): Promise<Date | null> {
  const { rows } = await world.query<{ disconnected_at: Date | null }>('SELECT disconnected_at FROM devices.computer')
  return rows[0]?.disconnected_at ?? null
}

test('a printer that is missing from a report is gone, and back with its id when it is reported again', async () => {
  const world = await startTestDevices()
  const label = { ...LASER, osName: 'label', name: 'Label', isDefault: false }
  const { agent } = await connect(world, { printers: [LASER, label] })
  const before = await world.printers()
  expect(before.map(({ name }) => name)).toEqual(['Laser', 'Label'])
  const gone = before[1]
  const jobId = await world.createJob({ id: gone?.id ?? '', computerId: gone?.computerId ?? '' })
  agent.say({ case: 'printers', value: { printers: [LASER] } })
  await waitFor(async () => expect((await world.printers()).map(({ name }) => name)).toEqual(['Laser']))
  const { organizationId } = world
  const printerId = gone?.id
  const notFound = { code: 'not_found' }
  await expect(world.devices.getPrinter({ organizationId, mode: 'test', printerId })).rejects.toMatchObject(notFound)
  await expect(world.devices.resolvePrinter({ organizationId, printerId })).rejects.toMatchObject(notFound)
  expect((await world.jobs.getJob({ organizationId, mode: 'test', jobId })).job).toMatchObject({ printerId })
  const { jobs: itsJobs } = await world.jobs.listJobs({ organizationId, mode: 'test', printerId })
  expect(itsJobs.map(({ id }) => id)).toEqual([jobId])
  agent.say({
    case: 'printers',
    value: { printers: [LASER, { ...label, stateDetail: 'out of paper', stateReasons: ['media-empty'] }] },
  })
  await waitFor(async () => expect(await world.printers()).toHaveLength(2))
  const after = await world.printers()
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(after[1]).toMatchObject({ stateDetail: 'out of paper', stateReasons: ['media-empty'], state: 'online' })
})

test('a printer that is reported not to work is offline, while its computer is online', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  expect(printer.state).toBe('online')
  agent.say({ case: 'printers', value: { printers: [{ ...LASER, state: 'offline' }] } })
  await waitFor(async () => expect(await world.printers()).toMatchObject([{ id: printer.id, state: 'offline' }]))
})
