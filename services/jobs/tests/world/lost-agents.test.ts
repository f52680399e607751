import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { copyJob } from '@platen/test/harness/copy-job.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { expect, test } from 'vitest'
import { agentOf } from '../agent-of.ts'
import { startTestJobs } from '../start-test-jobs.ts'

const { ACKNOWLEDGE, PRINT, COMPLETE } = AgentTrigger

async function startWithJobs() {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const done = await agent.jobIn('printing')
  await agent.say(done, COMPLETE)
  const received = await agent.jobIn('received')
  const printing = await agent.jobIn('printing')
  const sent = await agent.jobIn('sent')
  const queued = await agent.jobIn('queued')
  const states = () => Promise.all([done, received, printing, sent, queued].map(jobs.stateOf))
  return { jobs, agent, received, printing, sent, states }
}

test('what a lost agent had received ends with `agent-lost`; other jobs and the jobs of other computers do not change', async () => {
  const { jobs, agent, received, printing, states } = await startWithJobs()
  const other = agentOf(jobs)
  await other.hello(1n)
  const foreign = await other.jobIn('received')
  await Promise.all([agent.lose(2n), agent.lose(2n)])
  await agent.lose(2n)
  expect(await states()).toEqual(['done', 'error', 'error', 'sent', 'queued'])
  for (const jobId of [received, printing]) {
    const { state_message, state_reasons } = await jobs.row(jobId)
    expect({ state_message, state_reasons }).toEqual({
      state_message: expect.stringContaining('may have been'),
      state_reasons: ['agent-lost'],
    })
    expect((await jobs.eventActors(jobId)).at(-1)).toBe('system')
  }
  expect(await jobs.eventStates(received)).toEqual(['queued', 'sent', 'received', 'error'])
  expect(await jobs.stateOf(foreign)).toBe('received')
})

test('a loss waits for a hello at the same time, and then changes nothing', async () => {
  const { jobs, agent, sent, states } = await startWithJobs()
  const client = await jobs.pool.connect()
  await client.query('BEGIN')
  await client.query('UPDATE jobs.computer_fence SET epoch = 3 WHERE computer_id = $1', [agent.computerId])
  const losing = agent.lose(2n)
  await untilBlocked(jobs.pool)
  await client.query('COMMIT')
  client.release()
  await losing
  expect((await states()).slice(1, 3)).toEqual(['received', 'printing'])
  expect(await agent.say(sent, ACKNOWLEDGE, { epoch: 3n })).toMatchObject({ granted: true })
})

test('a lost stream is granted nothing; the agent that comes back learns which jobs have ended, its reports of them change nothing, and it is not lost', async () => {
  const { jobs, agent, received, printing, sent, states } = await startWithJobs()
  await agent.lose(2n)
  expect(await agent.say(sent, ACKNOWLEDGE)).toEqual({ state: 'sent', granted: false })
  expect(await agent.claimIds(1n)).toEqual([])
  expect((await agent.hello(3n, [received, printing, sent])).sort()).toEqual([received, printing].sort())
  expect(await agent.say(printing, COMPLETE, { epoch: 3n })).toEqual({ state: 'error', granted: false })
  expect(await agent.say(received, PRINT, { epoch: 3n })).toEqual({ state: 'error', granted: false })
  expect((await jobs.eventStates(printing)).at(-1)).toBe('error')
  expect(await agent.say(sent, ACKNOWLEDGE, { epoch: 3n })).toEqual({ state: 'received', granted: true })
  await agent.lose(2n)
  expect((await states()).slice(3)).toEqual(['received', 'queued'])
})

test('more jobs than one statement ends are all ended', async () => {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  await copyJob(jobs.pool, await agent.addJob(), 1_000)
  const ofComputer = 'WHERE computer_id = $1'
  await jobs.pool.query(`UPDATE jobs.job SET state = 'received' ${ofComputer}`, [agent.computerId])
  await agent.lose(2n)
  const { rows } = await jobs.pool.query(`SELECT state, count(*)::int FROM jobs.job ${ofComputer} GROUP BY 1`, [
    agent.computerId,
  ])
  expect(rows).toEqual([{ state: 'error', count: 1_001 }])
})
