import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent, LASER } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

async function connect(world: World, replica = 0) {
  const { credential } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[replica] ?? '', credential)
  agent.hello()
  await agent.hears('welcome')
  const [printer] = await world.printers()
  if (!printer) throw new Error('the hello reported no printer')
  const ids = { organizationId: world.organizationId, mode: 'test', printerId: printer.id }
  return { agent, printer, ids, credential }
}

test('what is named is changed, the rest stays, and the answer is the printer as it is then', async () => {
  const world = await startTestDevices()
  const { ids, printer } = await connect(world)
  world.clock.advanceSeconds(1)
  const first = await world.devices.updatePrinter({ ...ids, displayName: 'Till', defaultOptions: { color: null } })
  expect(first.printer).toEqual({
    ...printer,
    displayName: 'Till',
    defaultOptions: { color: null },
    updatedAt: expect.not.objectContaining({ seconds: printer.updatedAt?.seconds }),
  })
  const customPapers = { papers: [{ name: 'Ticket', width: 800, height: 1 }] }
  const second = await world.devices.updatePrinter({ ...ids, remarks: { text: '' }, enabled: false, customPapers })
  expect(second.printer).toMatchObject({
    displayName: 'Till',
    remarks: '',
    enabled: false,
    customPapers: customPapers.papers,
    defaultOptions: { color: null },
  })
  const third = await world.devices.updatePrinter({ ...ids, remarks: {}, customPapers: {}, defaultOptions: {} })
  expect(third.printer).toMatchObject({ customPapers: [], defaultOptions: {}, enabled: false })
  expect(third.printer?.remarks).toBeUndefined()
  expect((await world.printers())[0]).toEqual(third.printer)
})

test('`updatedAt` moves with a change, and not where nothing changes', async () => {
  const world = await startTestDevices()
  const { ids } = await connect(world)
  const edited = {
    displayName: 'Till',
    enabled: true,
    remarks: { text: 'x' },
    defaultOptions: { copies: 2, color: false },
    customPapers: { papers: [{ name: 'Ticket', width: 800, height: 1200 }] },
  }
  world.clock.advanceSeconds(10)
  const { printer } = await world.devices.updatePrinter({ ...ids, ...edited })
  world.clock.advanceSeconds(10)
  const again = { ...edited, defaultOptions: { color: false, copies: 2 } }
  for (const changes of [{}, again, { remarks: { text: 'x' } }])
    expect((await world.devices.updatePrinter({ ...ids, ...changes })).printer).toEqual(printer)
  const { printer: later } = await world.devices.updatePrinter({ ...ids, remarks: {} })
  expect(Number(later?.updatedAt?.seconds) - Number(printer?.updatedAt?.seconds)).toBe(10)
})

test('of changes of different fields at the same time each one stays', { timeout: 60_000 }, async () => {
  const world = await startTestDevices()
  const { ids, agent } = await connect(world)
  for (let round = 0; round < 10; round++) {
    const text = `round ${round}`
    const papers = [{ name: text, width: 1, height: 1 }]
    agent.say({ case: 'printers', value: { printers: [{ ...LASER, description: text }] } })
    await Promise.all([
      world.devices.updatePrinter({ ...ids, displayName: text }),
      world.devices.updatePrinter({ ...ids, remarks: { text } }),
      world.devices.updatePrinter({ ...ids, enabled: round % 2 === 0 }),
      world.devices.updatePrinter({ ...ids, defaultOptions: { bin: text } }),
      world.devices.updatePrinter({ ...ids, customPapers: { papers } }),
    ])
    await waitFor(async () =>
      expect((await world.printers())[0]).toMatchObject({
        displayName: text,
        remarks: text,
        enabled: round % 2 === 0,
        defaultOptions: { bin: text },
        customPapers: papers,
        description: text,
      }),
    )
  }
})

test('a printer that comes back has its edited fields again', async () => {
  const world = await startTestDevices()
  const { ids, agent } = await connect(world)
  const { printer } = await world.devices.updatePrinter({ ...ids, displayName: 'Till', enabled: false })
  agent.say({ case: 'printers', value: { printers: [] } })
  await waitFor(async () => expect(await world.printers()).toEqual([]))
  await expect(world.devices.updatePrinter({ ...ids, displayName: 'Nobody' })).rejects.toMatchObject({
    code: 'not_found',
  })
  agent.say({ case: 'printers', value: { printers: [LASER] } })
  await waitFor(async () =>
    expect(await world.printers()).toMatchObject([{ id: printer?.id, displayName: 'Till', enabled: false }]),
  )
})

test('a printer of another organization or mode cannot be changed', async () => {
  const world = await startTestDevices()
  const { ids, printer } = await connect(world)
  for (const stranger of [{ organizationId: uuidv7() }, { mode: 'live' }, { printerId: uuidv7() }]) {
    const update = world.devices.updatePrinter({ ...ids, ...stranger, displayName: 'Mine' })
    await expect(update).rejects.toMatchObject({ code: 'not_found' })
  }
  expect(await world.printers()).toEqual([printer])
})

test('a disabled printer holds its jobs, and being enabled sends them at once from the replica that has the stream', async () => {
  // Where nobody hears what jobs announces: else the announcement of waiting jobs, which comes every 2 s, could have sent them.
  const { url: jobsNatsUrl } = await startTestNats()
  const world = await startTestDevices({ replicas: 2, jobsNatsUrl })
  const { ids, agent, printer } = await connect(world, 1)
  await world.devices.updatePrinter({ ...ids, enabled: false })
  const jobId = await world.createJob(printer)
  // The job of another printer that is enabled goes out behind it: the first one was looked at and left.
  agent.say({ case: 'printers', value: { printers: [LASER, { ...LASER, osName: 'other', name: 'Other' }] } })
  const other = await waitFor(async () => {
    const found = (await world.printers()).find(({ osName }) => osName === 'other')
    if (!found) throw new Error('not reported yet')
    return found
  })
  await world.devices.updatePrinter({ ...ids, printerId: other.id, enabled: false })
  const otherJobId = await world.createJob(other)
  await world.devices.updatePrinter({ ...ids, printerId: other.id, enabled: true })
  expect(await agent.hears('print')).toMatchObject([{ jobId: otherJobId }])
  expect(await world.stateOf(jobId)).toBe('queued')

  await world.devices.updatePrinter({ ...ids, enabled: true })
  expect(await agent.hears('print', 2)).toMatchObject([{ jobId: otherJobId }, { jobId }])
})

test('a creation is told what the options of its job are judged by', async () => {
  const world = await startTestDevices()
  const { ids, printer } = await connect(world)
  const customPapers = { papers: [{ name: 'Ticket', width: 800, height: 1200 }] }
  await world.devices.updatePrinter({ ...ids, defaultOptions: { copies: 2 }, customPapers })
  expect(await world.devices.resolvePrinter(ids)).toMatchObject({
    computerId: printer.computerId,
    mode: 'test',
    enabled: true,
    defaultOptions: { copies: 2 },
    customPapers: customPapers.papers,
    capabilities: { copies: 99, nup: [1] },
    os: 'linux',
  })
})

test('the agent is told the effective options, and a warning stays through all states, behind the reason of an error', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const optionWarning = 'Ignored options: bin `x` (not offered by this printer).'
  const options = { bin: 'x', copies: 2 }
  const jobId = await world.createJob(printer, '%PDF-1.7', { options, effectiveOptions: { copies: 2 }, optionWarning })
  const warned = { stateMessage: optionWarning, stateReasons: ['option-ignored'], options }
  expect(await agent.hears('print')).toMatchObject([{ jobId, options: { copies: 2 } }])
  expect((await agent.hears('print'))[0]?.options).toEqual({ copies: 2 })
  expect(await world.job(jobId)).toMatchObject({ state: 'sent', ...warned })
  agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  await agent.hears('granted')
  expect(await world.job(jobId)).toMatchObject({ state: 'received', ...warned })
  const message = 'The printer is on fire.'
  const reasons = ['job-aborted-by-system']
  agent.say({ case: 'report', value: { jobId, attempt: 1, state: 3, reportId: 'r1', message, reasons } })
  await agent.hears('reportConfirmed')
  expect(await world.job(jobId)).toMatchObject({
    state: 'error',
    stateMessage: `${message} ${optionWarning}`,
    stateReasons: ['job-aborted-by-system', 'option-ignored'],
    options,
  })
})

test('what the agent drops of the options is told behind what was dropped before, once, and outlives every state', async () => {
  const world = await startTestDevices()
  const { agent, printer } = await connect(world)
  const optionWarning = 'Ignored options: bin `x` (not offered by this printer).'
  const warnings = ['The option dpi `600x600` was ignored.', 'The option nup 4 was ignored.']
  const told = { stateMessage: [optionWarning, ...warnings].join(' '), stateReasons: ['option-ignored'] }
  const jobId = await world.createJob(printer, '%PDF-1.7', { options: {}, effectiveOptions: {}, optionWarning })
  await agent.hears('print')
  agent.say({ case: 'received', value: { jobId, attempt: 1 } })
  await agent.hears('granted')
  const { PRINTING, DONE } = ReportedState
  for (const [n, state] of [PRINTING, PRINTING, DONE, DONE].entries())
    agent.say({ case: 'report', value: { jobId, attempt: 1, state, reportId: `r${n}`, warnings } })
  await agent.hears('reportConfirmed', 4)
  expect(await world.job(jobId)).toMatchObject({ state: 'done', ...told })
})

test('what another computer says of a job is not told in it', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const stranger = await connect(world)
  const { agent } = await connect(world)
  const printer = (await world.printers()).find(({ id }) => id !== stranger.printer.id)
  if (!printer) throw new Error('the second hello reported no printer')
  const jobId = await world.createJob(printer)
  await agent.hears('print')
  stranger.agent.say({
    case: 'report',
    value: { jobId, attempt: 1, state: ReportedState.PRINTING, reportId: 'r1', warnings: ['Mine now.'] },
  })
  await stranger.agent.hears('reportConfirmed')
  expect((await world.job(jobId))?.stateMessage).toBeUndefined()
})
