/** The complete agent with a scripted service. */
import { pbkdf2, randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { mockDisk } from '../../../test/harness/disk.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { SYSTEM_CLOCK } from '../../expiry.ts'
import type { DocumentWarning, Spooler, SpoolerState } from '../../spoolers/spooler.ts'
import { type Script, useService } from '../scripted-service.ts'
import { connectAgent, createQuickSpooler, makeDataDir } from '../start-agent.ts'

const { WAITING, PRINTING, DONE, ERROR } = ReportedState

const QUICK_RESEND = { resendMs: 50 }

const service = useService()

const getStates = (jobId: string) => service.getReports(jobId).map(({ state }) => state)
const waitForEnd = (jobId: string) => waitFor(() => expect([DONE, ERROR]).toContain(getStates(jobId).at(-1)))

test('a job is received, granted, printed and reported with the times of its work, and its document is deleted', async () => {
  const agent = await connectAgent(service)
  const sentAt = performance.now()
  const sentMsAgo = () => Math.ceil(performance.now() - sentAt) + 1
  const { jobId, fileSha256 } = service.print({}, Buffer.alloc(100_000, 'x'))
  await waitForEnd(jobId)
  expect(getStates(jobId)).toEqual([PRINTING, DONE])
  expect(agent.calls('release')).toMatchObject([
    { token: jobId, printer: 'Test A4 Laser', sha256: fileSha256, sizeBytes: 100_000 },
  ])
  await waitFor(() => expect(readdirSync(join(agent.dataDir, 'documents'))).toEqual([]))
  const [printing, done] = service.getReports(jobId).map(({ times }) => times)
  expect(printing).toBeUndefined()
  const ages = [sentMsAgo(), done?.receivedMsAgo, done?.handedOverMsAgo, done?.endedMsAgo, 0]
  expect(ages).toEqual(ages.toSorted((a = Number.NaN, b = Number.NaN) => b - a))
  expect(Number(done?.handedOverMsAgo) - Number(done?.endedMsAgo), 'the 40 ms of the spooler').toBeGreaterThan(30)
})

test('the receipt of a job can be delayed by its title, also beyond its expiry; later jobs of the printer do not wait', async () => {
  const delays: Record<string, () => void> = {}
  const clock = {
    ...SYSTEM_CLOCK,
    sleep: (ms: number) =>
      new Promise<void>((resolve) => Object.assign(delays, { [ms > 60_000 ? 'ever' : 'slow']: resolve })),
  }
  const getReceiptDelayMs = (title: string) => ({ slow: 20_000, ever: Number.POSITIVE_INFINITY })[title] ?? 0
  await connectAgent(service, { clock, getReceiptDelayMs })
  const slow = service.print({ title: 'slow' })
  const ever = service.print({ title: 'ever' })
  const { jobId } = service.print({ title: 'next' })
  await waitForEnd(jobId)
  const received = () => service.getMessages('received').map((message) => message.jobId)
  expect(Object.keys(delays).toSorted()).toEqual(['ever', 'slow'])
  expect(received()).toEqual([jobId])
  delays.slow?.()
  await waitForEnd(slow.jobId)
  expect(received()).not.toContain(ever.jobId)
})

test.each<[string, Script['received']]>([
  ['before a job is granted', () => undefined],
  ['after a grant of another attempt', ({ jobId }) => ({ case: 'granted', value: { jobId, attempt: 7 } })],
])('the spooler is not called %s', async (_, received) => {
  service.script = { received }
  const agent = await connectAgent(service, { timings: QUICK_RESEND })
  const { jobId } = service.print()
  await waitFor(() => expect(service.getMessages('received').length).toBeGreaterThan(2))
  expect(agent.calls('submit')).toEqual([])
  service.send({ case: 'granted', value: { jobId, attempt: 1 } })
  await waitForEnd(jobId)
  expect(agent.calls('release')).toHaveLength(1)
})

test('a document of more than 25 MB is refused before the download, one of 25 MB is not', async () => {
  proves('agent.document.size')
  const agent = await connectAgent(service)
  const { jobId } = service.print({ fileSizeBytes: 26_214_401n })
  await waitForEnd(jobId)
  expect(service.getReports(jobId)).toMatchObject([{ state: ERROR, reasons: ['content-too-large'] }])
  expect([service.downloads, agent.calls('submit')]).toEqual([0, []])
  service.print({ fileSizeBytes: 26_214_400n })
  await waitFor(() => expect(service.downloads).toBeGreaterThan(0))
})

test.each([
  ['500 MB', 100e9, 500e6],
  ['5 % of a small disk', 1e9, 50e6],
])(
  'a job whose document would leave less than %s free waits, and prints when the disk has space',
  async (_, total, reserve) => {
    proves('agent.disk.reserve')
    const document = Buffer.alloc(1_000, 'x')
    const disk = { total, free: reserve + 999 }
    mockDisk(() => disk)
    const agent = await connectAgent(service)
    const { jobId } = service.print({}, document)
    const waiting = {
      state: WAITING,
      reasons: ['computer-disk-full'],
      message: expect.stringMatching(/too little free space/),
    }
    await waitFor(() => expect(service.getReports(jobId)).toMatchObject([waiting]))
    expect([service.downloads, agent.calls('submit')]).toEqual([0, []])
    disk.free = reserve + 1_000
    await waitForEnd(jobId)
    expect(service.getReports(jobId)).toMatchObject([
      waiting,
      { state: WAITING, reasons: [] },
      { state: PRINTING },
      { state: DONE },
    ])
  },
)

test('a job waits while the documents of others use what the agent may store, and prints when they are printed', async () => {
  proves('test-mode.disk')
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const submitHeld: typeof spooler.submitHeld = async (submission) => {
    await opened
    return await spooler.submitHeld(submission)
  }
  await connectAgent(service, { dataDir, spooler: { ...spooler, submitHeld }, documentsMaxBytes: 1_000 })
  const document = Buffer.alloc(600, 'x')
  const first = service.print({}, document)
  await waitFor(() => expect(service.getMessages('received')).toHaveLength(1))
  const second = service.print({ printerOsName: 'Test Letter Color' }, document)
  const message = 'Documents of earlier jobs use the space for documents. The job is printed after them.'
  const waiting = { state: WAITING, reasons: ['documents-limit'], message }
  await waitFor(() => expect(service.getReports(second.jobId)).toMatchObject([waiting]))
  open()
  for (const { jobId } of [first, second]) await waitForEnd(jobId)
  expect(getStates(second.jobId)).toEqual([WAITING, WAITING, PRINTING, DONE])
})

const ZPL = '^XA^XZ'
const LABEL = 'Test Label 4x6'

test.each<[string, string[] | false, contentType: string, document: string]>([
  ['raw data on all printers', false, 'raw_base64', ZPL],
  ['raw data on a printer that is not listed', [LABEL], 'raw_uri', ZPL],
  ['raw data that the service names a PDF', false, 'pdf_base64', `@PJL\n%PDF-1.7`],
  ['a content type that the agent does not know', false, 'other', '%PDF-1.7'],
])('the owner of the computer can forbid %s', async (_, raw, contentType, document) => {
  proves('agent.raw')
  const agent = await connectAgent(service, { raw })
  const { jobId } = service.print({ contentType }, Buffer.from(document))
  await waitForEnd(jobId)
  const message = expect.stringMatching(/owner of the computer .*Nothing was printed/)
  expect(service.getReports(jobId).at(-1)).toMatchObject({ reasons: ['document-format-not-supported'], message })
  expect(agent.calls('submit')).toEqual([])
})

test.each<[string, string[] | false, contentType: string, printerOsName: string]>([
  ['a PDF', false, 'pdf_base64', 'Test A4 Laser'],
  ['raw data on a printer that is listed', [LABEL], 'raw_base64', LABEL],
])('a computer that restricts raw data prints %s', async (_, raw, contentType, printerOsName) => {
  await connectAgent(service, { raw })
  const { jobId } = service.print({ contentType, printerOsName })
  await waitForEnd(jobId)
  expect(getStates(jobId)).toEqual([PRINTING, DONE])
})

test.each(['cancelled', 'expired', 'done', ''])(
  'a job refused as "%s" is never printed, and its document is deleted',
  async (state) => {
    service.script = { received: ({ jobId, attempt }) => ({ case: 'refused', value: { jobId, attempt, state } }) }
    const agent = await connectAgent(service)
    const refused = service.print()
    await waitFor(() => expect(service.getMessages('received')).toHaveLength(1))
    service.script = {}
    const next = service.print()
    await waitForEnd(next.jobId)
    expect(agent.calls('submit').map(({ token }) => token)).toEqual([next.jobId])
    await waitFor(() => expect(existsSync(join(agent.dataDir, 'documents', refused.jobId))).toBe(false))
  },
)

test('a job refused as queued is printed when it is sent again, without a second download', async () => {
  service.script = { received: ({ jobId }) => ({ case: 'refused', value: { jobId, attempt: 1, state: 'queued' } }) }
  const agent = await connectAgent(service)
  const job = service.print()
  await waitFor(() => expect(service.getMessages('received')).toHaveLength(1))
  service.script = {}
  service.print({ ...job, attempt: 2 })
  await waitForEnd(job.jobId)
  expect(service.getMessages('received').map(({ attempt }) => attempt)).toEqual([1, 2])
  expect(service.downloads).toBe(1)
  expect(agent.calls('release')).toHaveLength(1)
})

test('a job that is sent again before its grant has the new attempt and is printed once', async () => {
  service.script = { received: () => undefined }
  const agent = await connectAgent(service)
  const job = service.print()
  await waitFor(() => expect(service.getMessages('received')).not.toEqual([]))
  service.script = {}
  service.print({ ...job, attempt: 2 })
  await waitForEnd(job.jobId)
  expect(service.getReports(job.jobId).every(({ attempt }) => attempt === 2)).toBe(true)
  expect(agent.calls('release')).toHaveLength(1)
})

test('a job that is sent again while it prints or after it was settled is printed once', async () => {
  const agent = await connectAgent(service)
  const job = service.print()
  await waitFor(() => expect(getStates(job.jobId)).toContain(PRINTING))
  service.print({ ...job, attempt: 2 })
  await waitForEnd(job.jobId)
  service.print({ ...job, attempt: 3 })
  const last = () => service.getReports(job.jobId).filter(({ attempt }) => attempt === 3)
  await waitFor(() => expect(last().slice(-2)).toMatchObject([{ state: PRINTING }, { state: DONE }]))
  expect(agent.calls('submit')).toHaveLength(1)
  expect(agent.calls('release')).toHaveLength(1)
})

test('a report is repeated until it is confirmed, and then the next one is sent', async () => {
  service.script = { report: () => undefined }
  await connectAgent(service, { timings: QUICK_RESEND })
  const { jobId } = service.print()
  await waitFor(() => expect(getStates(jobId).length).toBeGreaterThan(2))
  expect(new Set(service.getReports(jobId).map(({ reportId }) => reportId)).size).toBe(1)
  expect(new Set(getStates(jobId))).toEqual(new Set([PRINTING]))
  service.script = {}
  await waitForEnd(jobId)
  expect(new Set(service.getReports(jobId).map(({ reportId }) => reportId)).size).toBe(2)
})

test('messages without an answer are repeated on the next stream', async () => {
  service.script = { received: () => undefined }
  const agent = await connectAgent(service)
  const { jobId } = service.print()
  await waitFor(() => expect(service.getMessages('received')).not.toEqual([]))
  service.script = {}
  service.failStreams()
  await waitForEnd(jobId)
  expect(service.getMessages('hello').map(({ heldJobIds }) => heldJobIds)).toEqual([[], [jobId]])
  expect(agent.calls('release')).toHaveLength(1)
})

test('a job for an unknown printer ends in error', async () => {
  await connectAgent(service)
  const { jobId } = service.print({ printerOsName: 'Nowhere' })
  await waitForEnd(jobId)
  expect(service.getReports(jobId)).toMatchObject([{ state: ERROR, reasons: ['printer-not-found'] }])
})

test.each([
  ['other bytes', 'aaaa'],
  ['one byte less', 'rig'],
  ['one byte more', 'right'],
])(
  'a document with %s is downloaded again, not acknowledged, and does not delay later jobs of its printer',
  async (_, document) => {
    proves('acknowledge.downloaded')
    const agent = await connectAgent(service)
    const { jobId } = service.print({}, Buffer.from('righ'))
    service.documents.set(jobId, Buffer.from(document))
    const next = service.print()
    await waitForEnd(next.jobId)
    await waitFor(() => expect(service.downloads).toBeGreaterThan(3))
    expect(service.getMessages('received')).toMatchObject([{ jobId: next.jobId }])
    service.documents.set(jobId, Buffer.from('righ'))
    await waitForEnd(jobId)
    expect(agent.calls('release').map(({ token }) => token)).toEqual([next.jobId, jobId])
  },
)

test('a download that fails for a minute is reported with its cause, once for each cause, until the job is received', async () => {
  proves('state-reason.document-not-downloaded')
  const clock = createClock()
  const agent = await connectAgent(service, { clock })
  const { jobId } = service.print({}, Buffer.from('righ'))
  service.documents.set(jobId, Buffer.from('aaaa'))
  await waitForDownloads()
  clock.advance(30_000)
  await waitForDownloads()
  expect(service.getReports(jobId)).toEqual([])
  clock.advance(30_000)
  await waitForDownloads()
  const reasons = ['document-not-downloaded']
  const reported = { state: WAITING, message: expect.stringMatching(/^The SHA-256 of the document differs/), reasons }
  expect(service.getReports(jobId)).toMatchObject([{ attempt: 1, ...reported }])
  service.documents.set(jobId, Buffer.from('right'))
  await waitForDownloads()
  const other = { ...reported, message: expect.stringMatching(/^The document is longer/) }
  expect(service.getReports(jobId)).toMatchObject([reported, other])
  const next = service.print()
  await waitForEnd(next.jobId)
  service.documents.set(jobId, Buffer.from('righ'))
  await waitForEnd(jobId)
  expect(service.getReports(jobId).slice(2)).toMatchObject([{ state: PRINTING, reasons: [] }, { state: DONE }])
  expect(agent.calls('release').map(({ token }) => token)).toEqual([next.jobId, jobId])
})

test('a download that fails for a minute after the disk was full is reported as well', async () => {
  const disk = { total: 1_000_000_000, free: 0 }
  mockDisk(() => disk)
  const clock = createClock()
  await connectAgent(service, { clock })
  const { jobId } = service.print({}, Buffer.from('righ'))
  service.documents.set(jobId, Buffer.from('aaaa'))
  const getReasons = () => service.getReports(jobId).map(({ reasons }) => reasons.join())
  await waitFor(() => expect(getReasons()).toEqual(['computer-disk-full']))
  disk.free = disk.total
  await waitForDownloads()
  clock.advance(60_000)
  await waitFor(() => expect(getReasons()).toEqual(['computer-disk-full', 'document-not-downloaded']))
  service.documents.set(jobId, Buffer.from('righ'))
  await waitForEnd(jobId)
  expect(getReasons().slice(2)).toEqual(['', '', ''])
})

/** A clock that the test sets forward. */
function createClock() {
  let elapsedMs = 0
  return {
    ...SYSTEM_CLOCK,
    uptimeMs: () => SYSTEM_CLOCK.uptimeMs() + elapsedMs,
    advance(ms: number) {
      elapsedMs += ms
    },
  }
}

async function waitForDownloads(): Promise<void> {
  const { downloads } = service
  await waitFor(() => expect(service.downloads).toBeGreaterThan(downloads + 3))
}

test('a download that was cut is completed by a service that always sends the document from its first byte', async () => {
  service.downloadsToCut = 2
  const agent = await connectAgent(service)
  const { jobId, fileSha256 } = service.print({}, randomBytes(200_000))
  await waitForEnd(jobId)
  expect(agent.calls('release')).toMatchObject([{ token: jobId, sha256: fileSha256 }])
  expect(service.downloads).toBe(3)
})

test('an inline document is not downloaded', async () => {
  const agent = await connectAgent(service)
  const content = Buffer.from('right')
  const { jobId, fileSha256 } = service.print({ content }, content)
  await waitForEnd(jobId)
  expect(agent.calls('release')).toMatchObject([{ token: jobId, sha256: fileSha256 }])
  expect(service.downloads).toBe(0)
})

test.each([
  ['other bytes', 'wrong'],
  ['one byte less', 'righ'],
  ['one byte more', 'right!'],
])('an inline document with %s is replaced by a download', async (_, content) => {
  const agent = await connectAgent(service)
  const { jobId, fileSha256 } = service.print({ content: Buffer.from(content) }, Buffer.from('right'))
  await waitForEnd(jobId)
  expect(agent.calls('release')).toMatchObject([{ token: jobId, sha256: fileSha256 }])
  expect(service.downloads).toBe(1)
})

test('a refused download drops only its job, also while the disk is busy', async () => {
  const agent = await connectAgent(service)
  const diskIdle = keepDiskBusy()
  const missing = service.print()
  service.documents.delete(missing.jobId)
  await diskIdle
  const next = service.print()
  await waitForEnd(next.jobId)
  expect(service.downloads).toBe(2)
  expect(agent.calls('submit').map(({ token }) => token)).toEqual([next.jobId])
}, 120_000)

test('jobs of one printer are handed over in the order in which they were sent, also if they are granted in another order', async () => {
  service.script = { received: () => undefined }
  const agent = await connectAgent(service)
  const sent = Array.from({ length: 5 }, () => service.print().jobId)
  await waitFor(() => expect(new Set(service.getMessages('received').map(({ jobId }) => jobId)).size).toBe(5))
  for (const jobId of sent.toReversed()) service.send({ case: 'granted', value: { jobId, attempt: 1 } })
  await Promise.all(sent.map(waitForEnd))
  expect(agent.calls('release').map(({ token }) => token)).toEqual(sent)
})

test('a failed spooler call is repeated until it succeeds, and its cause is shown meanwhile', async () => {
  proves('state-reason.spooler-not-ready')
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  let failing: string | undefined
  const failIf = (call: string) => {
    if (failing === call) throw new Error(`${call} failed: open '/run/cups/cups.sock'`)
  }
  const agent = await connectAgent(service, {
    dataDir,
    spooler: {
      ...spooler,
      async submitHeld(job) {
        failIf('submitHeld')
        return await spooler.submitHeld(job)
      },
      async release(id) {
        failIf('release')
        await spooler.release(id)
      },
      async *watch(id, signal) {
        failIf('watch')
        yield* spooler.watch(id, signal)
      },
    },
  })
  const jobIds: string[] = []
  for (failing of ['submitHeld', 'release', 'watch']) {
    if (jobIds.length === 0) jobIds.push(service.print().jobId)
    const message = `${failing} failed: open 'a file of the computer'.`
    const waits = { state: WAITING, message, reasons: ['spooler-not-ready'] }
    await waitFor(() => expect(service.getReports(jobIds[0] ?? '').at(-1)).toMatchObject(waits))
  }
  failing = undefined
  const [jobId = ''] = jobIds
  await waitForEnd(jobId)
  const end = service.getReports(jobId).at(-1)
  expect([end?.state, end?.reasons, end?.message ?? '']).toEqual([DONE, [], expect.not.stringContaining('failed')])
  expect([agent.calls('submit').length, agent.calls('release').length]).toEqual([1, 1])
})

test('a job whose release was answered with an error is released once', async () => {
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  const release: Spooler['release'] = async (id) => {
    await spooler.release(id)
    throw new Error('the response was lost')
  }
  const agent = await connectAgent(service, { dataDir, spooler: { ...spooler, release } })
  const { jobId } = service.print()
  await waitForEnd(jobId)
  expect(getStates(jobId).at(-1)).toBe(DONE)
  expect(agent.calls('release')).toHaveLength(1)
})

const PENDING: SpoolerState = { is: 'pending', reasons: [] }
const PROCESSING: SpoolerState = { is: 'processing', reasons: [] }

test.each<[string, SpoolerState[], boolean, string]>([
  ['only waited and whose printer is gone', [PENDING], true, 'printer-removed'],
  ['may have begun and whose printer is gone', [{ ...PENDING, hasBegun: true }], true, 'unconfirmed'],
  ['printed before it waited and whose printer is gone', [PROCESSING, PENDING], true, 'unconfirmed'],
  ['was not seen waiting and whose printer is gone', [], true, 'unconfirmed'],
  ['only waited and whose printer is there', [PENDING], false, 'unconfirmed'],
])('a job that the spooler no longer knows, and that %s, ends with its reason', async (_, states, isGone, reason) => {
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  let isLost = false
  async function* watch(): ReturnType<Spooler['watch']> {
    yield* states
    isLost = true
  }
  const printers = async () => (isGone && isLost ? [] : await spooler.printers())
  await connectAgent(service, { dataDir, spooler: { ...spooler, printers, watch } })
  const { jobId } = service.print()
  await waitForEnd(jobId)
  expect(service.getReports(jobId).at(-1)).toMatchObject({ state: ERROR, reasons: [reason] })
})

test('each report contains the warnings of the spooler and of the document, and the last one the reasons of an abort', async () => {
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  const warnings = ['The option dpi `600x600` was ignored.', 'The option nup 4 was ignored.']
  const font: DocumentWarning = { reason: 'font-not-embedded', message: 'The document does not contain the font `A`.' }
  const submitHeld: typeof spooler.submitHeld = async (job) => ({
    ...(await spooler.submitHeld(job)),
    warnings,
    documentWarnings: [font],
  })
  await connectAgent(service, { dataDir, spooler: { ...spooler, submitHeld } })
  const { jobId } = service.print({ title: 'Invoice [fail]' })
  await waitForEnd(jobId)
  const message = `The virtual printer failed because the title contains \`[fail]\`. ${font.message}`
  const end = { state: ERROR, message, reasons: ['job-aborted-by-system', font.reason] }
  expect(service.getReports(jobId).at(-1)).toMatchObject(end)
  for (const report of service.getReports(jobId)) {
    expect(report).toMatchObject({ warnings, message: expect.stringContaining(font.message) })
    expect(report.reasons).toContain(font.reason)
  }
})

test('the report of a completed job has the reason that its paper is not confirmed, and no other one', async () => {
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  const message = 'The printer did not confirm the end.'
  async function* watch(): ReturnType<Spooler['watch']> {
    yield { is: 'completed', message, reasons: ['job-completed-successfully', 'completion-unconfirmed'] }
  }
  await connectAgent(service, { dataDir, spooler: { ...spooler, watch } })
  const { jobId } = service.print()
  await waitForEnd(jobId)
  expect(service.getReports(jobId).at(-1)).toMatchObject({ state: DONE, message, reasons: ['completion-unconfirmed'] })
})

test('100 jobs that wait for the spooler are printed once and in order after a restart', async () => {
  const dataDir = makeDataDir()
  const submitHeld = () => Promise.reject(new Error('the spooler fails'))
  const first = await connectAgent(service, { dataDir, spooler: { ...createQuickSpooler(dataDir), submitHeld } })
  const jobIds = Array.from({ length: 100 }, () => service.print().jobId)
  await waitFor(() => expect(new Set(service.getMessages('received').map(({ jobId }) => jobId)).size).toBe(100))
  await first.stop()
  const restarted = await connectAgent(service, { dataDir })
  await Promise.all(jobIds.map(waitForEnd))
  expect(service.getMessages('hello').at(-1)?.heldJobIds.toSorted()).toEqual(jobIds.toSorted())
  expect(restarted.calls('release').map(({ token }) => token)).toEqual(jobIds)
})

/**
 * Sets the clock of this process. The agent does not use it for expiry, because the service sends the remaining
 * seconds.
 */
function setClock(years: number): void {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() + years * 365 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
}

test.each([
  ['without remaining seconds, with a clock 30 years behind,', -30, { secondsUntilExpiry: 0 }],
  ['without remaining seconds', 0, { secondsUntilExpiry: 0 }],
  ['without remaining seconds, with a clock 30 years ahead,', 30, { secondsUntilExpiry: 0 }],
  ['whose id is no UUID and could be a path', 0, { jobId: '../../escape' }],
])('a job %s is dropped', async (_, years, facts) => {
  setClock(years)
  const agent = await connectAgent(service)
  service.print(facts)
  const next = service.print({ secondsUntilExpiry: 60 })
  await waitForEnd(next.jobId)
  expect(service.getMessages('received')).toMatchObject([{ jobId: next.jobId }])
  expect(agent.calls('submit')).toMatchObject([{ token: next.jobId }])
})

test('a job expires after its time while its document cannot be downloaded', async () => {
  setClock(30)
  await connectAgent(service)
  const bytes = Buffer.from('right')
  const jobIds = [1, 60].map((secondsUntilExpiry) => service.print({ secondsUntilExpiry }, bytes).jobId)
  for (const jobId of jobIds) service.documents.set(jobId, Buffer.from('wrong'))
  await waitFor(() => expect(service.downloads).toBeGreaterThan(5))
  // The agent counts from the receipt of the message.
  const sentAtMs = performance.now()
  await waitFor(() => expect(performance.now() - sentAtMs).toBeGreaterThan(1_000))
  for (const jobId of jobIds) service.documents.set(jobId, bytes)
  await waitForEnd(jobIds[1] ?? '')
  expect(service.getMessages('received').map(({ jobId }) => jobId)).toEqual([jobIds[1]])
})

/** Occupies all threads of Node for files longer than the service needs to respond. */
async function keepDiskBusy(): Promise<void> {
  await Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 200_000, 64, 'sha512')))
}
