import { fromJson, type JsonValue } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { JobChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { expect, test } from 'vitest'
import { addWarnings } from '../add-warnings.ts'
import { type AskedChange, askedChanges, changeStates } from '../change-state.ts'
import type { NewJob } from '../create-job-row.ts'
import { getJob } from '../rpc/get-job.ts'
import { tellProgress } from '../tell-progress.ts'
import { sampleJob, startTestJobs, type TestJobs } from './start-test-jobs.ts'

const STEPS: Pick<AskedChange, 'trigger' | 'stateMessage' | 'stateReasons'>[][] = [
  [],
  [{ trigger: 'push' }, { trigger: 'giveBack' }, { trigger: 'push' }],
  [{ trigger: 'push' }, { trigger: 'acknowledge' }, { trigger: 'print' }, { trigger: 'complete' }],
  [{ trigger: 'push' }, { trigger: 'cancel' }],
  [{ trigger: 'expire' }],
  [{ trigger: 'fail', stateMessage: 'The file is gone.', stateReasons: ['document-missing', 'document-missing'] }],
  [{ trigger: 'push' }, { trigger: 'fail', stateMessage: 'No.', stateReasons: ['option-ignored', 'unconfirmed'] }],
]

const JOBS: Record<string, Partial<NewJob>> = {
  plain: {},
  'warned of options': {
    options: { duplex: 'long-edge', copies: 2, paper: null, rotate: 90, fit_to_page: true },
    effectiveOptions: { copies: 2 },
    optionWarning: 'Not offered: duplex.',
  },
  'without a document yet': { contentType: 'pdf_uri', storageKey: null, fileSizeBytes: null, fileSha256: null },
  'with all that text may hold': {
    title: 'Invoice "1042" \\ \u0001 é 😀 {"a":1}',
    source: "a 'shop'; --",
    mode: 'live',
    fileSizeBytes: 26_214_400,
    qty: 2_147_483_647,
  },
}

test.each(Object.entries(JOBS))(
  'the event of each change shows the job as GET does at that moment: %s',
  async (_, facts) => {
    const jobs = await startTestJobs()
    for (const steps of STEPS) {
      const job = { ...sampleJob(jobs.clock.now()), ...facts }
      await jobs.addJob(job)
      await expectLastEventToShow(jobs, job, 'queued', 1)
      for (const [at, step] of steps.entries()) {
        jobs.clock.advanceSeconds(1.234)
        const asked = askedChanges([{ jobId: job.id, actor: 'system', ...step }])
        const [changed] = await changeStates(jobs.pool, asked, jobs.clock.now())
        await expectLastEventToShow(jobs, job, changed?.state ?? 'unchanged', at + 2)
      }
    }
  },
)

test('what an agent tells of options and progress is in the next event, and is none by itself', async () => {
  const jobs = await startTestJobs()
  const job = sampleJob(jobs.clock.now())
  const told = { jobId: job.id, computerId: job.computerId }
  const change = (trigger: AskedChange['trigger'], why: Partial<AskedChange> = {}) =>
    changeStates(jobs.pool, askedChanges([{ jobId: job.id, trigger, actor: 'agent', ...why }]), jobs.clock.now())
  await jobs.addJob(job)
  for (const trigger of ['push', 'acknowledge', 'print'] as const) await change(trigger)

  await addWarnings(jobs.pool, [{ ...told, warnings: ['Not offered: dpi.'] }])
  await tellProgress(jobs.pool, [{ ...told, message: 'Out of paper.', reasons: ['media-empty'] }])
  expect((await lastEvent(jobs, job.id)).job).toMatchObject({ stateReasons: [] })
  await change('fail', { stateMessage: 'Given up.' })

  await expectLastEventToShow(jobs, job, 'error', 5)
  expect((await lastEvent(jobs, job.id)).job).toMatchObject({
    stateMessage: 'Given up. Not offered: dpi.',
    stateReasons: ['media-empty', 'option-ignored'],
  })
})

async function expectLastEventToShow(jobs: TestJobs, job: NewJob, state: string, sequence: number): Promise<void> {
  const event = await lastEvent(jobs, job.id)
  const { organizationId, mode, printerId, computerId } = job
  const { job: now } = await getJob(jobs, { organizationId, mode, jobId: job.id } as Parameters<typeof getJob>[1])
  if (!event.job || !now) throw new Error('no job')
  expect(printJobToJson(event.job)).toEqual(printJobToJson(now))
  expect(event).toMatchObject({ jobId: job.id, organizationId, mode, printerId, computerId, state, sequence })
  expect(event.job).toMatchObject({ organizationId, state })
  expect(event.occurredAt && timestampDate(event.occurredAt)).toEqual(jobs.clock.now())
}

async function lastEvent(jobs: TestJobs, jobId: string) {
  const { rows } = await jobs.pool.query<{ payload: JsonValue }>(
    `SELECT payload FROM jobs.outbox WHERE order_key = $1 ORDER BY id DESC LIMIT 1`,
    [jobId],
  )
  return fromJson(JobChangedSchema, rows[0]?.payload ?? null)
}
