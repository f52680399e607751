import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { askedChanges, changeStates } from '../change-state.ts'
import { JOB_STATES, type JobState, RULES, TRIGGERS } from '../states.ts'
import { startTestJobs } from './start-test-jobs.ts'

describe('in the database', () => {
  test('every trigger moves a job from exactly the states that the table names, with one event and one outbox row each', async () => {
    const jobs = await startTestJobs()
    for (const trigger of TRIGGERS)
      for (const from of JOB_STATES) {
        const id = await jobs.addJob()
        await jobs.force(id, from)
        const rule: { from: readonly JobState[]; to: JobState } = RULES[trigger]
        const allowed = rule.from.includes(from)
        const changed = await changeStates(
          jobs.pool,
          askedChanges([{ jobId: id, trigger, actor: 'system' }]),
          jobs.clock.now(),
        )
        const pair = `${trigger} from ${from}`
        expect(
          changed.map(({ state }) => state),
          pair,
        ).toEqual(allowed ? [rule.to] : [])
        expect(await jobs.stateOf(id), pair).toBe(allowed ? rule.to : from)
        expect(await jobs.eventStates(id), pair).toEqual(allowed ? ['queued', rule.to] : ['queued'])
        const { rows } = await jobs.pool.query(
          `SELECT payload->>'state' AS state FROM jobs.outbox WHERE order_key = $1 ORDER BY id`,
          [id],
        )
        const told = allowed && trigger !== 'resend' ? ['queued', rule.to] : ['queued']
        expect(
          rows.map(({ state }) => state),
          pair,
        ).toEqual(told)
      }
  })
})

test('a batch changes each job by its own trigger, and the event has the id that the outbox publishes', async () => {
  const jobs = await startTestJobs()
  const [first, second, third] = await Promise.all([jobs.addJob(), jobs.addJob(), jobs.addJob()])
  const asked = askedChanges([
    { jobId: first, trigger: 'push', actor: 'system' },
    { jobId: second, trigger: 'cancel', actor: 'api' },
    { jobId: third, trigger: 'complete', actor: 'agent' },
  ])
  const changed = await changeStates(jobs.pool, asked, jobs.clock.now())
  expect(new Map(changed.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [first, 'sent'],
      [second, 'cancelled'],
    ]),
  )
  const { rows } = await jobs.pool.query(
    `SELECT count(*)::int AS events, count(outbox.event_id)::int AS told FROM jobs.job_event AS event
     LEFT JOIN jobs.outbox ON outbox.event_id = event.id AND outbox.payload->>'eventId' = event.id::text`,
  )
  expect(rows).toEqual([{ events: 5, told: 5 }])
})

test('acknowledgement, cancel and expiry of one job, all at once, have exactly one winner', async () => {
  const jobs = await startTestJobs()
  const ids = await Promise.all(Array.from({ length: 300 }, () => jobs.addJob()))
  await changeStates(
    jobs.pool,
    askedChanges(ids.map((jobId) => ({ jobId, trigger: 'push', actor: 'system' }))),
    jobs.clock.now(),
  )
  const triggers = ['acknowledge', 'cancel', 'expire'] as const
  const winners = await Promise.all(
    ids.map(async (jobId, n) => {
      const rotated = [...triggers.slice(n % 3), ...triggers.slice(0, n % 3)]
      const changes = await Promise.all(
        rotated.map((trigger) =>
          changeStates(jobs.pool, askedChanges([{ jobId, trigger, actor: 'system' }]), jobs.clock.now()),
        ),
      )
      return changes.flat().length
    }),
  )
  expect(winners).toEqual(ids.map(() => 1))
  const { rows } = await jobs.pool.query(
    `SELECT count(*)::int AS wrong FROM jobs.job
     JOIN LATERAL (SELECT state, sequence FROM jobs.job_event WHERE job_id = job.id ORDER BY sequence DESC LIMIT 1) AS last ON true
     WHERE last.state <> job.state OR last.sequence <> job.version OR job.version <> 3`,
  )
  expect(rows).toEqual([{ wrong: 0 }])
})

test('two batches that name the same jobs in opposite order do not deadlock', async () => {
  const jobs = await startTestJobs()
  const ids = await Promise.all(Array.from({ length: 200 }, () => jobs.addJob()))
  const push = (order: string[]) =>
    changeStates(
      jobs.pool,
      askedChanges(order.map((jobId) => ({ jobId, trigger: 'push', actor: 'system' }))),
      jobs.clock.now(),
    )
  const rounds = await Promise.all(Array.from({ length: 8 }, (_, n) => push(n % 2 ? ids : ids.toReversed())))
  expect(rounds.flat()).toHaveLength(200)
})

test('the timestamps of states are set when a state is entered, and that of a job given back is taken back', async () => {
  const jobs = await startTestJobs()
  const id = await jobs.addJob()
  const change = async (trigger: (typeof TRIGGERS)[number]) => {
    jobs.clock.advanceSeconds(1)
    await changeStates(jobs.pool, askedChanges([{ jobId: id, trigger, actor: 'system' }]), jobs.clock.now())
    const { rows } = await jobs.pool.query(
      `SELECT sent_at, received_at, printing_at, finished_at FROM jobs.job WHERE id = $1`,
      [id],
    )
    return Object.values(rows[0]).map((at) => (at ? (at as Date).getUTCSeconds() : null))
  }
  expect(await change('push')).toEqual([1, null, null, null])
  expect(await change('resend')).toEqual([1, null, null, null])
  expect(await change('giveBack')).toEqual([null, null, null, null])
  expect(await change('push')).toEqual([4, null, null, null])
  expect(await change('acknowledge')).toEqual([4, 5, null, null])
  expect(await change('print')).toEqual([4, 5, 6, null])
  expect(await change('complete')).toEqual([4, 5, 6, 7])
})

test('no change of a job is earlier than the one before it, whatever time its replica took', async () => {
  const jobs = await startTestJobs()
  const id = await jobs.addJob()
  const beganAtMs = jobs.clock.now().getTime()
  const change = async (trigger: (typeof TRIGGERS)[number], second: number) => {
    const at = new Date(beganAtMs + second * 1000)
    await changeStates(jobs.pool, askedChanges([{ jobId: id, trigger, actor: 'system' }]), at)
  }
  await change('push', 9)
  await change('resend', 8)
  await change('giveBack', 20)
  await change('push', 10)
  await change('acknowledge', 7)
  await change('print', 21)
  await change('complete', -1)
  const { rows: events } = await jobs.pool.query<{ created_at: Date }>(
    `SELECT created_at FROM jobs.job_event WHERE job_id = $1 ORDER BY sequence`,
    [id],
  )
  const seconds = (at: Date) => (at.getTime() - beganAtMs) / 1000
  expect(events.map(({ created_at }) => seconds(created_at))).toEqual([0, 9, 9, 20, 20, 20, 21, 21])
  const { rows } = await jobs.pool.query<Record<string, Date>>(
    `SELECT sent_at, received_at, printing_at, finished_at FROM jobs.job WHERE id = $1`,
    [id],
  )
  expect(Object.values(rows[0] ?? {}).map(seconds)).toEqual([20, 20, 21, 21])
})

test('a change finds its jobs by their ids, also by a plan that was made before there were any', async () => {
  const jobs = await startTestJobs()
  const connection = await jobs.pool.connect()
  const push = (jobId: string) => askedChanges([{ jobId, trigger: 'push', actor: 'system' }])
  try {
    // PostgreSQL keeps a plan for a statement that was prepared once and run five times.
    for (let n = 0; n < 6; n++) await changeStates(connection, push(uuidv7()), jobs.clock.now())
    const [values] = push(await jobs.addJob()).values
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE "change asked" ('${jobs.clock.now().toISOString()}', '${values}')`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan.match(/Scan (using \w+ )?on job\b/g)).toEqual(Array(2).fill('Scan using job_pkey on job'))
    expect(plan.match(/Index Cond: \(id = asked_\d\.job_id\)/g)).toHaveLength(2)
  } finally {
    connection.release()
  }
})
