/** The real agent with a spooler that records what it is told, and jobs that are cancelled and expire while they are on their way to it. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as startLater } from 'node:timers/promises'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { runAgent } from '../../../agent/run.ts'
import { readCalls } from '../../../agent/spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '../../../agent/spoolers/virtual/virtual-spooler.ts'
import { startTestDevices } from './start-test-devices.ts'

const ROUNDS = 12
const JOBS_A_ROUND = 20
/** The least that there is. Some are through before, and some are not. */
const EXPIRE_AFTER_SECONDS = 1
const CANCEL_WITHIN_MS = 1_500

async function startWithRealAgent() {
  const world = await startTestDevices()
  const { credential } = await world.enroll()
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  const stop = new AbortController()
  const ended = runAgent({
    dataDir,
    config: { agentUrl: `http://${world.agentAddresses[0]}`, credential, spooler: 'virtual' },
    spooler: createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs: 20 }),
    log: pino({ level: process.env.PLATEN_LOG_LEVEL || 'silent' }),
    signal: stop.signal,
  })
  onTestFinished(async () => {
    stop.abort()
    await ended
    await rm(dataDir, { recursive: true, force: true })
  })
  const printer = await waitFor(async () => {
    const [found] = await world.printers()
    if (!found) throw new Error('the agent has not reported its printers')
    return found
  })
  return { world, printer, handedOver: () => readCalls(join(dataDir, 'virtual', 'handovers.jsonl')) }
}

test('the document of a job that is cancelled or expires never reaches the spooler, and any other one does, once', {
  timeout: 120_000,
}, async () => {
  const { world, printer, handedOver } = await startWithRealAgent()
  const content = '%PDF-1.7 invoice'
  const fileSha256 = createHash('sha256').update(content).digest('hex')
  const tenant = { organizationId: world.organizationId, mode: 'test' }
  const cancelled = new Set<string>()
  const jobIds: string[] = []
  const cancels: Promise<unknown>[] = []

  async function cancel(jobId: string): Promise<void> {
    await startLater(Math.random() * CANCEL_WITHIN_MS)
    await world.jobs.cancelJob({ ...tenant, jobId, actor: 'api' }).then(
      () => cancelled.add(jobId),
      (error: unknown) => expect(error).toMatchObject({ code: 'not_cancellable' }),
    )
  }

  for (let round = 0; round < ROUNDS; round++) {
    const expiring = { fileSha256, expireAfterSeconds: EXPIRE_AFTER_SECONDS }
    const created = await Promise.all(
      Array.from({ length: JOBS_A_ROUND }, (_, n) =>
        world.createJob(printer, content, n % 2 === 0 ? expiring : { fileSha256 }),
      ),
    )
    jobIds.push(...created)
    cancels.push(...created.filter((_, n) => n % 2 === 1).map(cancel))
  }
  await Promise.all(cancels)
  const states = await waitFor(async () => {
    const { rows } = await world.query<{ id: string; state: string }>('SELECT id, state FROM jobs.job')
    expect(rows.filter(({ state }) => !['done', 'cancelled', 'expired'].includes(state))).toEqual([])
    return new Map(rows.map(({ id, state }) => [id, state]))
  }, 60_000)
  const inState = (wanted: string) => jobIds.filter((jobId) => states.get(jobId) === wanted)
  expect(new Set(inState('cancelled'))).toEqual(cancelled)
  for (const call of ['submit', 'release'] as const) {
    const tokens = handedOver().flatMap((line) => (line.call === call ? [line.token] : []))
    expect(tokens.toSorted()).toEqual(inState('done').toSorted())
  }
  for (const state of ['done', 'cancelled', 'expired']) expect(inState(state).length, state).toBeGreaterThan(0)
})
