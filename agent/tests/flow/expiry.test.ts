/** Jobs that expire after the service has granted them. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { mockDisk } from '../../../test/harness/disk.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { hasExpired, SYSTEM_CLOCK, toExpiry } from '../../expiry.ts'
import type { Spooler, SpoolerState } from '../../spoolers/spooler.ts'
import { makeJob } from '../kill-at-each-call.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, createQuickSpooler, createSlowSpooler, makeDataDir, startAgent } from '../start-agent.ts'

const HOUR_MS = 3_600_000
const EXPIRED = { state: ReportedState.ERROR, reasons: ['expired-before-printing'] }

const service = useService()

const expires = (jobId: string) => waitFor(() => expect(service.getReports(jobId)).toMatchObject([EXPIRED]))

/** A clock that a test moves. */
function movableClock() {
  const offset = { nowMs: 0, uptimeMs: 0 }
  return {
    nowMs: () => SYSTEM_CLOCK.nowMs() + offset.nowMs,
    uptimeMs: () => SYSTEM_CLOCK.uptimeMs() + offset.uptimeMs,
    bootId: SYSTEM_CLOCK.bootId,
    sleep: SYSTEM_CLOCK.sleep,
    move(nowMs: number, uptimeMs: number): void {
      offset.nowMs += nowMs
      offset.uptimeMs += uptimeMs
    },
    restartComputer(offMs: number): void {
      this.move(offMs, -this.uptimeMs())
      this.bootId = 'the next boot'
    },
  }
}

test('a job expires at its time, not a millisecond later', () => {
  const clock = { ...SYSTEM_CLOCK, nowMs: () => 0, uptimeMs: () => 0 }
  expect([hasExpired(clock, toExpiry(clock, 0)), hasExpired(clock, toExpiry(clock, 0.001))]).toEqual([true, false])
})

test.each([
  ['time passes', HOUR_MS, HOUR_MS],
  ['the wall clock is set back meanwhile', -24 * HOUR_MS, HOUR_MS],
])('a job that expires before its submission or its release is not printed: %s', async (_, ...passed) => {
  proves('expiry.agent')
  const clock = movableClock()
  const dataDir = makeDataDir()
  const spooler = createQuickSpooler(dataDir)
  let expireAt: 'submission' | 'release' = 'submission'
  service.script = {
    received({ jobId, attempt }) {
      if (expireAt === 'submission') clock.move(...(passed as [number, number]))
      return { case: 'granted', value: { jobId, attempt } }
    },
  }
  const agent = await connectAgent(service, {
    dataDir,
    clock,
    spooler: {
      ...spooler,
      async submitHeld(submission) {
        const submitted = await spooler.submitHeld(submission)
        clock.move(...(passed as [number, number]))
        return submitted
      },
    },
  })
  const first = service.print()
  await expires(first.jobId)
  expect(agent.calls('submit')).toEqual([])
  expireAt = 'release'
  const second = service.print()
  await expires(second.jobId)
  expect([agent.calls('submit').length, agent.calls('remove').length, agent.calls('release')]).toEqual([1, 1, []])
})

test.each(['granted', 'handing', 'held', 'releasing'] as const)(
  'a job that is %s and expires while the computer restarts is not printed',
  async (phase) => {
    proves('expiry.agent')
    const jobId = randomUUID()
    const spooler = createQuickSpooler(makeDataDir())
    const { dataDir } = await makeJob(jobId, phase, { spooler: phase === 'granted' ? undefined : spooler })
    const clock = movableClock()
    clock.restartComputer(HOUR_MS)
    const release = () => expect.fail('released')
    startAgent(service, { dataDir, clock, spooler: { ...spooler, release } })
    await expires(jobId)
    expect((await spooler.find(jobId))?.state.is ?? 'aborted').toBe('aborted')
  },
)

test('a job does not expire when the clock of a running computer is set forward, also across a restart of the agent', async () => {
  proves('expiry.agent.clock')
  const jobId = randomUUID()
  const spooler = createQuickSpooler(makeDataDir())
  const { dataDir } = await makeJob(jobId, 'held', { spooler })
  const clock = movableClock()
  const setForward = () => clock.move(30 * 365 * 24 * HOUR_MS, 0)
  setForward()
  service.script = {
    received({ jobId, attempt }) {
      setForward()
      return { case: 'granted', value: { jobId, attempt } }
    },
  }
  await connectAgent(service, { dataDir, clock, spooler })
  const received = service.print()
  for (const id of [jobId, received.jobId])
    await waitFor(() => expect(service.getReports(id).at(-1)?.state).toBe(ReportedState.DONE))
})

test('a job that waits for space on the disk ends when it expires', async () => {
  const clock = movableClock()
  mockDisk(() => ({ total: 1, free: 0 }))
  await connectAgent(service, { clock })
  const { jobId } = service.print()
  await waitFor(() => expect(service.getReports(jobId)).toMatchObject([{ reasons: ['computer-disk-full'] }]))
  clock.move(HOUR_MS, HOUR_MS)
  await waitFor(() => expect(service.getReports(jobId).at(-1)).toMatchObject(EXPIRED))
  expect(service.downloads).toBe(0)
})

test('a job that has not expired is printed after a restart', async () => {
  const jobId = randomUUID()
  const spooler = createSlowSpooler(makeDataDir())
  const { dataDir } = await makeJob(jobId, 'held', { spooler })
  const clock = movableClock()
  clock.restartComputer(HOUR_MS - 60_000)
  startAgent(service, { dataDir, clock, spooler })
  await waitFor(async () => expect((await spooler.find(jobId))?.state.is).toBe('pending'))
})

test('a job that expires while it may have begun is removed only if it has not, and then may have been printed', async () => {
  const dataDir = makeDataDir()
  const slow = createSlowSpooler(dataDir)
  const begun: SpoolerState = { is: 'pending', reasons: [], hasBegun: true }
  const calls = new Map<string, number>()
  let printing = ''
  async function* watch(id: string, signal: AbortSignal): ReturnType<Spooler['watch']> {
    yield begun
    if (calls.get(id) === 2) yield { is: 'completed', reasons: [] }
    await once(signal, 'abort')
    signal.throwIfAborted()
  }
  const state = async (id: string): Promise<SpoolerState> => {
    calls.set(id, (calls.get(id) ?? 0) + 1)
    return id === printing && calls.get(id) === 2 ? { is: 'processing', reasons: [] } : begun
  }
  const agent = await connectAgent(service, { dataDir, spooler: { ...slow, watch, state } })
  const [first, second] = [1, 2].map(() => service.print({ secondsUntilExpiry: 3 }).jobId) as [string, string]
  await waitFor(() => expect(agent.calls('release')).toHaveLength(2))
  printing = (await slow.find(second))?.spoolerJobId ?? ''
  await waitFor(() =>
    expect(service.getReports(first).at(-1)).toMatchObject({ state: ReportedState.ERROR, reasons: ['unconfirmed'] }),
  )
  await waitFor(() => expect(service.getReports(second).at(-1)).toMatchObject({ state: ReportedState.DONE }))
  expect(agent.calls('remove')).toMatchObject([{ token: first }])
})
