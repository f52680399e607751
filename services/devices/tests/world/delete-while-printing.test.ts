/** The agent as it is shipped, whose computer is deleted while it hands a job over. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TIMINGS } from '@platen/agent/agent.ts'
import { openJournal } from '@platen/agent/journal/journal.ts'
import { runAgent } from '@platen/agent/run.ts'
import type { Spooler } from '@platen/agent/spoolers/spooler.ts'
import { readCalls } from '@platen/agent/spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '@platen/agent/spoolers/virtual/virtual-spooler.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'

test('a job in hand-over when its computer is deleted is printed at most once, and those behind it are not printed', async () => {
  const { world, organizationId, tenant, devices, printers, createJob, getState, becomes, eventStates } =
    await startTestDevices()
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const virtual = createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs: 20 })
  const { promise: releasing, resolve: begin } = Promise.withResolvers<void>()
  const logs: string[] = []
  const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>()
  const slow: Spooler = {
    ...virtual,
    async release(id) {
      begin()
      await goOn
      await virtual.release(id)
    },
  }
  async function enroll(credential?: string) {
    const { token } = await devices.createEnrollment({ organizationId, maxUses: 1, expiresInSeconds: 900 })
    return await devices.enroll({ token, name: 'Front desk', credential })
  }
  function startAgent(credential: string, spooler: Spooler) {
    const abort = new AbortController()
    const end = runAgent({
      dataDir,
      config: { agentUrl: `http://${world.agentAddress}`, credential, spooler: 'virtual' },
      spooler,
      log: createLogger('agent', 'info', { write: (line: string) => void logs.push(line) }),
      signal: abort.signal,
      timings: { ...TIMINGS, resendMs: 50, backoff: { baseMs: 10, maxMs: 40 } },
    })
    onTestFinished(async () => {
      abort.abort()
      await end
    })
    return { end, abort }
  }
  /** Always the same of the four, so that jobs of one computer wait for each other. */
  const reportedPrinter = () =>
    waitFor(async () => {
      const found = (await printers()).find(({ osName }) => osName === 'Test A4 Laser')
      if (!found) throw new Error('the agent has not reported its printers yet')
      return found
    })

  const first = await enroll()
  const agent = startAgent(first.credential, slow)
  const deletedPrinter = await reportedPrinter()
  const jobId = await createJob(deletedPrinter)
  await releasing
  const behindId = await createJob(deletedPrinter)
  await waitFor(async () => expect(await getState(behindId)).toBe('received'))
  await devices.deleteComputer({ ...tenant, computerId: first.computerId })
  await waitFor(() => expect(logs.join('')).toContain('This computer was deleted'))
  letGo()
  expect(await agent.end).toBe('deleted')
  const ended = { state: 'error', stateReasons: ['computer-deleted'] }
  for (const id of [jobId, behindId]) await becomes(id, ended)

  // The same data directory is enrolled again, as another computer, with all that its journal knows.
  const second = await enroll(first.credential)
  expect(second.computerId).not.toBe(first.computerId)
  const again = startAgent(second.credential, virtual)
  const printer = await reportedPrinter()
  expect(printer.computerId).toBe(second.computerId)
  const nextId = await createJob(printer)
  await becomes(nextId, { state: 'done' })
  again.abort.abort()
  await again.end

  const calls = readCalls(join(dataDir, 'virtual', 'handovers.jsonl'))
  for (const token of [jobId, nextId])
    expect(calls.filter((call) => call.token === token).map(({ call, error }) => [call, error])).toEqual([
      ['submit', undefined],
      ['release', undefined],
    ])
  expect(calls.filter(({ token }) => token === behindId)).toEqual([])
  await becomes(jobId, ended)
  expect(await eventStates(jobId)).toEqual(['queued', 'sent', 'received', 'error'])
  const journal = openJournal(join(dataDir, 'journal.sqlite'))
  // All its reports of the job were sent and confirmed.
  expect(journal.unsettled().map(({ id }) => id)).not.toContain(jobId)
  journal.close()
})
