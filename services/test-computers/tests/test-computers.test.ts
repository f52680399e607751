import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECRET, startTestDevices } from '@platen/devices/tests/start-test-devices.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { startTestComputers } from '../service.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

const CONTENT = '%PDF-1.7'
const SHA256 = createHash('sha256').update(CONTENT).digest('hex')
/** Twenty agents connect, on a busy machine. */
const READY_WITHIN_MS = 20_000

/** As many processes as a test likes, each with a directory of its own. */
async function startPlayers(world: World, renewEveryMs = 50, printMs = 40) {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-computers-'))
  const service = createTestProcess('test-computers')
  onTestFinished(async () => {
    await service.stop()
    await rm(directory, { recursive: true, force: true })
  })
  const config = {
    rpcSecret: SECRET,
    devicesUrl: world.urls[0] ?? '',
    natsUrl: world.natsUrl,
    agentUrl: `http://${world.agentAddresses[0]}`,
    directory,
  }
  await startTestComputers(service, config, { renewEveryMs, printMs, readyWithinMs: READY_WITHIN_MS })
  return service
}

async function printersOf(world: World, organizationId: string) {
  const page = { limit: 100 }
  return (await world.devices.listPrinters({ organizationId, mode: 'test', page })).printers
}

/** A job for the first printer of the organization. @returns how to look at it. */
async function print(world: World, organizationId: string, title: string) {
  const [printer] = await printersOf(world, organizationId)
  if (!printer) throw new Error('there is no printer')
  const jobId = await world.createJob(printer, CONTENT, { organizationId, title, fileSha256: SHA256 })
  const job = async () => (await world.jobs.getJob({ jobId, organizationId, mode: 'test' })).job
  return { jobId, becomes: (facts: object) => waitFor(async () => expect(await job()).toMatchObject(facts)) }
}

const epochsOf = async (world: World) =>
  (await world.query<{ epoch: string }>('SELECT epoch FROM devices.computer')).rows.map(({ epoch }) => epoch)

/** All computers have changed hands so often. */
const areInHands = (world: World, epochs: string[]) =>
  waitFor(async () => expect(await epochsOf(world)).toEqual(epochs))

async function leaseOf(world: World) {
  const { rows } = await world.query<{ holder_id: string; expires_at: Date }>(
    'SELECT * FROM devices.test_computers_lease',
  )
  return rows[0]
}
const holderOf = async (world: World) => (await leaseOf(world))?.holder_id
const leaseEndsAt = async (world: World) => (await leaseOf(world))?.expires_at.getTime()

test('the very first list shows four printers that are online, and they print', async () => {
  const world = await startTestDevices()
  await startPlayers(world)
  const organizationId = uuidv7()
  const printers = await printersOf(world, organizationId)
  expect(printers.map(({ state }) => state)).toEqual(Array(4).fill('online'))
  await (await print(world, organizationId, 'Invoice')).becomes({ state: 'done', stateReasons: [] })
  await (await print(world, organizationId, 'Invoice [fail]')).becomes({
    state: 'error',
    stateReasons: ['job-aborted-by-system'],
  })
})

test('computers that were made while nobody played them are online as soon as somebody does', async () => {
  const world = await startTestDevices()
  const organizationIds = Array.from({ length: 20 }, () => uuidv7())
  for (const organizationId of organizationIds)
    expect((await printersOf(world, organizationId)).map(({ state }) => state)).toEqual(Array(4).fill('unknown'))
  const waiting = await print(world, organizationIds[0] ?? '', 'Early')
  await startPlayers(world)
  for (const organizationId of organizationIds)
    expect((await printersOf(world, organizationId)).map(({ state }) => state)).toEqual(Array(4).fill('online'))
  await waiting.becomes({ state: 'done' })
})

test('a word that got lost is made up for', async () => {
  const world = await startTestDevices()
  await startPlayers(world)
  const organizationId = uuidv7()
  // As if the list that made it had found nobody who hears.
  await world.devices.enrollTestComputer({ organizationId })
  await waitFor(async () => expect(await printersOf(world, organizationId)).toHaveLength(4))
})

test('a second process stands by, and takes over when the first one stops', async () => {
  const world = await startTestDevices()
  const first = await startPlayers(world)
  const organizationId = uuidv7()
  await printersOf(world, organizationId)
  await areInHands(world, ['1'])
  await startPlayers(world)
  expect(await epochsOf(world)).toEqual(['1'])
  await first.stop()
  await areInHands(world, ['2'])
  await (await print(world, organizationId, 'Later')).becomes({ state: 'done' })
})

test('a process whose lease ran out is superseded and stands by: no computer is fought over', async () => {
  const world = await startTestDevices()
  await startPlayers(world, 1_000)
  const organizationIds = [uuidv7(), uuidv7(), uuidv7()]
  for (const organizationId of organizationIds) await printersOf(world, organizationId)
  await areInHands(world, Array(3).fill('1'))
  const first = await holderOf(world)
  const second = await startPlayers(world, 20)
  // Who asks far more often is nearly always the first to ask once the lease has run out; the other one is still connected.
  for (let tries = 0; tries < 4 && (await holderOf(world)) === first; tries++) {
    world.clock.advanceSeconds(10)
    await waitFor(async () => expect(await leaseEndsAt(world)).toBeGreaterThan(world.clock.now().getTime()))
  }
  expect(await holderOf(world)).not.toBe(first)
  await areInHands(world, Array(3).fill('2'))
  const jobs = await Promise.all(organizationIds.map((organizationId) => print(world, organizationId, 'Contested')))
  for (const job of jobs) await job.becomes({ state: 'done' })

  await second.stop()
  // Not one hello more than each change of hands took.
  await areInHands(world, Array(3).fill('3'))
  const later = await Promise.all(organizationIds.map((organizationId) => print(world, organizationId, 'Back')))
  for (const job of later) await job.becomes({ state: 'done' })
  expect(await holderOf(world)).toBe(first)
  expect(await epochsOf(world)).toEqual(Array(3).fill('3'))
})

test('a job that was printing ends in error, unconfirmed, when the next process has no journal of it', async () => {
  const world = await startTestDevices()
  const first = await startPlayers(world, 50, 3_600_000)
  const organizationId = uuidv7()
  await printersOf(world, organizationId)
  const job = await print(world, organizationId, 'Endless')
  await job.becomes({ state: 'received' })
  await first.stop()
  await startPlayers(world)
  await job.becomes({ state: 'error', stateReasons: ['unconfirmed'] })
  await (await print(world, organizationId, 'Next')).becomes({ state: 'done' })
})
