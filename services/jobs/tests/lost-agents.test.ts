import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { expect, test } from 'vitest'
import { agentOf } from './agent-of.ts'
import { startTestJobs } from './start-test-jobs.ts'

async function startWithJobs() {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  const done = await agent.jobIn('printing')
  await agent.say(done, AgentTrigger.COMPLETE)
  const received = await agent.jobIn('received')
  const printing = await agent.jobIn('printing')
  const sent = await agent.jobIn('sent')
  const queued = await agent.jobIn('queued')
  const states = async () => {
    const all = { done, received, printing, sent, queued }
    return Object.fromEntries(
      await Promise.all(Object.entries(all).map(async ([k, id]) => [k, await jobs.stateOf(id)])),
    )
  }
  return { jobs, agent, received, printing, sent, states }
}

test('what an agent had received when it was given up ends with `agent-lost`; what it had not goes its own way', async () => {
  const { jobs, agent, received, printing, states } = await startWithJobs()
  await agent.lose(2n)
  expect(await states()).toEqual({ done: 'done', received: 'error', printing: 'error', sent: 'sent', queued: 'queued' })
  for (const jobId of [received, printing]) {
    const { rows } = await jobs.pool.query(`SELECT state_message, state_reasons FROM jobs.job WHERE id = $1`, [jobId])
    expect(rows).toEqual([{ state_message: expect.stringContaining('may have been'), state_reasons: ['agent-lost'] }])
    expect((await jobs.eventActors(jobId)).at(-1)).toBe('system')
  }
})

test('being told twice changes nothing more, and other computers nothing at all', async () => {
  const { jobs, agent, received } = await startWithJobs()
  const other = agentOf(jobs)
  await other.hello(1n)
  const foreign = await other.jobIn('received')
  await Promise.all([agent.lose(2n), agent.lose(2n)])
  await agent.lose(2n)
  expect(await jobs.eventStates(received)).toEqual(['queued', 'sent', 'received', 'error'])
  expect(await jobs.stateOf(foreign)).toBe('received')
})

test('a lost stream is granted nothing any more', async () => {
  const { agent, sent, states } = await startWithJobs()
  await agent.lose(2n)
  expect(await agent.say(sent, AgentTrigger.ACKNOWLEDGE, { epoch: 1n })).toEqual({ state: 'sent', granted: false })
  expect(await agent.claimIds(1n)).toEqual([])
  expect((await states()).sent).toBe('sent')
})

test('an agent that has said hello since is not lost', async () => {
  const { agent, received, printing, sent, states } = await startWithJobs()
  await agent.hello(3n, [received, printing, sent])
  const before = await states()
  await agent.lose(2n)
  expect(await states()).toEqual(before)
  expect(before).toMatchObject({ received: 'received', printing: 'printing' })
})

test('of a hello and the loss of an agent at once the later one finds what the other one did', async () => {
  const { jobs, agent, received, printing, sent } = await startWithJobs()
  const client = await jobs.pool.connect()
  await client.query('BEGIN')
  await client.query(`UPDATE jobs.computer_fence SET epoch = 3 WHERE computer_id = $1`, [agent.computerId])
  const losing = agent.lose(2n)
  await untilBlocked(jobs.pool)
  await client.query('COMMIT')
  client.release()
  await losing
  for (const jobId of [received, printing]) expect(await jobs.stateOf(jobId)).not.toBe('error')
  expect(await agent.say(sent, AgentTrigger.ACKNOWLEDGE, { epoch: 3n })).toMatchObject({ granted: true })
})

test('an agent that comes back after all is told what has ended, and its reports change nothing', async () => {
  const { jobs, agent, received, printing, sent } = await startWithJobs()
  await agent.lose(2n)
  expect((await agent.hello(3n, [received, printing, sent])).sort()).toEqual([received, printing].sort())
  expect(await agent.say(printing, AgentTrigger.COMPLETE, { epoch: 3n })).toEqual({ state: 'error', granted: false })
  expect(await agent.say(received, AgentTrigger.PRINT, { epoch: 3n })).toEqual({ state: 'error', granted: false })
  expect((await jobs.eventStates(printing)).at(-1)).toBe('error')
  expect(await agent.say(sent, AgentTrigger.ACKNOWLEDGE, { epoch: 3n })).toEqual({ state: 'received', granted: true })
})

test('more jobs than one statement ends are all ended', async () => {
  const jobs = await startTestJobs()
  const agent = agentOf(jobs)
  await agent.hello(1n)
  await Promise.all(Array.from({ length: 1_001 }, () => jobs.addJob({ computerId: agent.computerId })))
  await jobs.pool.query(`UPDATE jobs.job SET state = 'received'`)
  await agent.lose(2n)
  const { rows } = await jobs.pool.query(`SELECT state, count(*)::int FROM jobs.job GROUP BY 1`)
  expect(rows).toEqual([{ state: 'error', count: 1_001 }])
})
