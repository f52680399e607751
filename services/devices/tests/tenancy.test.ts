import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'
import { connectTestAgent } from './test-agent.ts'

test('computers, printers and jobs of another organization or mode do not exist', async () => {
  const world = await startTestDevices()
  const { credential } = await world.enroll()
  const agent = connectTestAgent(world.agentAddresses[0] ?? '', credential)
  agent.hello()
  await agent.hears('welcome')
  const [printer] = await world.printers()
  const jobId = await world.createJob({ id: printer?.id ?? '', computerId: printer?.computerId ?? '' })
  const notFound = { code: 'not_found' }

  const owner = { organizationId: world.organizationId, mode: 'test' }
  const strangers = [
    { organizationId: uuidv7(), mode: 'test' },
    { organizationId: world.organizationId, mode: 'live' },
  ]
  const looks = (tenant: typeof owner) => [
    world.devices.getPrinter({ ...tenant, printerId: printer?.id }),
    world.devices.getComputer({ ...tenant, computerId: printer?.computerId }),
    world.jobs.getJob({ ...tenant, jobId }),
    world.jobs.listJobEvents({ ...tenant, jobId }),
  ]
  await Promise.all(looks(owner))
  const listed = async (tenant: typeof owner) => (await world.jobs.listJobs(tenant)).jobs.map(({ id }) => id)
  expect(await listed(owner)).toEqual([jobId])
  for (const stranger of strangers) {
    const outcomes = await Promise.allSettled(looks(stranger))
    expect(outcomes).toMatchObject(outcomes.map(() => ({ status: 'rejected', reason: notFound })))
    // In test mode it has its own by the first look.
    const { printers } = await world.devices.listPrinters({ ...stranger, page: { limit: 100 } })
    const { computers } = await world.devices.listComputers({ ...stranger, page: { limit: 100 } })
    expect([printers.length, computers.length]).toEqual(stranger.mode === 'test' ? [4, 1] : [0, 0])
    expect(
      [...printers, ...computers].filter(({ organizationId }) => organizationId !== stranger.organizationId),
    ).toEqual([])
    expect(printers.map(({ id }) => id)).not.toContain(printer?.id)
    expect(await listed(stranger)).toEqual([])
    await expect(world.jobs.cancelJob({ ...stranger, jobId, actor: 'api' })).rejects.toMatchObject(notFound)
  }
  const resolve = (organizationId: string) => world.devices.resolvePrinter({ organizationId, printerId: printer?.id })
  expect(await resolve(world.organizationId)).toMatchObject({
    mode: 'test',
    enabled: true,
    computerId: printer?.computerId,
  })
  await expect(resolve(uuidv7())).rejects.toMatchObject(notFound)
})
