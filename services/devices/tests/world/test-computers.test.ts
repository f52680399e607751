/** The test computers in the devices service, and their agents in the test computers service. */
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent } from '../test-agent.ts'

const PRINTERS = ['Test A4 Laser', 'Test Label 4x6', 'Test Letter Color', 'Test Receipt 80mm']

async function start() {
  const started = await startTestDevices({ mode: 'test' })
  const { devices, tenant, query, advance } = started
  const holders: string[] = []
  /** After 6 s no lease of another test is left. */
  advance(6)
  onTestFinished(async () => {
    for (const holderId of holders) await devices.releaseTestComputers({ holderId })
  })
  return {
    ...started,
    computers: async (mode = tenant.mode as string) =>
      (await devices.listComputers({ ...tenant, mode, page: { limit: 100 } })).computers,
    counts: async () => [
      (await query('SELECT FROM devices.computer WHERE organization_id = $1')).length,
      (await query('SELECT FROM devices.printer WHERE organization_id = $1')).length,
    ],
    newHolder() {
      const holderId = uuidv7()
      holders.push(holderId)
      return {
        holderId,
        lease: (all = true) => devices.leaseTestComputers({ holderId, all }),
        release: () => devices.releaseTestComputers({ holderId }),
        enroll: () => devices.enrollTestComputer({ organizationId: tenant.organizationId, holderId }),
      }
    },
  }
}

test.each(['printers', 'computers'] as const)(
  'the first list of %s in test mode makes the test computer with its four printers, later ones and those of live mode make nothing',
  async (first) => {
    proves('test-mode.created')
    const started = await start()
    const { devices, tenant, computers, printers, counts } = started
    expect(await computers('live')).toEqual([])
    expect((await devices.listPrinters({ ...tenant, mode: 'live', page: {} })).printers).toEqual([])
    expect(await counts()).toEqual([0, 0])
    expect(await started[first]()).toHaveLength(first === 'printers' ? 4 : 1)
    const [computer, ...others] = await computers()
    const listed = await printers()
    expect(others).toEqual([])
    expect(computer).toMatchObject({ name: 'Virtual test computer', ...tenant })
    expect(listed.map(({ name }) => name).toSorted()).toEqual(PRINTERS)
    for (const printer of listed) expect(printer).toMatchObject({ computerId: computer?.id, enabled: true, ...tenant })
    expect(await counts()).toEqual([1, 4])
    const { end } = await devices.listPrinters({ ...tenant, page: { limit: 1 } })
    const behind = { limit: 100, after: end?.position }
    expect((await devices.listPrinters({ ...tenant, page: behind })).printers).toHaveLength(3)
  },
)

test('of first lists at once one makes the computer, and all return it with its printers', async () => {
  proves('test-mode.computer')
  const { computers, printers, counts } = await start()
  const lists = Array.from({ length: 20 }, async () => [(await printers()).length, (await computers()).length])
  for (const list of lists) expect(await list).toEqual([4, 1])
  expect(await counts()).toEqual([1, 4])
})

test('one process at a time has the lease, until it has not renewed it for 6 s or releases it', async () => {
  const { newHolder, advance } = await start()
  const [first, second] = [newHolder(), newHolder()]
  expect(await first.lease()).toMatchObject({ held: true })
  expect(await second.lease()).toMatchObject({ held: false, organizationIds: [] })
  advance(5)
  expect(await first.lease()).toMatchObject({ held: true })
  advance(5)
  expect(await second.lease()).toMatchObject({ held: false })
  advance(1)
  expect(await second.lease()).toMatchObject({ held: true })
  await first.release()
  expect(await first.lease()).toMatchObject({ held: false })
  await second.release()
  const others = await Promise.all(Array.from({ length: 20 }, () => newHolder().lease()))
  expect(others.filter(({ held }) => held)).toHaveLength(1)
})

test('the first lease returns all test computers, renewals those that are offline', async () => {
  const { newHolder, connect, organizationId } = await start()
  const another = await startTestDevices({ mode: 'test' })
  const { lease } = newHolder()
  const { agent } = await connect()
  const returned = async (all: boolean) => {
    const { organizationIds } = await lease(all)
    return [organizationId, another.organizationId].map((id) => organizationIds.includes(id))
  }
  expect(await returned(true)).toEqual([true, false])
  expect(await returned(false)).toEqual([false, false])
  await another.enroll()
  expect(await returned(false)).toEqual([false, true])
  agent.shutDown()
  await waitFor(async () => expect(await returned(false)).toEqual([true, true]))
})

test('only the holder of the lease gets a credential, and that of an earlier holder stops working', async () => {
  const { newHolder, advance, world, hold, waitsForLock } = await start()
  const [first, second] = [newHolder(), newHolder()]
  const forbidden = { code: 'forbidden' }
  await expect(first.enroll()).rejects.toMatchObject(forbidden)
  await first.lease()
  const { credential: older, computerId } = await first.enroll()
  advance(6)
  await expect(first.enroll()).rejects.toMatchObject(forbidden)
  await first.lease()
  const taken = await hold(
    'UPDATE devices.test_computers_lease SET holder_id = $2 WHERE $1::uuid IS NOT NULL',
    second.holderId,
  )
  // The rejection can come before the answer to the commit.
  const refused = expect(first.enroll()).rejects.toMatchObject(forbidden)
  await waitsForLock(1)
  await taken()
  await refused
  await expect(first.enroll()).rejects.toMatchObject(forbidden)
  const newer = await second.enroll()
  expect(newer.computerId).toBe(computerId)
  const hello = (credential: string) => {
    const agent = connectTestAgent(world.agentAddress, credential)
    agent.hello()
    return agent
  }
  expect(await hello(older).ending()).toMatchObject({ details: expect.stringContaining('not valid') })
  await hello(newer.credential).waitForMessages('welcome')
})

test('a test computer whose announcement was lost starts after the next renewal', async () => {
  const { world, enroll, computers, printers } = await start()
  await world.sweep('test-computers', 'lease')
  await enroll()
  await world.sweep('test-computers', 'lease')
  await waitFor(async () => expect(await computers()).toMatchObject([{ state: 'online' }]))
  // Its printers are stored right after the hello that brought it online.
  await waitFor(async () => expect((await printers()).map(({ state }) => state)).toEqual(Array(4).fill('online')))
})
