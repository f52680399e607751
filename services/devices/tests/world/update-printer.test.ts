import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { receive, startTestDevices } from '../start-test-devices.ts'
import { LASER } from '../test-agent.ts'

const TICKET = [{ name: 'Ticket', width: 800, height: 1200 }]

async function start() {
  const started = await startTestDevices()
  return { ...started, ...(await started.connect()) }
}

test('a change of some fields leaves the others, and returns the printer as it is then', async () => {
  proves(
    'endpoint.PATCH.printers.id',
    'printer.patch.displayName',
    'printer.patch.enabled',
    'printer.patch.remarks',
    'printer.patch.remarks.null',
    'printer.patch.defaultOptions',
    'printer.patch.customPapers',
    'printer.patch.one-field',
  )
  const { devices, printerIds, printer, printers, advance } = await start()
  const update = async (changes: object) => (await devices.updatePrinter({ ...printerIds, ...changes })).printer
  advance(1)
  expect(await update({ displayName: 'Till', defaultOptions: { color: null } })).toEqual({
    ...printer,
    displayName: 'Till',
    defaultOptions: { color: null },
    updatedAt: expect.not.objectContaining({ seconds: printer.updatedAt?.seconds }),
  })
  expect(await update({ remarks: { text: '' }, enabled: false, customPapers: { papers: TICKET } })).toMatchObject({
    displayName: 'Till',
    remarks: '',
    enabled: false,
    customPapers: TICKET,
    defaultOptions: { color: null },
  })
  const last = await update({ remarks: {}, customPapers: {}, defaultOptions: {} })
  expect(last).toMatchObject({ displayName: 'Till', customPapers: [], defaultOptions: {}, enabled: false })
  expect(last?.remarks).toBeUndefined()
  expect(await printers()).toEqual([last])
})

test('concurrent changes of different fields and a report are all kept', async () => {
  const { devices, printerIds, report, printers } = await start()
  for (let round = 0; round < 10; round++) {
    const text = `round ${round}`
    const enabled = round % 2 === 0
    const [defaultOptions, papers] = [{ bin: text }, [{ name: text, width: 1, height: 1 }]]
    const remarks = { text }
    const changes = [{ displayName: text }, { remarks }, { enabled }, { defaultOptions }, { customPapers: { papers } }]
    await Promise.all([
      report({ ...LASER, description: text }),
      ...changes.map((change) => devices.updatePrinter({ ...printerIds, ...change })),
    ])
    const edited = { displayName: text, remarks: text, enabled, defaultOptions, customPapers: papers }
    expect(await printers()).toMatchObject([{ ...edited, description: text }])
  }
})

test('a disabled printer holds its jobs until it is enabled, and does not hold up other printers', async () => {
  proves('disabled.waiting', 'disabled.enabled-again')
  const { devices, printerIds, agent, report, printers, getState, createJob, hasClaimed, computerId } = await start()
  await hasClaimed(computerId)
  await devices.updatePrinter({ ...printerIds, enabled: false })
  const jobId = await createJob()
  await report(LASER, { ...LASER, osName: 'other', name: 'Other' })
  const [, other] = await printers()
  const otherId = await createJob({ printerId: other?.id })
  expect(await agent.waitForMessages('print')).toMatchObject([{ jobId: otherId }])
  expect(await getState(jobId)).toBe('queued')
  await devices.updatePrinter({ ...printerIds, enabled: true })
  expect(await agent.waitForMessages('print', 2)).toMatchObject([{ jobId: otherId }, { jobId }])
})

test('a change of which the announcement is lost is seen by claims after 30 s', async () => {
  const { connect, printers, query, createJob, advance, getState } = await startTestDevices()
  const { agent, computerId } = await connect({ printers: [LASER, { ...LASER, osName: 'other', name: 'Other' }] })
  const [laser, other] = (await printers(computerId)) as [Printer, Printer]
  const ids = [await createJob(laser)]
  await agent.waitForMessages('print')
  await query('UPDATE devices.printer SET enabled = false WHERE organization_id = $1 AND id = $2', laser.id)
  advance(29.999)
  ids.push(await createJob(laser))
  await agent.waitForMessages('print', 2)
  advance(0.001)
  const held = await createJob(laser)
  ids.push(await createJob(other))
  await agent.waitForMessages('print', 3)
  expect([agent.prints(), await getState(held)]).toEqual([ids, 'queued'])
})

test('a job of a printer that is newer than the cache reaches the agent with the name of the printer', async () => {
  const { agent, query, createJob } = await start()
  await createJob()
  await agent.waitForMessages('print')
  const printerId = uuidv7()
  await query('UPDATE devices.printer SET id = $2 WHERE organization_id = $1', printerId)
  const jobId = await createJob({ printerId })
  expect((await agent.waitForMessages('print', 2))[1]).toMatchObject({ jobId, printerOsName: LASER.osName })
})

const optionWarning = 'Ignored options: bin `x` (not offered by this printer).'

test('the agent gets the effective options, and a warning stays in all states, after the message of an error', async () => {
  proves('state-reason.option-ignored')
  const { agent, createJob, job } = await start()
  const options = { bin: 'x', copies: 2 }
  const jobId = await createJob({ options, effectiveOptions: { copies: 2 }, optionWarning })
  const warned = { stateMessage: optionWarning, stateReasons: ['option-ignored'], options }
  expect((await agent.waitForMessages('print'))[0]?.options).toEqual({ copies: 2 })
  expect(await job(jobId)).toMatchObject({ state: 'sent', ...warned })
  await receive(agent, jobId)
  expect(await job(jobId)).toMatchObject({ state: 'received', ...warned })
  const [message, reason] = ['The printer is on fire.', 'job-aborted-by-system']
  agent.report(jobId, ReportedState.ERROR, 'r1', { message, reasons: [reason] })
  await agent.waitForMessages('reportConfirmed')
  expect(await job(jobId)).toMatchObject({
    state: 'error',
    stateMessage: `${message} ${optionWarning}`,
    stateReasons: [reason, 'option-ignored'],
    options,
  })
})

test('options that the agent ignores are added to the warning once, and only by the computer of the job', async () => {
  const { agent, createJob, job, connect } = await start()
  const warnings = ['The option dpi `600x600` was ignored.', 'The option nup 4 was ignored.']
  const jobId = await createJob({ options: {}, effectiveOptions: {}, optionWarning })
  await receive(agent, jobId)
  const { PRINTING, DONE } = ReportedState
  const stranger = await connect()
  stranger.agent.report(jobId, PRINTING, 'r1', { warnings: ['Mine now.'] })
  await stranger.agent.waitForMessages('reportConfirmed')
  for (const [n, state] of [PRINTING, PRINTING, DONE, DONE].entries()) agent.report(jobId, state, `r${n}`, { warnings })
  await agent.waitForMessages('reportConfirmed', 4)
  const stateMessage = [optionWarning, ...warnings].join(' ')
  expect(await job(jobId)).toMatchObject({ state: 'done', stateMessage, stateReasons: ['option-ignored'] })
})
