import { EVENT_SCHEMAS, type EventJson } from '@platen/resources/event-schema.ts'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { printJobToJson } from '@platen/resources/print-job-schema.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { addWarnings } from '../../add-warnings.ts'
import { changeStates, type RequestedChange, requestedChanges } from '../../change-state.ts'
import type { NewJob } from '../../create-jobs.ts'
import { recordProgress } from '../../record-progress.ts'
import { getJob } from '../../rpc/get-job.ts'
import { sampleJob, startOwnTestJobs, type TestJobs } from '../start-test-jobs.ts'

type Step = Pick<RequestedChange, 'trigger' | 'stateMessage' | 'stateReasons'>

const STEPS: Step[][] = [
  [],
  [{ trigger: 'push' }, { trigger: 'requeue' }, { trigger: 'push' }],
  [{ trigger: 'push' }, { trigger: 'acknowledge' }, { trigger: 'print' }, { trigger: 'complete' }],
  [{ trigger: 'push' }, { trigger: 'cancel' }],
  [{ trigger: 'fail', stateMessage: 'spooler timeout', stateReasons: ['spooler-timeout'] }],
  [{ trigger: 'fail', stateMessage: 'It failed', stateReasons: ['other'] }],
  [{ trigger: 'expire' }],
  [{ trigger: 'fail', stateMessage: 'The file is gone.', stateReasons: ['document-missing', 'document-missing'] }],
  [{ trigger: 'push' }, { trigger: 'fail', stateMessage: 'No.', stateReasons: ['option-ignored', 'unconfirmed'] }],
]

const JOBS: Record<string, Partial<NewJob>> = {
  'a plain job': {},
  'a job with an option warning': {
    options: { duplex: 'long-edge', copies: 2, paper: null, rotate: 90, fit_to_page: true },
    effectiveOptions: { copies: 2 },
    optionWarning: 'Not offered: duplex.',
  },
  'a job without a document yet': { contentType: 'pdf_uri', storageKey: null, fileSizeBytes: null, fileSha256: null },
  'a job with all that text may hold': {
    title: 'Invoice "1042" \\ \u0001 é 😀 {"a":1}',
    source: "a 'shop'; --",
    mode: 'live',
    fileSizeBytes: 26_214_400,
    qty: 2_147_483_647,
  },
}

async function addJob(jobs: TestJobs, facts: Partial<NewJob> = {}) {
  const job = { ...sampleJob(jobs.clock.now()), ...facts }
  await jobs.addJob(job)
  async function lastEvent() {
    const { rows } = await jobs.pool.query<{ body: string }>(
      `SELECT job_event.sequence, event_log.* FROM jobs.job_event JOIN jobs.event_log USING (id)
       WHERE job_id = $1 ORDER BY event_log.commit_seq DESC, number DESC LIMIT 1`,
      [job.id],
    )
    const event = JSON.parse(rows[0]?.body ?? '') as EventJson & { data: JobJson }
    const { id, type, mode, sequence, timestamp } = event
    const { organizationId: organization_id, traceparent } = job
    const occurred_at = new Date(timestamp)
    expect(rows[0]).toMatchObject({ id, type, mode, sequence, organization_id, traceparent, occurred_at })
    expect(EVENT_SCHEMAS.get(event.type)?.parse(event)).toEqual(event)
    return event
  }
  return {
    job,
    lastEvent,
    async change(step: Step): Promise<string> {
      const asked = requestedChanges([{ jobId: job.id, actor: 'system', ...step }])
      const [changed] = await changeStates(jobs.pool, asked, jobs.clock.now())
      return changed?.state ?? 'unchanged'
    },
    async expectEvent(state: string, sequence: number): Promise<void> {
      const { organizationId, mode, id: jobId } = job
      const { job: now } = await getJob(jobs, { organizationId, mode, jobId } as Parameters<typeof getJob>[1])
      expect(await lastEvent()).toEqual({
        id: expect.any(String),
        type: `printjob.${state}`,
        timestamp: jobs.clock.now().toISOString(),
        mode,
        sequence,
        data: now && printJobToJson(now),
      })
    },
  }
}

test.each(Object.entries(JOBS))(
  'the event of each change has the id of the job event and shows the job as GET does at that moment: %s',
  async (_, facts) => {
    proves(
      'requeue.webhook',
      'payload.id',
      'payload.id.job-event',
      'payload.type',
      'payload.timestamp',
      'payload.mode',
      'payload.sequence',
      'payload.data',
      'payload.data.job',
    )
    const jobs = await startOwnTestJobs()
    for (const steps of STEPS) {
      const { change, expectEvent } = await addJob(jobs, facts)
      await expectEvent('queued', 1)
      for (const [at, step] of steps.entries()) {
        jobs.advance(1.234)
        await expectEvent(await change(step), at + 2)
      }
    }
  },
)

test('the next event shows ignored options and progress, which have no event of their own', async () => {
  const jobs = await startOwnTestJobs()
  const { job, change, lastEvent, expectEvent } = await addJob(jobs)
  const ids = { jobId: job.id, computerId: job.computerId }
  for (const trigger of ['push', 'acknowledge', 'print'] as const) await change({ trigger })
  await addWarnings(jobs.pool, [{ ...ids, warnings: ['Not offered: dpi.'] }])
  await recordProgress(jobs, [{ ...ids, message: 'Out of paper.', reasons: ['media-empty'] }])
  expect((await lastEvent()).data).toMatchObject({ stateReasons: [] })
  await change({ trigger: 'fail', stateMessage: 'Given up.' })
  await expectEvent('error', 5)
  expect((await lastEvent()).data).toMatchObject({
    stateMessage: 'Given up. Not offered: dpi.',
    stateReasons: ['media-empty', 'option-ignored'],
  })
})
