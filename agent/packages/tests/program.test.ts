/** The program as packages hold it: how little it takes of the computer on which it waits. Linux tells. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { CREDENTIAL, startScriptedService } from '../../tests/scripted-service.ts'
import { bundleAgent, V8_FLAGS } from '../bundle.ts'
import { buildSingleExecutable } from '../single-executable.ts'
import { IDLE_OWN_MAX_BYTES, ownBytes } from './memory.ts'

const WINDOW_MS = 10_000

/** A heartbeat wakes the agent when it is sent, when its bytes have gone, and when an answer comes. */
const WAKE_UPS_PER_HEARTBEAT = 3

/** Polls of the printers; V8 collects garbage, too. */
const WAKE_UPS_OF_POLLS = 24

/** Limits of the start of two agents, of 201 jobs, and of the garbage collection after work, beside other load. */
const STARTED_WITHIN_MS = 60_000
const PRINTED_WITHIN_MS = 100_000
const SETTLED_WITHIN_MS = 90_000

const FORMS = ['the bundle', 'the single executable'] as const

describe.skipIf(process.platform !== 'linux')('as a package', () => {
  let dir: string
  const commands: Partial<Record<(typeof FORMS)[number], string[]>> = {}

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'platen-program-'))
    const bundle = await bundleAgent('linux', dir)
    const out = join(dir, 'platen-agent')
    await buildSingleExecutable({ bundle, node: process.execPath, platform: 'linux', out })
    commands['the bundle'] = [process.execPath, ...V8_FLAGS, bundle.script]
    commands['the single executable'] = [out]
  }, 120_000)
  afterAll(() => rm(dir, { recursive: true }))

  function start(form: (typeof FORMS)[number], { onTestFinished }: TestContext, ...args: string[]): ChildProcess {
    const [command = '', ...own] = commands[form] ?? []
    const env = { PATH: process.env.PATH, PLATEN_VIRTUAL_PRINT_MS: '20' }
    const child = spawn(command, [...own, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  test.concurrent.for(FORMS)(
    '%s waits in less than 60 MB of its own, also after work, and wakes for heartbeats alone',
    { timeout: STARTED_WITHIN_MS + PRINTED_WITHIN_MS + 3 * SETTLED_WITHIN_MS },
    async (form, context) => {
      const { expect, onTestFinished } = context
      const service = await startScriptedService()
      onTestFinished(() => service.stop())
      service.heartbeatSeconds = 2
      const dataDir = await mkdtemp(join(dir, 'data-'))
      const config = { agentUrl: service.url, credential: CREDENTIAL, spooler: 'virtual' }
      await writeFile(join(dataDir, 'agent.json'), JSON.stringify(config), { mode: 0o600 })
      const child = start(form, context, 'run', '--data-dir', dataDir)
      child.stdout?.resume()
      const { pid = 0 } = child

      await waitFor(() => expect(service.heard('hello')).toHaveLength(1), STARTED_WITHIN_MS)
      await waitFor(() => expectQuiet(pid, service), SETTLED_WITHIN_MS)
      expect(await ownBytes(pid)).toBeLessThan(IDLE_OWN_MAX_BYTES)

      const jobs = Array.from({ length: 200 }, (_, n) => service.print({}, Buffer.alloc(20_000, n)))
      jobs.push(service.print({}, Buffer.alloc(25e6, 1)))
      const isDone = ({ jobId }: { jobId: string }) => service.reportsOf(jobId).at(-1)?.state === ReportedState.DONE
      await waitFor(() => expect(jobs.every(isDone)).toBe(true), PRINTED_WITHIN_MS)
      await waitFor(() => expectQuiet(pid, service), SETTLED_WITHIN_MS)
      await waitFor(async () => expect(await ownBytes(pid)).toBeLessThan(IDLE_OWN_MAX_BYTES), SETTLED_WITHIN_MS)
      expect(service.heard('hello')).toHaveLength(1)
    },
  )
})

/** Counts for a while, all threads together. */
async function expectQuiet(pid: number, service: { heard(kind: 'heartbeat'): unknown[] }): Promise<void> {
  const [switches, heartbeats] = [await voluntarySwitches(pid), service.heard('heartbeat').length]
  await sleep(WINDOW_MS)
  const wakeUps = (await voluntarySwitches(pid)) - switches
  const heard = service.heard('heartbeat').length - heartbeats
  expect(wakeUps).toBeLessThanOrEqual(heard * WAKE_UPS_PER_HEARTBEAT + WAKE_UPS_OF_POLLS)
}

/** How often its threads have gone to sleep, which is how often they had been woken. */
async function voluntarySwitches(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`)
  const texts = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/status`, 'utf8')))
  return texts.reduce((sum, status) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1]), 0)
}
