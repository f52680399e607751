import { copyJob } from '@platen/test/harness/copy-job.ts'
import { connectLightAgent, type LightAgent } from '@platen/test/harness/light-agent.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'

/** `npm run test:limits` sets 10,000. */
const BACKLOG = Number(process.env.PLATEN_TEST_BACKLOG ?? 200)
const WINDOW = 8

test('a backlog goes out in the order of acceptance, 8 at a time, while its agent moves between replicas', {
  timeout: 240_000,
}, async () => {
  const world = await startOwnWorld()
  const addresses = [world.agentAddress, (await world.addReplica.devices()).agentAddress]
  const { enroll, printers, isDisconnected, createJob, query } = await startTestDevices({ world })
  const { credential } = await enroll()
  const registered = await connectLightAgent(world.agentAddress, credential)
  const [printer = { id: '', computerId: '' }] = await printers()
  registered.close()
  await isDisconnected()
  await copyJob(world.pool, await createJob(printer), BACKLOG - 1)
  const ids = (
    await query<{ id: string }>('SELECT id FROM jobs.job WHERE organization_id = $1 ORDER BY accepted_order')
  ).map(({ id }) => id)
  expect(ids).toHaveLength(BACKLOG)

  const arrived = new Set<string>()
  const done = new Set<string>()
  const held = new Map<string, number>()
  let agent: LightAgent | undefined
  let streams = 0
  let sentAtOnce = 0
  const isToMove = () => done.size < BACKLOG && done.size > (streams * BACKLOG) / 4
  const connect = async () => {
    agent = await connectLightAgent(addresses[streams++ % 2] ?? '', credential, {
      held,
      onPrint: (id) => arrived.add(id),
      onDone(id) {
        done.add(id)
        // At once: a check now and then may find all done.
        if (isToMove()) agent?.close()
      },
    })
  }
  await connect()
  while (done.size < BACKLOG) {
    const doneBefore = done.size
    await waitFor(() => expect(done.size).toBeGreaterThan(doneBefore), 30_000)
    const sent = await query(`SELECT FROM jobs.job WHERE organization_id = $1 AND state = 'sent'`)
    sentAtOnce = Math.max(sentAtOnce, sent.length)
    if (isToMove()) await connect()
  }
  agent?.close()
  expect(streams).toBeGreaterThan(3)
  expect([...arrived]).toEqual(ids)
  expect(sentAtOnce).toBeLessThanOrEqual(WINDOW)
  expect(sentAtOnce).toBeGreaterThan(0)
  const states = await query('SELECT state, count(*)::int FROM jobs.job WHERE organization_id = $1 GROUP BY 1')
  expect(states).toEqual([{ state: 'done', count: BACKLOG }])
})
