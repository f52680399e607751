/** An agent dies at each of its calls, and the next one goes on: a job is printed at most once, and its outcome is known or unconfirmed. */
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makePages } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { Device } from '../../spoolers/network/device.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import { createRawDevice } from '../../spoolers/network/raw-device.ts'
import type { Spooler } from '../../spoolers/spooler.ts'
import { readCalls } from '../../spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '../../spoolers/virtual/virtual-spooler.ts'
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import { createWindowsSpooler } from '../../spoolers/windows/windows-spooler.ts'
import { type Death, dieAtEachCall, type Life, makeJob, PARENT, type Printing } from '../mortal.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { useService } from '../scripted-service.ts'
import { makeDataDir, startAgent, virtualSpooler } from '../start-agent.ts'
import { createFakeWinspool } from '../windows/fake-winspool.ts'

/** @param forgets all jobs at each death. */
async function onVirtual(forgets = false): Promise<Printing> {
  const dir = makeDataDir(PARENT)
  const forgetting = (spooler: Spooler): Spooler => ({
    ...spooler,
    find: async () => undefined,
    state: async () => undefined,
    async *watch() {
      yield* []
    },
  })
  return {
    printerOsName: 'Test A4 Laser',
    remembers: !forgets,
    sheets: () =>
      readCalls(join(dir, 'handovers.jsonl')).filter(({ call, error }) => call === 'release' && !error).length,
    open(_, death) {
      const spooler = createVirtualSpooler({ dir, printMs: 2 })
      return death ? death.wrap(spooler) : forgets ? forgetting(spooler) : spooler
    },
  }
}

async function onNetwork(): Promise<Printing> {
  const printer = await startRawPrinter()
  const mortal = (device: Device, death: Death): Device => ({
    ...device,
    print: (job, printing) =>
      death.call(() => {
        const signal = AbortSignal.any([printing.signal, death.signal])
        return device.print(job, { ...printing, signal, begin: (id) => death.call(() => printing.begin(id)) })
      }),
  })
  return {
    printerOsName: 'Zebra',
    remembers: false,
    sheets: () => printer.connectionsWithData().length,
    open(dataDir, death) {
      const spooler = createNetworkSpooler({
        dir: join(dataDir, 'network'),
        printers: [{ name: 'Zebra', uri: printer.uri }],
        log: pino({ level: 'silent' }),
        openDevice: (one) => (death ? mortal(createRawDevice(one), death) : createRawDevice(one)),
        backoff: { baseMs: 1, maxMs: 2 },
      })
      if (!death) onTestFinished(() => void spooler.close?.())
      return death ? death.wrap(spooler) : spooler
    },
  }
}

/**
 * @param left what Windows does with a document that a dead process had open, which is not documented.
 * @param keeps whether a print server keeps printed jobs.
 * @param content what is printed, if it is.
 */
async function onWindows(left: 'dropped' | 'taken', keeps: boolean, content: string): Promise<Printing> {
  const fake = createFakeWinspool({ refuses: keeps ? [] : ['retain'] })
  const timings = { quickMs: 1, quickForMs: 1_000, slowMs: 1, deleteTimeoutMs: 100 }
  /** The printer prints whatever it may between two looks. */
  const winspool = {
    ...fake.winspool,
    async enumJobs(name: string) {
      fake.begin()
      const jobs = await fake.winspool.enumJobs(name)
      fake.print()
      return jobs
    },
  }
  return {
    printerOsName: 'Office',
    remembers: keeps,
    isHeld: () => fake.jobs.some(({ status }) => (status & JOB_STATUS.paused) !== 0),
    sheets() {
      fake.print()
      const whole = { isComplete: true, content }
      for (const { content, isComplete } of fake.printed)
        expect({ isComplete, content: content.replaceAll(/#+/g, '#') }).toEqual(whole)
      return fake.printed.length
    },
    open(_, death) {
      if (!death) fake.closeOpenDocuments(left)
      return createWindowsSpooler(async () => (death ? death.wrap(winspool) : winspool), timings)
    },
  }
}

const LABEL = '^XA^FDlabel^FS^XZ'
const RAW = { content: LABEL, contentType: 'raw_base64', qty: 2 }
const PAGES = ['0 g 14 5 14 14 re f', ''].map((content) => ({ width: 30, height: 30, content }))
const PDF = { content: makePages(PAGES), qty: 2, step: 6 }

describe.each([
  ['is printed at most once', false],
  ['is not printed any more when the service gave it up meanwhile', true],
])('after a death at any call a job %s', (_, isRemoved) => {
  test.each<[string, () => Promise<Printing>, Life]>([
    ['the virtual spooler', () => onVirtual(), {}],
    ['a spooler that forgets its jobs', () => onVirtual(true), {}],
    ['a network printer', onNetwork, RAW],
    ['Windows', () => onWindows('taken', true, LABEL.repeat(2)), RAW],
  ])('on %s', async (_, makePrinting, life) => {
    expect(await dieAtEachCall(makePrinting, { ...life, isRemoved })).toBeGreaterThan(15)
  })
})

test.each([
  ['raw', 'dropped', true],
  ['raw', 'dropped', false],
  ['raw', 'taken', false],
  ['PDF', 'taken', true],
] as const)('on Windows (%s document, left open: %s, printed jobs kept: %s)', async (kind, left, keeps) => {
  const [life, content] = kind === 'PDF' ? [PDF, '[#][][#][]'] : [RAW, LABEL.repeat(2)]
  expect(await dieAtEachCall(() => onWindows(left, keeps, content), life)).toBeGreaterThan(10)
})

describe('the next agent', () => {
  const { DONE, ERROR } = ReportedState
  const service = useService()

  const ends = (jobId: string, end: ReportedState) =>
    waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(end))

  test('asks again for permission for a staged job, with its last attempt and without a download', async () => {
    const jobId = randomUUID()
    const agent = startAgent(service, await makeJob(jobId, 'staged'))
    await ends(jobId, DONE)
    expect(service.heard('hello')[0]?.heldJobIds).toEqual([jobId])
    expect(service.heard('received')).toMatchObject([{ jobId, attempt: 1 }])
    expect([agent.calls('release').length, service.downloads]).toEqual([1, 0])
  })

  test('does not submit or release a job again that was released by hand', async () => {
    const jobId = randomUUID()
    const spooler = virtualSpooler(makeDataDir())
    const { dataDir } = await makeJob(jobId, 'handing', { spooler })
    const found = await spooler.find(jobId)
    await spooler.release(found?.spoolerJobId ?? '')
    const unexpected = () => expect.fail('called again')
    startAgent(service, { dataDir, spooler: { ...spooler, submitHeld: unexpected, release: unexpected } })
    await ends(jobId, DONE)
  })

  test('ends a job whose document is lost as document-lost, and deletes partial downloads', async () => {
    const jobId = randomUUID()
    const { dataDir } = await makeJob(jobId, 'granted')
    const documents = join(dataDir, 'documents')
    rmSync(join(documents, jobId))
    writeFileSync(join(documents, `${randomUUID()}.part`), 'half')
    const agent = startAgent(service, { dataDir })
    await ends(jobId, ERROR)
    expect(service.reportsOf(jobId)).toMatchObject([{ reasons: ['document-lost'] }])
    expect([agent.calls('submit'), readdirSync(documents)]).toEqual([[], []])
  })

  test('sends an unconfirmed report again with the same id', async () => {
    const jobId = randomUUID()
    service.script = { report: () => undefined }
    const { dataDir } = await makeJob(jobId, 'granted')
    const first = startAgent(service, { dataDir })
    await waitFor(() => expect(service.reportsOf(jobId)).not.toEqual([]))
    await first.stop()
    const [report] = service.reportsOf(jobId)
    const sentBefore = service.said.length
    service.script = {}
    startAgent(service, { dataDir })
    await ends(jobId, DONE)
    const again = service.said.slice(sentBefore).find(({ message }) => message.case === 'report')
    expect(again?.message.value).toEqual(report)
  })

  test.each(['granted', 'handing', 'held', 'releasing'] as const)(
    'does not print a job that is %s before Welcome, since the service may have given it up',
    async (phase) => {
      const jobId = randomUUID()
      const spooler = virtualSpooler(makeDataDir())
      const { dataDir } = await makeJob(jobId, phase, { spooler: phase < 'h' ? undefined : spooler })
      service.script = { hello: () => undefined }
      let releases = 0
      const release = (id: string) => spooler.release(id).finally(() => releases++)
      startAgent(service, { dataDir, spooler: { ...spooler, release }, timings: { welcomeTimeoutMs: 100 } })
      await waitFor(() => expect(service.heard('hello').length).toBeGreaterThan(1))
      expect(releases).toBe(0)
      service.script = {}
      await ends(jobId, DONE)
      expect(releases).toBe(1)
    },
  )
})
