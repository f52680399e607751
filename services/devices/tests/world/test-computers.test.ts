/** The test computers as devices keeps them; who plays them is tested in `services/test-computers`. */
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent } from './test-agent.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

const PRINTERS = ['Test A4 Laser', 'Test Label 4x6', 'Test Letter Color', 'Test Receipt 80mm']

const listed = {
  printers: async ({ devices }: World, organizationId: string, mode = 'test') =>
    (await devices.listPrinters({ organizationId, mode, page: { limit: 100 } })).printers,
  computers: async ({ devices }: World, organizationId: string, mode = 'test') =>
    (await devices.listComputers({ organizationId, mode, page: { limit: 100 } })).computers,
}

const countOf = async (world: World, table: 'computer' | 'printer') =>
  (await world.query(`SELECT FROM devices.${table}`)).rowCount

test.each(['printers', 'computers'] as const)(
  'the first list of %s in test mode makes the test computer with its four printers, and the next ones nothing more',
  async (first) => {
    const world = await startTestDevices()
    const organizationId = uuidv7()
    expect(await listed[first](world, organizationId)).toHaveLength(first === 'printers' ? 4 : 1)
    const [computer, ...others] = await listed.computers(world, organizationId)
    const printers = await listed.printers(world, organizationId)
    expect(others).toEqual([])
    expect(computer).toMatchObject({ name: 'Virtual test computer', mode: 'test', organizationId })
    expect(printers.map(({ name }) => name).toSorted()).toEqual(PRINTERS)
    for (const printer of printers)
      expect(printer).toMatchObject({ computerId: computer?.id, mode: 'test', enabled: true, organizationId })
    expect([await countOf(world, 'computer'), await countOf(world, 'printer')]).toEqual([1, 4])
    const again = await world.devices.listPrinters({ organizationId, mode: 'test', page: { limit: 1 } })
    const behind = { limit: 100, after: again.end?.place }
    expect((await world.devices.listPrinters({ organizationId, mode: 'test', page: behind })).printers).toHaveLength(3)
  },
)

test('of first lists at the same time, by two replicas, one makes the computer and all show it whole', async () => {
  const world = await startTestDevices({ replicas: 2 })
  const organizationId = uuidv7()
  const looks = Array.from({ length: 20 }, () => [
    listed.printers(world, organizationId).then((printers) => printers.length),
    listed.computers(world, organizationId).then((computers) => computers.length),
  ])
  for (const look of looks) expect(await Promise.all(look)).toEqual([4, 1])
  expect([await countOf(world, 'computer'), await countOf(world, 'printer')]).toEqual([1, 4])
})

test('a list of live mode makes nothing', async () => {
  const world = await startTestDevices()
  const organizationId = uuidv7()
  expect(await listed.printers(world, organizationId, 'live')).toEqual([])
  expect(await listed.computers(world, organizationId, 'live')).toEqual([])
  expect([await countOf(world, 'computer'), await countOf(world, 'printer')]).toEqual([0, 0])
})

test('each organization sees its own test computer and printers alone', async () => {
  const world = await startTestDevices()
  const [ours, theirs] = [uuidv7(), uuidv7()]
  const our = (await listed.printers(world, ours)).map(({ id }) => id)
  const their = (await listed.printers(world, theirs)).map(({ id }) => id)
  expect(new Set([...our, ...their]).size).toBe(8)
  expect((await listed.printers(world, ours)).map(({ id }) => id)).toEqual(our)
  const printerId = their[0]
  await expect(world.devices.getPrinter({ organizationId: ours, mode: 'test', printerId })).rejects.toMatchObject({
    code: 'not_found',
  })
})

const lease = (world: World, holderId: string, all = true) => world.devices.leaseTestComputers({ holderId, all })

test('one process at a time has the lease, until it has not renewed it for 6 s', async () => {
  const world = await startTestDevices()
  const [first, second] = [uuidv7(), uuidv7()]
  expect(await lease(world, first)).toMatchObject({ held: true })
  expect(await lease(world, second)).toMatchObject({ held: false, organizationIds: [] })
  world.clock.advanceSeconds(5)
  expect(await lease(world, first)).toMatchObject({ held: true })
  world.clock.advanceSeconds(5)
  expect(await lease(world, second)).toMatchObject({ held: false })
  world.clock.advanceSeconds(1)
  expect(await lease(world, second)).toMatchObject({ held: true })
  expect(await lease(world, first)).toMatchObject({ held: false })
})

test('of many that ask for the lease at once one gets it', async () => {
  const world = await startTestDevices()
  const answers = await Promise.all(Array.from({ length: 20 }, () => lease(world, uuidv7())))
  expect(answers.filter(({ held }) => held)).toHaveLength(1)
})

test('a lease that is released is free at once, and only its holder can release it', async () => {
  const world = await startTestDevices()
  const [first, second] = [uuidv7(), uuidv7()]
  await lease(world, first)
  await world.devices.releaseTestComputers({ holderId: second })
  expect(await lease(world, second)).toMatchObject({ held: false })
  await world.devices.releaseTestComputers({ holderId: first })
  expect(await lease(world, second)).toMatchObject({ held: true })
})

test('the holder is told of all test computers when it begins, and then of those that are offline', async () => {
  const world = await startTestDevices()
  const holderId = uuidv7()
  const { credential } = await world.devices.enrollTestComputer({ organizationId: world.organizationId })
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello()
  await agent.hears('welcome')
  expect((await lease(world, holderId)).organizationIds).toEqual([world.organizationId])
  expect((await lease(world, holderId, false)).organizationIds).toEqual([])
  const another = uuidv7()
  await listed.printers(world, another)
  expect((await lease(world, holderId, false)).organizationIds).toEqual([another])
  agent.shutDown()
  await agent.ending()
  const offline = [another, world.organizationId].toSorted()
  await waitFor(async () => expect((await lease(world, holderId, false)).organizationIds.toSorted()).toEqual(offline))
})

test('only who has the lease is given a credential, and the one of an earlier holder stops working', async () => {
  const world = await startTestDevices()
  const { organizationId } = world
  const [first, second] = [uuidv7(), uuidv7()]
  await listed.printers(world, organizationId)
  const enroll = (holderId: string) => world.devices.enrollTestComputer({ organizationId, holderId })
  await expect(enroll(first)).rejects.toMatchObject({ code: 'forbidden' })
  await lease(world, first)
  const { credential: older, computerId } = await enroll(first)
  world.clock.advanceSeconds(6)
  await expect(enroll(first)).rejects.toMatchObject({ code: 'forbidden' })
  await lease(world, second)
  await expect(enroll(first)).rejects.toMatchObject({ code: 'forbidden' })
  const newer = await enroll(second)
  expect(newer.computerId).toBe(computerId)

  const stale = connectTestAgent(world.agentAddresses[0] ?? '', older)
  stale.hello()
  expect(await stale.ending()).toMatchObject({ details: expect.stringContaining('not valid') })
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', newer.credential)
  agent.hello()
  await agent.hears('welcome')
})
