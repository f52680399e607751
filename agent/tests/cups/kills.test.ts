/**
 * The promise of at most one hand-over, on a real CUPS: the agent and `cupsd` are killed at random moments while labels are printed. Few
 * times here; `PLATEN_TEST_KILLS=200` kills the agent as often, and CUPS a quarter of that.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { makeDataDir } from '../start-agent.ts'
import { brokenPromises, readRecorded } from './recorded-calls.ts'

const KILLS = Number(process.env.PLATEN_TEST_KILLS ?? 8)
const CUPS_KILLS = Math.ceil(KILLS / 4)

/** So long at most is an agent or a CUPS let work, from the moment that it is there: jobs take some 50 ms. */
const LIFE_MS = 300
const JOBS_OF_A_LIFE = 3
const END_LIMIT_MS = 60_000
const LIMIT_MS = 60_000 + KILLS * 5_000

const WELCOME = { case: 'welcome', value: { computerId: 'computer', heartbeatSeconds: 20 } } as const

describe.skipIf(await whyNoCups())('no job is handed over twice', () => {
  let cups: TestCups
  let service: ScriptedService
  let agent: ChildProcess | undefined
  let jobs: { jobId: string; document: Buffer }[]
  const dataDir = makeDataDir()
  const callsFile = join(dataDir, 'calls.jsonl')

  beforeEach(async () => {
    jobs = []
    cups = await startCups()
    service = await startScriptedService()
    // What was not acknowledged is sent again, as the service does at a hello.
    service.script = {
      hello() {
        setImmediate(() => {
          const known = new Set(service.heard('received').map(({ jobId }) => jobId))
          for (const job of jobs) if (!known.has(job.jobId)) send(job)
        })
        return WELCOME
      },
    }
  })
  afterEach(async () => {
    await killAgent()
    service.stop()
    await cups.stop()
  })

  const send = ({ jobId, document }: (typeof jobs)[number]) =>
    service.print({ jobId, printerOsName: QUEUES.raw, contentType: 'raw_base64' }, document)

  function printSome(): void {
    for (let n = 0; n < JOBS_OF_A_LIFE; n++) {
      const jobId = randomUUID()
      const job = { jobId, document: Buffer.from(`^XA^FD${jobId}^FS^XZ`) }
      jobs.push(job)
      send(job)
    }
  }

  async function startAgent(): Promise<void> {
    const hellos = service.heard('hello').length
    agent = fork(join(import.meta.dirname, 'agent-process.ts'), [service.url, dataDir, cups.socketPath, callsFile])
    await waitFor(() => expect(service.heard('hello').length).toBeGreaterThan(hellos), 30_000)
  }

  async function killAgent(): Promise<void> {
    if (!agent || agent.exitCode !== null || agent.signalCode !== null) return
    agent.kill('SIGKILL')
    await once(agent, 'exit')
  }

  const endOf = (jobId: string) => service.reportsOf(jobId).findLast(({ state }) => state !== ReportedState.PRINTING)

  const allEnded = () => waitFor(() => expect(jobs.filter(({ jobId }) => !endOf(jobId))).toEqual([]), END_LIMIT_MS)

  const timesPrinted = (jobId: string) =>
    Buffer.concat(cups.socketPrinter.received()).toString().split(jobId).length - 1

  test('however often the agent is killed: each job is printed once and reported done', {
    timeout: LIMIT_MS,
  }, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await startAgent()
      printSome()
      await sleep(Math.random() * LIFE_MS)
      await killAgent()
    }
    await startAgent()
    await allEnded()
    await waitFor(() => expect(jobs.filter(({ jobId }) => timesPrinted(jobId) === 0)).toEqual([]))
    expect(jobs.filter(({ jobId }) => timesPrinted(jobId) > 1)).toEqual([])
    expect(jobs.filter(({ jobId }) => endOf(jobId)?.state !== ReportedState.DONE)).toEqual([])
    expect(brokenPromises(readRecorded(callsFile))).toEqual([])
  })

  test('however often CUPS is killed: what it forgot ends as unconfirmed, and nothing is handed over again', {
    timeout: LIMIT_MS,
  }, async () => {
    await startAgent()
    for (let kill = 0; kill < CUPS_KILLS; kill++) {
      printSome()
      await sleep(Math.random() * LIFE_MS)
      await cups.kill()
      await cups.start()
    }
    await allEnded()
    expect(brokenPromises(readRecorded(callsFile))).toEqual([])
    for (const { jobId } of jobs) {
      const { state, reasons } = endOf(jobId) ?? {}
      if (state !== ReportedState.DONE) expect({ jobId, reasons }).toEqual({ jobId, reasons: ['unconfirmed'] })
    }
  })
})
