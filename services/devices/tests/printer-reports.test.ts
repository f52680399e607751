/** What becomes of the printers that agents report, when something is in the way. */
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent, LASER } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

async function connect(world: World) {
  const { credential } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello()
  await agent.hears('welcome')
  const report = (name: string, osName = 'laser') =>
    agent.say({ case: 'printers', value: { printers: [{ ...LASER, osName, name }] } })
  return { agent, report, credential }
}

const isNamed = (world: World, name: string) =>
  waitFor(async () => expect((await world.printers()).map((printer) => printer.name)).toEqual([name]))

test('a hello without a report leaves the printers as they were', async () => {
  const world = await startTestDevices()
  const { agent, credential } = await connect(world)
  const before = await world.printers()
  agent.shutDown()
  await agent.ending()
  const again = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  again.say({ case: 'hello', value: { agentVersion: '1.0.0' } })
  await again.hears('welcome')
  expect(await world.printers()).toMatchObject(before.map(({ id, name }) => ({ id, name, state: 'online' })))
})

test('a report that cannot be stored is stored later, though the agent says it once', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world)
  const unlock = await world.lockPrinters()
  report('Laser 2')
  await world.waitsForLock(1)
  const killed = await world.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  expect(killed.rows).toEqual([{ pg_terminate_backend: true }])
  await unlock()
  await isNamed(world, 'Laser 2')
})

test('reports are stored one after the other, and of those that wait the newest alone', async () => {
  const world = await startTestDevices()
  const { agent, report } = await connect(world)
  const unlock = await world.lockPrinters()
  report('Laser 2')
  report('Never stored', 'never')
  report('Laser 4')
  // Answered behind the reports.
  agent.say({ case: 'received', value: { jobId: crypto.randomUUID(), attempt: 1 } })
  await agent.hears('refused')
  await world.waitsForLock(1)
  await unlock()
  await isNamed(world, 'Laser 4')
  const { rows } = await world.query('SELECT os_name FROM devices.printer')
  expect(rows).toEqual([{ os_name: 'laser' }])
})

test('of many reports within a second the first and the newest are told', async () => {
  const world = await startTestDevices()
  const { report } = await connect(world)
  for (let n = 1; n <= 50; n++) report(`Laser ${n}`)
  await isNamed(world, 'Laser 50')
  const updated = (await world.events()).filter(({ type }) => type === 'printer.updated')
  expect(updated.map(({ resource }) => resource.value)).toMatchObject([{ name: 'Laser 1' }, { name: 'Laser 50' }])
})

test('what a stream reports that a newer one has replaced is not stored', async () => {
  const world = await startTestDevices()
  const { agent, report, credential } = await connect(world)
  await world.query('UPDATE devices.computer SET epoch = epoch + 1')
  report('Late', 'late')
  // Behind the report: it is ended once it is written down that it was heard.
  expect(await agent.ending()).toBe('ended')
  const newer = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  newer.hello([{ ...LASER, name: 'Laser 2' }])
  await newer.hears('welcome')
  await isNamed(world, 'Laser 2')
  const { rows } = await world.query('SELECT os_name FROM devices.printer')
  expect(rows).toEqual([{ os_name: 'laser' }])
})
