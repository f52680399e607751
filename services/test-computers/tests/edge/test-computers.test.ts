import { existsSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestDevices, type TestDevices } from '@platen/devices/tests/start-test-devices.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import type { Timer } from '@platen/runtime/timers.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startOwnWorld, type World } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestComputers } from '../../service.ts'

const ENDLESS_MS = 3_600_000

/** A world without a process that runs the test computers, and organizations whose test computers were never online. */
async function start(organizations: number) {
  const world = await startOwnWorld()
  await world.processes['test-computers'].stop()
  const all: TestDevices[] = []
  for (let n = 0; n < organizations; n++) {
    const started = await startTestDevices({ world, mode: 'test' })
    await started.enroll()
    all.push(started)
  }
  return {
    world,
    /** A job for a test printer of the organization, whose agent must have reported its printers. */
    async print(n = 0) {
      const { printers, createJob, becomes } = all[n] ?? raise()
      const printer = await waitFor(async () => (await printers())[0] ?? raise())
      const jobId = await createJob(printer)
      return (facts: object) => becomes(jobId, facts)
    },
    states: async () => (await Promise.all(all.map(({ computer }) => computer()))).map((computer) => computer?.state),
    /** Waits for the number of takeovers of each computer. */
    takenOver: (times: number) =>
      waitFor(async () => {
        const rows = await world.query<{ epoch: string }>('SELECT epoch FROM devices.computer')
        expect(rows.map(({ epoch }) => epoch)).toEqual(all.map(() => String(times)))
      }),
  }
}

function raise(): never {
  throw new Error('not there')
}

/** A process with its own directory, which renews its lease when the test calls `renew`. */
async function startVirtualAgents(world: World, printMs = 40) {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-computers-'))
  const timers = new Map<string, Timer>()
  const process = createTestProcess('test-computers', {
    runTimer(registered) {
      timers.set(registered.name, registered)
      void registered.sweep()
    },
  })
  onTestFinished(async () => {
    await process.stop()
    await rm(directory, { recursive: true, force: true })
  })
  const config = {
    rpcKey: world.rpc.key,
    devicesUrl: world.rpc.url,
    nats: parseNatsUrl(world.natsServer.servicesUrl),
    agentUrl: `http://${world.agentAddress}`,
    directory,
    printMs,
  }
  await startTestComputers(process, config)
  const sweep = async (name: string) => void (await timers.get(name)?.sweep())
  return { directory, stop: () => process.stop(), renew: () => sweep('lease'), sweep }
}

test('a process runs all test computers; a second one stands by and takes over when the first one stops, and none goes offline', async () => {
  const { world, print, states, takenOver } = await start(10)
  const first = await startVirtualAgents(world, ENDLESS_MS)
  await waitFor(async () => expect(await states()).toEqual(Array(10).fill('online')))
  const becomes = await print()
  await becomes({ state: 'received' })
  const second = await startVirtualAgents(world)
  await second.renew()
  await takenOver(1)
  await first.stop()
  await second.renew()
  await takenOver(2)
  expect(await world.query(`SELECT FROM devices.event_log WHERE type = 'computer.offline'`)).toEqual([])
  // Its journal was in the directory of the first process.
  await becomes({ state: 'error', stateReasons: ['unconfirmed'] })
  await (await print())({ state: 'done' })
})

test('a process whose lease expired stands by, and each takeover costs one hello of each computer', async () => {
  const { world, print, takenOver } = await start(3)
  const first = await startVirtualAgents(world)
  await takenOver(1)
  const second = await startVirtualAgents(world)
  world.advance(6_000)
  await second.renew()
  await first.renew()
  await takenOver(2)
  for (const n of [0, 1, 2]) await (await print(n))({ state: 'done' })
  await second.stop()
  await first.renew()
  await takenOver(3)
  for (const n of [0, 1, 2]) await (await print(n))({ state: 'done' })
  await takenOver(3)
})

test('printed documents that take more than half of the disk are deleted, also those of a computer that no longer exists', async () => {
  const { world } = await start(1)
  const { directory, sweep } = await startVirtualAgents(world)
  const { bsize, blocks } = await statfs(directory)
  const jobs = join(directory, 'deleted/virtual/jobs')
  mkdirSync(jobs, { recursive: true })
  const [large, small] = ['large.pdf', 'small.pdf'].map((name) => join(jobs, name)) as [string, string]
  for (const [path, bytes] of [[large, Math.ceil(bsize * blocks * 0.6)] as const, [small, 1] as const]) {
    writeFileSync(path, '')
    // Takes no space.
    truncateSync(path, bytes)
  }
  utimesSync(large, 0, 0)
  utimesSync(small, 1, 1)
  await sweep('printed documents')
  expect([large, small].map((path) => existsSync(path))).toEqual([false, true])
})
