/**
 * An agent is killed at each of its calls and restarted: a job is printed at most once, and its outcome is known or
 * unconfirmed.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makePages } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { createFolderDevice } from '../../spoolers/folder/folder-device.ts'
import { inspectPdfs } from '../../spoolers/inspect-pdfs.ts'
import type { Device } from '../../spoolers/network/device.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import { createRawDevice } from '../../spoolers/network/raw-device.ts'
import type { Spooler } from '../../spoolers/spooler.ts'
import { readCalls } from '../../spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '../../spoolers/virtual/virtual-spooler.ts'
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import { createWindowsSpooler } from '../../spoolers/windows/windows-spooler.ts'
import {
  type JobFacts,
  type Kill,
  killAtEachCall,
  makeJob,
  PARENT,
  recordCalls,
  type TestPrinter,
} from '../kill-at-each-call.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { useService } from '../scripted-service.ts'
import { createQuickSpooler, makeDataDir, startAgent } from '../start-agent.ts'
import { createFakeWinspool } from '../windows/fake-winspool.ts'

/** @param losesJobs whether the spooler loses all jobs when the agent is killed. */
async function createVirtualPrinter(losesJobs = false): Promise<TestPrinter> {
  const dir = makeDataDir(PARENT)
  const withoutJobs = (spooler: Spooler): Spooler => ({
    ...spooler,
    find: async () => undefined,
    state: async () => undefined,
    async *watch() {
      yield* []
    },
  })
  return {
    printerOsName: 'Test A4 Laser',
    keepsOutcome: !losesJobs,
    sheets: () =>
      readCalls(join(dir, 'handovers.jsonl')).filter(({ call, error }) => call === 'release' && !error).length,
    open(_, kill) {
      const spooler = createVirtualSpooler({ dir, printMs: 2 })
      return kill ? kill.wrap(spooler) : losesJobs ? withoutJobs(spooler) : spooler
    },
  }
}

async function createNetworkPrinter(): Promise<TestPrinter> {
  const printer = await startRawPrinter()
  const wrapDevice = (device: Device, kill: Kill): Device => ({
    ...device,
    print: (job, printing) =>
      kill.call(() => {
        const signal = AbortSignal.any([printing.signal, kill.signal])
        return device.print(job, { ...printing, signal, begin: (id) => kill.call(() => printing.begin(id)) })
      }),
  })
  return {
    printerOsName: 'Zebra',
    keepsOutcome: false,
    sheets: () => printer.connectionsWithData().length,
    open(dataDir, kill) {
      const spooler = createNetworkSpooler({
        dir: join(dataDir, 'network'),
        printers: [{ name: 'Zebra', uri: printer.uri }],
        log: pino({ level: 'silent' }),
        openDevice: (config) => (kill ? wrapDevice(createRawDevice(config), kill) : createRawDevice(config)),
        backoff: { baseMs: 1, maxMs: 2 },
      })
      spooler.start?.()
      if (!kill) onTestFinished(() => void spooler.close?.())
      return kill ? kill.wrap(spooler) : spooler
    },
  }
}

async function createFolderPrinter(): Promise<TestPrinter> {
  const folder = makeDataDir(PARENT)
  const wrapDevice = (device: Device, kill: Kill): Device => ({
    ...device,
    print: (job, printing) =>
      kill.call(() => device.print(job, { ...printing, begin: (id) => kill.call(() => printing.begin(id)) })),
  })
  return {
    printerOsName: 'Archive',
    keepsOutcome: true,
    sheets: () => readdirSync(folder).filter((name) => !name.startsWith('.')).length,
    open(dataDir, kill) {
      const spooler = createNetworkSpooler({
        dir: join(dataDir, 'folders'),
        printers: [{ name: 'Archive', uri: pathToFileURL(folder).href }],
        log: pino({ level: 'silent' }),
        openDevice: (config) => (kill ? wrapDevice(createFolderDevice(config), kill) : createFolderDevice(config)),
        backoff: { baseMs: 1, maxMs: 2 },
      })
      spooler.start?.()
      if (!kill) onTestFinished(() => void spooler.close?.())
      return kill ? kill.wrap(spooler) : spooler
    },
  }
}

/**
 * @param openDocuments what Windows does with the open documents of a killed process, which is not documented.
 * @param retains whether the print server retains printed jobs.
 * @param content the expected content of a print.
 */
async function createWindowsPrinter(
  openDocuments: 'deleted' | 'completed',
  retains: boolean,
  content: string,
): Promise<TestPrinter> {
  const fake = createFakeWinspool({ unsupported: retains ? [] : ['retain'] })
  const timings = { quickMs: 1, quickForMs: 1_000, slowMs: 1, deleteTimeoutMs: 100 }
  /** The printer prints all printable jobs between two polls. */
  const winspool = {
    ...fake.winspool,
    async enumJobs(name: string) {
      fake.startPrinting()
      const jobs = await fake.winspool.enumJobs(name)
      fake.print()
      return jobs
    },
  }
  return {
    printerOsName: 'Office',
    keepsOutcome: retains,
    isHeld: () => fake.jobs.some(({ status }) => (status & JOB_STATUS.paused) !== 0),
    sheets() {
      fake.print()
      const expected = { isComplete: true, content }
      for (const { content, isComplete } of fake.printed)
        expect({ isComplete, content: content.replaceAll(/#+/g, '#') }).toEqual(expected)
      return fake.printed.length
    },
    open(_, kill) {
      if (!kill) fake.closeOpenDocuments(openDocuments)
      return inspectPdfs(createWindowsSpooler(async () => (kill ? kill.wrap(winspool) : winspool), timings))
    },
  }
}

test('what is recorded of a job is on disk before Received, the submission and the release', async () => {
  expect((await recordCalls(await createVirtualPrinter())).slice(0, 10)).toEqual([
    ...['durable', 'Received'],
    ...['handing', 'durable', 'submitHeld', 'held'],
    ...['releasing', 'durable', 'release', 'released'],
  ])
})

const LABEL = '^XA^FDlabel^FS^XZ'
const RAW = { content: LABEL, contentType: 'raw_base64', qty: 2 }
const PAGES = ['0 g 14 5 14 14 re f', ''].map((content) => ({ width: 30, height: 30, content }))
const PDF = { content: makePages(PAGES), qty: 2, step: 6 }

describe.each([
  ['is printed at most once', false],
  ['that the service removed meanwhile is not printed', true],
])('after a kill at any call a job %s', (_, isRemoved) => {
  test.each<[string, () => Promise<TestPrinter>, JobFacts]>([
    ['the virtual spooler', () => createVirtualPrinter(), {}],
    ['a spooler that loses its jobs', () => createVirtualPrinter(true), {}],
    ['a network printer', createNetworkPrinter, RAW],
    ['a folder', createFolderPrinter, {}],
    ['Windows', () => createWindowsPrinter('completed', true, LABEL.repeat(2)), RAW],
  ])('on %s', async (_, createPrinter, facts) => {
    expect(await killAtEachCall(createPrinter, { ...facts, isRemoved })).toBeGreaterThan(15)
  })
})

test.each([
  ['raw', 'deleted', true],
  ['raw', 'deleted', false],
  ['raw', 'completed', false],
  ['PDF', 'completed', true],
] as const)(
  'on Windows (%s document, open documents: %s, printed jobs retained: %s)',
  async (kind, openDocuments, retains) => {
    const [facts, content] = kind === 'PDF' ? [PDF, '[#][][#][]'] : [RAW, LABEL.repeat(2)]
    expect(await killAtEachCall(() => createWindowsPrinter(openDocuments, retains, content), facts)).toBeGreaterThan(10)
  },
)

describe('the restarted agent', () => {
  const { DONE, ERROR } = ReportedState
  const service = useService()

  const waitForEnd = (jobId: string, end: ReportedState) =>
    waitFor(() => expect(service.getReports(jobId).at(-1)?.state).toBe(end))

  test('requests permission for a staged job again with its last attempt, without a download', async () => {
    const jobId = randomUUID()
    const agent = startAgent(service, await makeJob(jobId, 'staged'))
    await waitForEnd(jobId, DONE)
    expect(service.getMessages('hello')[0]?.heldJobIds).toEqual([jobId])
    expect(service.getMessages('received')).toMatchObject([{ jobId, attempt: 1 }])
    expect([agent.calls('release').length, service.downloads]).toEqual([1, 0])
  })

  test('does not submit or release a job that a user released', async () => {
    const jobId = randomUUID()
    const spooler = createQuickSpooler(makeDataDir())
    const { dataDir } = await makeJob(jobId, 'handing', { spooler })
    const found = await spooler.find(jobId)
    await spooler.release(found?.spoolerJobId ?? '')
    const unexpected = () => expect.fail('called again')
    startAgent(service, { dataDir, spooler: { ...spooler, submitHeld: unexpected, release: unexpected } })
    await waitForEnd(jobId, DONE)
  })

  test('ends a job without a document as document-lost, and deletes partial downloads', async () => {
    const jobId = randomUUID()
    const { dataDir } = await makeJob(jobId, 'granted')
    const documents = join(dataDir, 'documents')
    rmSync(join(documents, jobId))
    writeFileSync(join(documents, `${randomUUID()}.part`), 'partial')
    const agent = startAgent(service, { dataDir })
    await waitForEnd(jobId, ERROR)
    expect(service.getReports(jobId)).toMatchObject([{ reasons: ['document-lost'] }])
    expect([agent.calls('submit'), readdirSync(documents)]).toEqual([[], []])
  })

  test('repeats an unconfirmed report with the same id', async () => {
    const jobId = randomUUID()
    service.script = { report: () => undefined }
    const { dataDir } = await makeJob(jobId, 'granted')
    const first = startAgent(service, { dataDir })
    await waitFor(() => expect(service.getReports(jobId)).not.toEqual([]))
    await first.stop()
    const [report] = service.getReports(jobId)
    const sentBefore = service.messages.length
    service.script = {}
    startAgent(service, { dataDir })
    await waitForEnd(jobId, DONE)
    const repeated = service.messages.slice(sentBefore).find(({ message }) => message.case === 'report')
    expect(repeated?.message.value).toEqual(report)
  })

  test.each(['granted', 'handing', 'held', 'releasing'] as const)(
    'does not print a job that is %s before Welcome, because the service may have removed it',
    async (phase) => {
      const jobId = randomUUID()
      const spooler = createQuickSpooler(makeDataDir())
      const { dataDir } = await makeJob(jobId, phase, { spooler: phase < 'h' ? undefined : spooler })
      service.script = { hello: () => undefined }
      let releases = 0
      const release = (id: string) => spooler.release(id).finally(() => releases++)
      startAgent(service, { dataDir, spooler: { ...spooler, release }, timings: { welcomeTimeoutMs: 100 } })
      await waitFor(() => expect(service.getMessages('hello').length).toBeGreaterThan(1))
      expect(releases).toBe(0)
      service.script = {}
      await waitForEnd(jobId, DONE)
      expect(releases).toBe(1)
    },
  )

  test('sends nothing to a network printer before Welcome', async () => {
    proves('agent.restart.waits')
    const jobId = randomUUID()
    const printer = await startRawPrinter()
    const printers = [{ name: 'Zebra', uri: printer.uri }]
    const options = { dir: makeDataDir(), printers, log: pino({ level: 'silent' }) }
    printer.switchOff()
    const before = createNetworkSpooler(options)
    const { dataDir } = await makeJob(jobId, 'released', { ...RAW, printerOsName: 'Zebra', spooler: before })
    const found = await before.find(jobId)
    await before.release(found?.spoolerJobId ?? '')
    await before.close?.()
    await printer.switchOn()
    service.script = { hello: () => undefined }
    startAgent(service, { dataDir, spooler: createNetworkSpooler(options), timings: { welcomeTimeoutMs: 100 } })
    await waitFor(() => expect(service.getMessages('hello').length).toBeGreaterThan(1))
    expect(printer.connectionsWithData()).toEqual([])
    service.script = {}
    await waitForEnd(jobId, DONE)
    expect(printer.printed().map(String)).toEqual([LABEL.repeat(RAW.qty)])
  })
})
