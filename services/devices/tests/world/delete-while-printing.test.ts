/** The agent as it is shipped, whose computer is deleted while it hands a job over. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '@platen/agent/journal/journal.ts'
import { runAgent } from '@platen/agent/run.ts'
import type { Spooler } from '@platen/agent/spoolers/spooler.ts'
import { readCalls } from '@platen/agent/spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '@platen/agent/spoolers/virtual/virtual-spooler.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'

type World = Awaited<ReturnType<typeof startTestDevices>>

const CONTENT = '%PDF-1.7'
const FILE_SHA256 = createHash('sha256').update(CONTENT).digest('hex')

function startAgent(world: World, dataDir: string, credential: string, spooler: Spooler) {
  const abort = new AbortController()
  const end = runAgent({
    dataDir,
    config: { agentUrl: `http://${world.agentAddresses[0]}`, credential, spooler: 'virtual' },
    spooler,
    log: createLogger('agent', 'silent'),
    signal: abort.signal,
    timings: { repeatMs: 50, backoff: { baseMs: 10, maxMs: 40 }, welcomeWithinMs: 5_000, printersEveryMs: 5_000 },
  })
  const stop = async () => {
    abort.abort()
    await end
  }
  onTestFinished(stop)
  return { end, stop }
}

async function enroll(world: World, credential?: string) {
  const { organizationId } = world
  const { token } = await world.devices.createEnrollment({ organizationId, maxUses: 1, expiresInSeconds: 900 })
  return await world.devices.enroll({ token, name: 'Front desk', credential })
}

/** Always the same of the four, so that jobs of one computer wait for each other. */
const aPrinterOf = (world: World) =>
  waitFor(async () => {
    const found = (await world.printers()).find(({ osName }) => osName === 'Test A4 Laser')
    if (!found) throw new Error('the agent has not reported its printers yet')
    return found
  })

test('a job that is being handed over when its computer is deleted is printed once at most, and those behind it are not', async () => {
  const world = await startTestDevices({ mode: 'live' })
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const virtual = createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs: 20 })
  const { promise: releasing, resolve: begin } = Promise.withResolvers<void>()
  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>()
  const slow: Spooler = {
    ...virtual,
    async release(id) {
      begin()
      await goOn
      await virtual.release(id)
    },
  }
  const first = await enroll(world)
  const agent = startAgent(world, dataDir, first.credential, slow)
  const deletedPrinter = await aPrinterOf(world)
  const jobId = await world.createJob(deletedPrinter, CONTENT, { fileSha256: FILE_SHA256 })
  await releasing
  const behindId = await world.createJob(deletedPrinter, CONTENT, { fileSha256: FILE_SHA256 })
  await waitFor(async () => expect(await world.stateOf(behindId)).toBe('received'))
  const { organizationId } = world
  await world.devices.deleteComputer({ organizationId, mode: 'live', computerId: first.computerId })
  letGo()
  expect(await agent.end).toBe('deleted')
  const ended = { state: 'error', stateReasons: ['computer-deleted'] }
  for (const id of [jobId, behindId]) await waitFor(async () => expect(await world.job(id)).toMatchObject(ended))

  // The same data directory joins again, as another computer, with all that its journal knows.
  const second = await enroll(world, first.credential)
  expect(second.computerId).not.toBe(first.computerId)
  const again = startAgent(world, dataDir, second.credential, virtual)
  const printer = await aPrinterOf(world)
  expect(printer.computerId).toBe(second.computerId)
  const nextId = await world.createJob(printer, CONTENT, { fileSha256: FILE_SHA256 })
  await waitFor(async () => expect(await world.job(nextId)).toMatchObject({ state: 'done' }))
  await again.stop()

  const calls = readCalls(join(dataDir, 'virtual', 'handovers.jsonl'))
  for (const token of [jobId, nextId])
    expect(calls.filter((call) => call.token === token).map(({ call, error }) => [call, error])).toEqual([
      ['submit', undefined],
      ['release', undefined],
    ])
  expect(calls.filter(({ token }) => token === behindId)).toEqual([])
  expect(await world.job(jobId)).toMatchObject(ended)
  const { events } = await world.jobs.listJobEvents({ organizationId, mode: 'live', jobId })
  expect(events.map(({ state }) => state)).toEqual(['queued', 'sent', 'received', 'error'])
  const journal = openJournal(join(dataDir, 'journal.sqlite'))
  // What it had to tell of the job was told, and confirmed.
  expect(journal.unsettled()).toEqual([])
  journal.close()
})
