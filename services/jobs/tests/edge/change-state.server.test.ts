import { JOB_STATES, type JobState } from '@platen/resources/job-states.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { changeStates, type RequestedChange, requestedChanges } from '../../change-state.ts'
import { TRANSITIONS, TRIGGERS, type Trigger } from '../../states.ts'
import { startOwnTestJobs, type TestJobs } from '../start-test-jobs.ts'

const change = (jobs: TestJobs, changes: Omit<RequestedChange, 'actor'>[], at = jobs.clock.now()) =>
  changeStates(jobs.pool, requestedChanges(changes.map((one) => ({ actor: 'system', ...one }))), at)

const getSeconds = async (jobs: TestJobs, jobId: string, since: number) => {
  const times = await jobs.row(jobId, 'sent_at, received_at, printing_at, finished_at')
  return Object.values(times).map((at) => (at instanceof Date ? (at.getTime() - since) / 1000 : null))
}

test('every trigger moves a job from exactly the states of the table, with one event and one entry of the event log, except a resend, which has no entry', async () => {
  proves(
    ...JOB_STATES.map((state) => `event.printjob.${state}`),
    'state.event',
    'state.webhook',
    'error.no-retry',
    'edge.other.unchanged',
    'resend.no-webhook',
    'requeue.event',
    'spooler-timeout.late-done',
  )
  const jobs = await startOwnTestJobs()
  for (const trigger of TRIGGERS)
    for (const from of JOB_STATES) {
      const jobId = await jobs.addJob()
      await jobs.force(jobId, from)
      const rule: { from: readonly JobState[]; to: JobState } = TRANSITIONS[trigger]
      const to = rule.from.includes(from) ? [rule.to] : []
      const changed = await change(jobs, [{ jobId, trigger }])
      const { rows } = await jobs.pool.query(
        `SELECT state FROM jobs.job_event JOIN jobs.event_log USING (id)
         WHERE job_id = $1 AND type = 'printjob.' || state ORDER BY event_log.commit_seq, number`,
        [jobId],
      )
      expect(
        {
          changed: changed.map(({ state }) => state),
          state: await jobs.getState(jobId),
          events: await jobs.eventStates(jobId),
          logged: rows.map(({ state }) => state),
        },
        `${trigger} from ${from}`,
      ).toEqual({
        changed: to,
        state: to[0] ?? from,
        events: ['queued', ...to],
        logged: ['queued', ...(trigger === 'resend' ? [] : to)],
      })
    }
})

test('a batch changes each job by its own trigger, and each event is logged with its id', async () => {
  const jobs = await startOwnTestJobs()
  const [first, second, third] = [await jobs.addJob(), await jobs.addJob(), await jobs.addJob()]
  const changed = await change(jobs, [
    { jobId: first, trigger: 'push' },
    { jobId: second, trigger: 'cancel' },
    { jobId: third, trigger: 'complete' },
  ])
  expect(Object.fromEntries(changed.map(({ id, state }) => [id, state]))).toEqual({
    [first]: 'sent',
    [second]: 'cancelled',
  })
  const { rows } = await jobs.pool.query(
    `SELECT count(*)::int AS events, count(event_log.id)::int AS logged
     FROM jobs.job_event
     LEFT JOIN jobs.event_log ON event_log.id = job_event.id AND body::json->>'id' = job_event.id::text`,
  )
  expect(rows).toEqual([{ events: 5, logged: 5 }])
})

test('two batches that name the same jobs in opposite order do not deadlock', async () => {
  const jobs = await startOwnTestJobs()
  const ids = await Promise.all(Array.from({ length: 200 }, () => jobs.addJob()))
  const push = (order: string[]) =>
    change(
      jobs,
      order.map((jobId) => ({ jobId, trigger: 'push' })),
    )
  const rounds = await Promise.all(Array.from({ length: 8 }, (_, n) => push(n % 2 ? ids : ids.toReversed())))
  expect(rounds.flat()).toHaveLength(200)
})

test('the time of a state is set when the state is entered, and a requeue clears it', async () => {
  const jobs = await startOwnTestJobs()
  const beganAt = jobs.clock.now().getTime()
  const jobId = await jobs.addJob()
  for (const [trigger, ...expected] of [
    ['push', 1, null, null, null],
    ['resend', 1, null, null, null],
    ['requeue', null, null, null, null],
    ['push', 4, null, null, null],
    ['acknowledge', 4, 5, null, null],
    ['print', 4, 5, 6, null],
    ['complete', 4, 5, 6, 7],
  ] as [Trigger, ...(number | null)[]][]) {
    jobs.advance(1)
    await change(jobs, [{ jobId, trigger }])
    expect(await getSeconds(jobs, jobId, beganAt), trigger).toEqual(expected)
  }
})

test('no change of a job is earlier than the one before it, whatever the clock of its replica shows', async () => {
  const jobs = await startOwnTestJobs()
  const jobId = await jobs.addJob()
  const beganAt = jobs.clock.now().getTime()
  for (const [trigger, second] of [
    ['push', 9],
    ['resend', 8],
    ['requeue', 20],
    ['push', 10],
    ['acknowledge', 7],
    ['print', 21],
    ['complete', -1],
  ] as [Trigger, number][])
    await change(jobs, [{ jobId, trigger }], new Date(beganAt + second * 1000))
  const { rows } = await jobs.pool.query<{ at: Date }>(
    'SELECT created_at AS at FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence',
    [jobId],
  )
  expect(rows.map(({ at }) => (at.getTime() - beganAt) / 1000)).toEqual([0, 9, 9, 20, 20, 20, 21, 21])
  expect(await getSeconds(jobs, jobId, beganAt)).toEqual([20, 20, 21, 21])
})

test('a change finds its jobs by their ids, also with a plan from when the table was empty', async () => {
  const jobs = await startOwnTestJobs()
  const connection = await jobs.pool.connect()
  const push = (jobId: string) => requestedChanges([{ jobId, trigger: 'push', actor: 'system' }])
  try {
    // PostgreSQL keeps a plan for a statement that was prepared once and run five times.
    for (let n = 0; n < 6; n++) await changeStates(connection, push(uuidv7()), jobs.clock.now())
    const [values] = push(await jobs.addJob()).values
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE "change requested" ('${jobs.clock.now().toISOString()}', '${values}')`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan.match(/Scan (using \w+ )?on job\b/g)).toEqual(Array(2).fill('Scan using job_pkey on job'))
    expect(plan.match(/Index Cond: \(id = requested_\d\.job_id\)/g)).toHaveLength(2)
  } finally {
    connection.release()
  }
})

test('push, acknowledgement and print are HOT updates, which write no index; the end of a job is none', async () => {
  const jobs = await startOwnTestJobs()
  // One page has room for all versions of a row.
  const ids = [await jobs.addJob(), await jobs.addJob({ storageKey: null, content: Buffer.from('%PDF-1.7') })]
  const connection = await jobs.pool.connect()
  async function countUpdates(trigger: Trigger) {
    const read = async () => {
      await connection.query('SELECT pg_stat_force_next_flush()')
      const { rows } = await connection.query<{ all: number; hot: number }>(
        `SELECT n_tup_upd::int AS "all", n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'job'`,
      )
      return rows[0] ?? { all: 0, hot: 0 }
    }
    const before = await read()
    await changeStates(
      connection,
      requestedChanges(ids.map((jobId) => ({ jobId, trigger, actor: 'system' }))),
      jobs.clock.now(),
    )
    const { all, hot } = await read()
    return { all: all - before.all, hot: hot - before.hot }
  }
  try {
    for (const trigger of ['push', 'resend', 'requeue', 'push', 'acknowledge', 'print'] as const)
      expect(await countUpdates(trigger), trigger).toEqual({ all: 2, hot: 2 })
    expect(await countUpdates('complete')).toEqual({ all: 2, hot: 0 })
  } finally {
    connection.release()
  }
})
