/** No computer's clock is trusted: the service says how many seconds are left, and the agent counts those. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { startAgent } from '../start-agent.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const RealDate = Date

/** All of this process believes it to be so much later, until the test is over. */
function shiftClock(byMs: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [value: number | string]) {
      if (given.length === 0) super(RealDate.now() + byMs)
      else super(given[0])
    }

    static override now = () => RealDate.now() + byMs
  } as DateConstructor
  onTestFinished(() => {
    globalThis.Date = RealDate
  })
}

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

describe.each([
  ['30 years behind', -30 * YEAR_MS],
  ['right', 0],
  ['30 years ahead', 30 * YEAR_MS],
])('with a clock that is %s', (_title, byMs) => {
  test('a job that has seconds left is printed, and one that has none is dropped unreceived', async () => {
    shiftClock(byMs)
    const agent = startAgent(service)
    await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
    const late = service.print({ secondsUntilExpiry: 0 })
    const inTime = service.print({ secondsUntilExpiry: 60 })
    await waitFor(() => expect(service.reportsOf(inTime.jobId).at(-1)?.state).toBe(ReportedState.DONE))
    expect(service.heard('received').map(({ jobId }) => jobId)).not.toContain(late.jobId)
    expect(agent.calls('submit').map(({ token }) => token)).toEqual([inTime.jobId])
  })

  test('a job whose seconds run out while its document cannot be had is dropped, and not before', async () => {
    shiftClock(byMs)
    startAgent(service)
    await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
    const bytes = Buffer.from('right')
    const [short, long] = [1, 60].map((secondsUntilExpiry) => service.print({ secondsUntilExpiry }, bytes).jobId)
    for (const jobId of [short, long]) service.documents.set(jobId ?? '', Buffer.from('wrong'))
    await waitFor(() => expect(service.downloads).toBeGreaterThan(5))
    // The agent counts from when it heard of them. Whichever is fetched after a second is the one that has time left.
    const heardByMs = performance.now()
    await waitFor(() => expect(performance.now() - heardByMs).toBeGreaterThan(1_000))
    for (const jobId of [short, long]) service.documents.set(jobId ?? '', bytes)
    await waitFor(() => expect(service.reportsOf(long ?? '').at(-1)?.state).toBe(ReportedState.DONE))
    expect(service.heard('received').map(({ jobId }) => jobId)).not.toContain(short)
  })
})
