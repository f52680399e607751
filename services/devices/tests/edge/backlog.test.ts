import { copyJob } from '@platen/test/harness/copy-job.ts'
import { connectLightAgent, type LightAgent } from '@platen/test/harness/light-agent.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'

/** 10,000 take their time: `PLATEN_TEST_BACKLOG=10000 npx vitest run services/devices/tests/backlog.test.ts`. */
const BACKLOG = Number(process.env.PLATEN_TEST_BACKLOG ?? 2_000)
const WINDOW = 8

test('a backlog goes out in the order in which it was accepted, 8 at a time, while its agent moves between replicas', {
  timeout: 240_000,
}, async () => {
  const world = await startTestDevices({ replicas: 2 })
  const { credential } = await world.enroll()
  const address = (n: number) => world.agentAddresses[n % world.agentAddresses.length] ?? ''
  const registered = await connectLightAgent(address(0), credential)
  const [printer] = await world.printers()
  registered.close()
  await waitFor(async () => {
    const { rows } = await world.query('SELECT FROM devices.computer WHERE disconnected_at IS NOT NULL')
    expect(rows).toHaveLength(1)
  })
  const jobId = await world.createJob({ id: printer?.id ?? '', computerId: printer?.computerId ?? '' })
  await copyJob(world.pool, jobId, BACKLOG - 1)
  const { rows } = await world.query<{ id: string }>('SELECT id FROM jobs.job ORDER BY accepted_order')
  expect(rows).toHaveLength(BACKLOG)

  const arrived = new Set<string>()
  const done = new Set<string>()
  const held = new Map<string, number>()
  let agent: LightAgent | undefined
  let streams = 0
  let sentAtOnce = 0
  const isToMove = () => done.size < BACKLOG && done.size > (streams * BACKLOG) / 4
  const connect = async () => {
    agent = await connectLightAgent(address(streams++), credential, {
      held,
      onPrint: (id) => arrived.add(id),
      onDone(id) {
        done.add(id)
        // At once: who only looks now and then may find all done.
        if (isToMove()) agent?.close()
      },
    })
  }
  await connect()
  while (done.size < BACKLOG) {
    const doneBefore = done.size
    await waitFor(() => expect(done.size).toBeGreaterThan(doneBefore), 30_000)
    const { rows: sent } = await world.query<{ count: number }>(
      `SELECT count(*)::int FROM jobs.job WHERE state = 'sent'`,
    )
    sentAtOnce = Math.max(sentAtOnce, sent[0]?.count ?? 0)
    if (isToMove()) await connect()
  }
  agent?.close()
  expect(streams).toBeGreaterThan(3)
  expect([...arrived]).toEqual(rows.map(({ id }) => id))
  expect(sentAtOnce).toBeLessThanOrEqual(WINDOW)
  expect(sentAtOnce).toBeGreaterThan(0)
  const { rows: states } = await world.query('SELECT state, count(*)::int FROM jobs.job GROUP BY 1')
  expect(states).toEqual([{ state: 'done', count: BACKLOG }])
})
