/** The whole agent with a scripted service. */
import { pbkdf2 } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { Spooler } from '../../spoolers/spooler.ts'
import { type Script, traceparentOf, useService } from '../scripted-service.ts'
import { connectAgent, makeDataDir, virtualSpooler } from '../start-agent.ts'

const { PRINTING, DONE, ERROR } = ReportedState

const REPEATING = { resendMs: 50 }

const service = useService()

const statesOf = (jobId: string) => service.reportsOf(jobId).map(({ state }) => state)
const ended = (jobId: string) => waitFor(() => expect([DONE, ERROR]).toContain(statesOf(jobId).at(-1)))

test('a job is received, granted, printed and reported with the trace context of its Print, and its document is deleted', async () => {
  const agent = await connectAgent(service)
  const { jobId, fileSha256 } = service.print({}, Buffer.alloc(100_000, 'x'))
  await ended(jobId)
  expect(statesOf(jobId)).toEqual([PRINTING, DONE])
  expect(agent.calls('release')).toMatchObject([
    { token: jobId, printer: 'Test A4 Laser', sha256: fileSha256, sizeBytes: 100_000 },
  ])
  await waitFor(() => expect(readdirSync(join(agent.dataDir, 'documents'))).toEqual([]))
  const about = service.said.filter(({ message }) => message.case === 'received' || message.case === 'report')
  expect(about.map(({ traceparent }) => traceparent)).toEqual(Array(3).fill(traceparentOf(jobId)))
})

test.each<[string, Script['received']]>([
  ['before a job is granted', () => undefined],
  ['after a grant of another attempt', ({ jobId }) => ({ case: 'granted', value: { jobId, attempt: 7 } })],
])('the spooler is not called %s', async (_, received) => {
  service.script = { received }
  const agent = await connectAgent(service, { timings: REPEATING })
  const { jobId } = service.print()
  await waitFor(() => expect(service.heard('received').length).toBeGreaterThan(2))
  expect(agent.calls('submit')).toEqual([])
  service.send({ case: 'granted', value: { jobId, attempt: 1 } })
  await ended(jobId)
  expect(agent.calls('release')).toHaveLength(1)
})

test.each(['cancelled', 'expired', 'done', ''])(
  'a job refused as "%s" is never printed, and its document is deleted',
  async (state) => {
    service.script = { received: ({ jobId, attempt }) => ({ case: 'refused', value: { jobId, attempt, state } }) }
    const agent = await connectAgent(service)
    const refused = service.print()
    await waitFor(() => expect(service.heard('received')).toHaveLength(1))
    service.script = {}
    const next = service.print()
    await ended(next.jobId)
    expect(agent.calls('submit').map(({ token }) => token)).toEqual([next.jobId])
    await waitFor(() => expect(existsSync(join(agent.dataDir, 'documents', refused.jobId))).toBe(false))
  },
)

test('a job refused as queued is printed when it is sent again, without a second download', async () => {
  service.script = { received: ({ jobId }) => ({ case: 'refused', value: { jobId, attempt: 1, state: 'queued' } }) }
  const agent = await connectAgent(service)
  const job = service.print()
  await waitFor(() => expect(service.heard('received')).toHaveLength(1))
  service.script = {}
  service.print({ ...job, attempt: 2 })
  await ended(job.jobId)
  expect(service.heard('received').map(({ attempt }) => attempt)).toEqual([1, 2])
  expect(service.downloads).toBe(1)
  expect(agent.calls('release')).toHaveLength(1)
})

test('a job that is sent again before it was granted has the new attempt and is printed once', async () => {
  service.script = { received: () => undefined }
  const agent = await connectAgent(service)
  const job = service.print()
  await waitFor(() => expect(service.heard('received')).not.toEqual([]))
  service.script = {}
  service.print({ ...job, attempt: 2 })
  await ended(job.jobId)
  expect(service.reportsOf(job.jobId).every(({ attempt }) => attempt === 2)).toBe(true)
  expect(agent.calls('release')).toHaveLength(1)
})

test('a job that is sent again while it prints or after it was settled is never printed twice', async () => {
  const agent = await connectAgent(service)
  const job = service.print()
  await waitFor(() => expect(statesOf(job.jobId)).toContain(PRINTING))
  service.print({ ...job, attempt: 2 })
  await ended(job.jobId)
  service.print({ ...job, attempt: 3 })
  const last = () => service.reportsOf(job.jobId).filter(({ attempt }) => attempt === 3)
  await waitFor(() => expect(last().slice(-2)).toMatchObject([{ state: PRINTING }, { state: DONE }]))
  expect(agent.calls('submit')).toHaveLength(1)
  expect(agent.calls('release')).toHaveLength(1)
})

test('reports are repeated until they are confirmed, the next one only after that', async () => {
  service.script = { report: () => undefined }
  await connectAgent(service, { timings: REPEATING })
  const { jobId } = service.print()
  await waitFor(() => expect(statesOf(jobId).length).toBeGreaterThan(2))
  expect(new Set(service.reportsOf(jobId).map(({ reportId }) => reportId)).size).toBe(1)
  expect(new Set(statesOf(jobId))).toEqual(new Set([PRINTING]))
  service.script = {}
  await ended(jobId)
  expect(new Set(service.reportsOf(jobId).map(({ reportId }) => reportId)).size).toBe(2)
})

test('messages without an answer are repeated on the next stream', async () => {
  service.script = { received: () => undefined }
  const agent = await connectAgent(service)
  const { jobId } = service.print()
  await waitFor(() => expect(service.heard('received')).not.toEqual([]))
  service.script = {}
  service.cut()
  await ended(jobId)
  expect(service.heard('hello').map(({ heldJobIds }) => heldJobIds)).toEqual([[], [jobId]])
  expect(agent.calls('release')).toHaveLength(1)
})

test('a job for a printer that does not exist ends in error', async () => {
  await connectAgent(service)
  const { jobId } = service.print({ printerOsName: 'Nowhere' })
  await ended(jobId)
  expect(service.reportsOf(jobId)).toMatchObject([{ state: ERROR, reasons: ['printer-not-found'] }])
})

test.each([
  ['other bytes', 'aaaa'],
  ['a byte less', 'rig'],
  ['a byte more', 'right'],
])(
  'a document with %s is fetched again, not acknowledged, and does not hold up its printer [acknowledge.downloaded]',
  async (_, document) => {
    const agent = await connectAgent(service)
    const { jobId } = service.print({}, Buffer.from('righ'))
    service.documents.set(jobId, Buffer.from(document))
    const next = service.print()
    await ended(next.jobId)
    await waitFor(() => expect(service.downloads).toBeGreaterThan(3))
    expect(service.heard('received')).toMatchObject([{ jobId: next.jobId }])
    service.documents.set(jobId, Buffer.from('righ'))
    await ended(jobId)
    expect(agent.calls('release').map(({ token }) => token)).toEqual([next.jobId, jobId])
  },
)

test('a document that comes with its job is not downloaded', async () => {
  const agent = await connectAgent(service)
  const content = Buffer.from('right')
  const { jobId, fileSha256 } = service.print({ content }, content)
  await ended(jobId)
  expect(agent.calls('release')).toMatchObject([{ token: jobId, sha256: fileSha256 }])
  expect(service.downloads).toBe(0)
})

test.each([
  ['other bytes', 'wrong'],
  ['a byte less', 'righ'],
  ['a byte more', 'right!'],
])('a document that comes with its job with %s is downloaded', async (_, content) => {
  const agent = await connectAgent(service)
  const { jobId, fileSha256 } = service.print({ content: Buffer.from(content) }, Buffer.from('right'))
  await ended(jobId)
  expect(agent.calls('release')).toMatchObject([{ token: jobId, sha256: fileSha256 }])
  expect(service.downloads).toBe(1)
})

test('a download that is refused while the disk is busy drops its job and nothing else', async () => {
  const agent = await connectAgent(service)
  const diskIsFree = keepDiskBusy()
  const gone = service.print()
  service.documents.delete(gone.jobId)
  await diskIsFree
  const next = service.print()
  await ended(next.jobId)
  expect(service.downloads).toBe(2)
  expect(agent.calls('submit').map(({ token }) => token)).toEqual([next.jobId])
}, 120_000)

test('jobs of one printer are handed over in the order in which they were sent, also if they are granted in another one', async () => {
  service.script = { received: () => undefined }
  const agent = await connectAgent(service)
  const sent = Array.from({ length: 5 }, () => service.print().jobId)
  await waitFor(() => expect(new Set(service.heard('received').map(({ jobId }) => jobId)).size).toBe(5))
  for (const jobId of sent.toReversed()) service.send({ case: 'granted', value: { jobId, attempt: 1 } })
  await Promise.all(sent.map(ended))
  expect(agent.calls('release').map(({ token }) => token)).toEqual(sent)
})

test('a spooler that fails is asked again, and each job is released once', async () => {
  const dataDir = makeDataDir()
  const spooler = virtualSpooler(dataDir)
  const failures = { submitHeld: 1, release: 1 }
  const submitHeld: Spooler['submitHeld'] = async (job) =>
    failures.submitHeld-- > 0 ? Promise.reject(new Error('the spooler is away')) : await spooler.submitHeld(job)
  const release: Spooler['release'] = async (id) => {
    await spooler.release(id)
    if (failures.release-- > 0) throw new Error('the answer got lost')
  }
  const agent = await connectAgent(service, { dataDir, spooler: { ...spooler, submitHeld, release } })
  const { jobId } = service.print()
  await ended(jobId)
  expect(statesOf(jobId)).toEqual([PRINTING, DONE])
  expect(agent.calls('submit')).toHaveLength(1)
  expect(agent.calls('release')).toHaveLength(1)
})

test('warnings of the spooler are in each report, and the reasons of an abort in the last', async () => {
  const dataDir = makeDataDir()
  const spooler = virtualSpooler(dataDir)
  const warnings = ['The option dpi `600x600` was ignored.', 'The option nup 4 was ignored.']
  const submitHeld: typeof spooler.submitHeld = async (job) => ({ ...(await spooler.submitHeld(job)), warnings })
  await connectAgent(service, { dataDir, spooler: { ...spooler, submitHeld } })
  const { jobId } = service.print({ title: 'Invoice [fail]' })
  await ended(jobId)
  const message = 'The virtual printer failed because the title contains `[fail]`.'
  const end = { state: ERROR, message, reasons: ['job-aborted-by-system'] }
  expect(service.reportsOf(jobId).at(-1)).toMatchObject(end)
  for (const report of service.reportsOf(jobId)) expect(report).toMatchObject({ warnings })
})

test('100 jobs that wait for the spooler are printed once after a restart, in their order', async () => {
  const dataDir = makeDataDir()
  const submitHeld = () => Promise.reject(new Error('the spooler is away'))
  const first = await connectAgent(service, { dataDir, spooler: { ...virtualSpooler(dataDir), submitHeld } })
  const jobIds = Array.from({ length: 100 }, () => service.print().jobId)
  await waitFor(() => expect(new Set(service.heard('received').map(({ jobId }) => jobId)).size).toBe(100))
  await first.stop()
  const again = await connectAgent(service, { dataDir })
  await Promise.all(jobIds.map(ended))
  expect(service.heard('hello').at(-1)?.heldJobIds.toSorted()).toEqual(jobIds.toSorted())
  expect(again.calls('release').map(({ token }) => token)).toEqual(jobIds)
})

/** The service sends how many seconds are left, and the agent counts those. Only the clock of this process is off. */
function setClock(years: number): void {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: Date.now() + years * 365 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
}

test.each([
  ['without seconds left, with a clock 30 years behind,', -30, { secondsUntilExpiry: 0 }],
  ['without seconds left', 0, { secondsUntilExpiry: 0 }],
  ['without seconds left, with a clock 30 years ahead,', 30, { secondsUntilExpiry: 0 }],
  ['whose id is no UUID and could be a path', 0, { jobId: '../../escape' }],
])('a job %s is dropped', async (_, years, facts) => {
  setClock(years)
  const agent = await connectAgent(service)
  service.print(facts)
  const next = service.print({ secondsUntilExpiry: 60 })
  await ended(next.jobId)
  expect(service.heard('received')).toMatchObject([{ jobId: next.jobId }])
  expect(agent.calls('submit')).toMatchObject([{ token: next.jobId }])
})

test('a job expires while its document cannot be fetched, and not before', async () => {
  setClock(30)
  await connectAgent(service)
  const bytes = Buffer.from('right')
  const jobIds = [1, 60].map((secondsUntilExpiry) => service.print({ secondsUntilExpiry }, bytes).jobId)
  for (const jobId of jobIds) service.documents.set(jobId, Buffer.from('wrong'))
  await waitFor(() => expect(service.downloads).toBeGreaterThan(5))
  // The agent counts from the message.
  const sentAtMs = performance.now()
  await waitFor(() => expect(performance.now() - sentAtMs).toBeGreaterThan(1_000))
  for (const jobId of jobIds) service.documents.set(jobId, bytes)
  await ended(jobIds[1] ?? '')
  expect(service.heard('received').map(({ jobId }) => jobId)).toEqual([jobIds[1]])
})

/** Uses all threads of Node for files longer than the service needs for an answer. */
async function keepDiskBusy(): Promise<void> {
  await Promise.all(Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 200_000, 64, 'sha512')))
}
