/** The service sends how many seconds are left, and the agent counts those, whatever its clock shows. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent } from '../start-agent.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const RealDate = Date

/** The clock of this process is ahead until the end of the test. */
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

const service = useService()

const done = (jobId: string) => waitFor(() => expect(service.reportsOf(jobId).at(-1)?.state).toBe(ReportedState.DONE))

test.each([-30, 0, 30])(
  'a job without seconds left is dropped, with a clock that is off by %d years',
  async (years) => {
    shiftClock(years * YEAR_MS)
    const agent = await connectAgent(service)
    const late = service.print({ secondsUntilExpiry: 0 })
    const inTime = service.print({ secondsUntilExpiry: 60 })
    await done(inTime.jobId)
    expect(service.heard('received').map(({ jobId }) => jobId)).not.toContain(late.jobId)
    expect(agent.calls('submit').map(({ token }) => token)).toEqual([inTime.jobId])
  },
)

test('a job expires while its document cannot be fetched, and not before', async () => {
  shiftClock(30 * YEAR_MS)
  await connectAgent(service)
  const bytes = Buffer.from('right')
  const print = (secondsUntilExpiry: number) => service.print({ secondsUntilExpiry }, bytes).jobId
  const [short, long] = [print(1), print(60)]
  for (const jobId of [short, long]) service.documents.set(jobId, Buffer.from('wrong'))
  await waitFor(() => expect(service.downloads).toBeGreaterThan(5))
  // The agent counts from the message.
  const sentAtMs = performance.now()
  await waitFor(() => expect(performance.now() - sentAtMs).toBeGreaterThan(1_000))
  for (const jobId of [short, long]) service.documents.set(jobId, bytes)
  await done(long)
  expect(service.heard('received').map(({ jobId }) => jobId)).not.toContain(short)
})
